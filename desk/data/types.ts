import type { Workspace } from '../home/workspace-types.ts'

/** A record, or a row of one of its tables, as the API sends it. */
export interface Row {
  readonly [field: string]: unknown
  /** Field → title of what it links to. */
  readonly _titles?: Readonly<Record<string, string>>
}

/** A record; it always has its identifier. */
export interface RecordData extends Row {
  readonly id: string
  readonly docstatus?: number
  readonly modified?: string
  readonly _can?: Can
}

/** A choice of a select field. */
export interface Choice {
  readonly value: string
  readonly label: string
  readonly color?: string | undefined
}

/** A field, as `GET /v1/resources/{slug}` describes it. */
export interface FieldInfo {
  readonly name: string
  readonly type: string
  readonly label: string
  readonly filterable: boolean
  readonly createOnly: boolean
  readonly required: boolean
  readonly readOnly: boolean
  readonly hidden: boolean
  readonly operators: readonly string[]
  readonly widget: string
  readonly in_list: boolean
  readonly description?: string
  readonly section?: string
  readonly options?: readonly (string | Choice)[] | string
  /** Slug of the resource that a link leads to. */
  readonly resource?: string
  readonly resource_from?: string
  readonly currency_field?: string
  readonly visible_when?: string
  readonly formula?: string
  readonly fetch?: string
  readonly default?: unknown
  readonly default_expression?: string
  readonly min_rows?: number
  readonly max_rows?: number
  readonly fields?: readonly FieldInfo[]
}

/** Something a record can be told to do. */
export interface ActionInfo {
  readonly name: string
  readonly label: string
  readonly description?: string
  readonly when?: string
  readonly input: readonly FieldInfo[]
  /** Slugs of the resources it makes a record of. */
  readonly creates: readonly string[]
}

/** One resource whole. */
export interface ResourceInfo {
  readonly slug: string
  readonly doctype: string
  readonly label: string
  readonly label_plural: string
  readonly description?: string
  readonly icon?: string
  readonly module: string
  readonly submittable: boolean
  readonly read_only?: boolean
  readonly id_field: string
  readonly title_field: string
  readonly search_fields: readonly string[]
  readonly list_fields: readonly string[]
  readonly actions: readonly ActionInfo[]
  readonly flow?: {
    readonly field: string
    readonly moves: readonly { readonly from: string; readonly to: string }[]
  }
  /** Link to the record above, where the records form a tree. */
  readonly tree?: string
  readonly views?: {
    readonly board?: {
      readonly by: string
      readonly card?: readonly string[]
      readonly sum?: string
    }
    readonly calendar?: { readonly start: string; readonly end?: string; readonly title?: string }
  }
  readonly connections: readonly {
    readonly resource: string
    readonly field: string
    readonly table?: string
  }[]
  readonly fields: readonly FieldInfo[]
}

/** A resource as the menu knows it. */
export interface ResourceEntry {
  readonly slug: string
  readonly doctype: string
  readonly label: string
  readonly label_plural: string
  /** Lowest plan that has it. */
  readonly tier: string
  readonly module: string
  readonly icon?: string
  readonly submittable: boolean
  /** Whether the plan of the workspace is too small for it. */
  readonly locked: boolean
  readonly title_field: string
  /** What its records do for the workspace itself: `users`, `files`. */
  readonly serves?: string
  /** What the person may do with its records. */
  readonly can: readonly string[]
}

/** Workspace: what people of one kind of work see first. */
export interface WorkspaceEntry extends Workspace {
  /** Modules whose records it holds. */
  readonly modules: readonly string[]
  /** Whether there is a record that one of its numbers is about. */
  readonly used: boolean
}

/** What is pinned to the top of the menu: an address of the Desk and what it is called. */
export interface Pin {
  readonly href: string
  readonly label: string
}

/** What a person keeps for the Desk: the setting `desk` of theirs. */
export interface DeskSettings {
  /** Columns of a list and their widths in pixels, by the slug of its resource or the id of its view. */
  readonly lists?: Readonly<Record<string, ListSettings>>
  /** Language of the person, where their record says none: two letters. */
  readonly language?: string
  /** Whether the first steps of a new workspace are no longer shown. */
  readonly isSetUp?: boolean
  /** First steps of a new workspace that need no record any more, by `stepKey`: skipped, or done in a way that leaves none. */
  readonly passedSteps?: Readonly<Record<string, 'skipped' | 'done'>>
  /** Reports on the start. */
  readonly reports?: readonly PinnedReport[]
  /** What stands on top of the menu. */
  readonly pins?: readonly Pin[]
  /** Whether keys without Ctrl do nothing (WCAG 2.1.4). */
  readonly isQuiet?: boolean
}

/** A report that somebody keeps on their start, as it was asked. */
export interface PinnedReport {
  readonly report: string
  /** Parameters of the report, as in an address. */
  readonly query: string
  readonly title: string
  /** How it is drawn, where that is not as usual. */
  readonly chart?: string
}

/** What is kept of how a list looks. */
export interface ListSettings {
  readonly fields?: readonly string[]
  readonly widths?: Readonly<Record<string, number>>
}

/** What the Desk knows before it draws anything (contract §7.1). */
export interface Boot {
  readonly person: {
    readonly name: string
    readonly full_name: string
    readonly language: string | null
    readonly roles: readonly string[]
  }
  readonly workspace: {
    readonly label: string
    readonly tier: string
    readonly company?: string | null
  }
  readonly csrf: string
  readonly notifications?: { readonly unread: number }
  readonly workspaces?: readonly WorkspaceEntry[]
  /** The last proof of the books, for who may see it. */
  readonly proof?: {
    readonly at: string
    readonly checks: number
    readonly ok: boolean
    readonly differences: number
  } | null
  readonly formats: { readonly currency: string | null; readonly first_day?: unknown }
  readonly modules: readonly { readonly name: string; readonly label: string }[]
  readonly resources: readonly ResourceEntry[]
  readonly reports: readonly {
    readonly slug: string
    readonly label: string
    readonly module: string
  }[]
  /** State → name of its colour, where a definition says none. */
  readonly colors: Readonly<Record<string, string>>
  /** What the person keeps for the Desk; null for nothing. */
  readonly desk: DeskSettings | null
}

/** What may be done with a record: true, the sentence a refusal would say, or null for what does not exist. */
export interface Can {
  readonly update: true | string
  readonly delete: true | string | null
  readonly submit: true | string | null
  readonly cancel: true | string | null
  readonly amend: true | string | null
  readonly actions: Readonly<Record<string, true | string>>
  /** States that a chosen status may be moved to. */
  readonly flow?: readonly string[]
}

/** What a change would do (contract §7.2). */
export interface Preview {
  readonly record: Row
  readonly problems: readonly Problem[]
  readonly warnings: readonly Problem[]
  readonly changed: readonly {
    readonly resource: string
    readonly id: string
    readonly title: string
    readonly fields: Readonly<Record<string, readonly [before: unknown, after: unknown]>>
  }[]
  readonly ledgers: Readonly<Record<string, readonly Row[]>>
  readonly created?: readonly { readonly resource: string; readonly record: Row }[]
}

/** Why a value is what it is (contract §7.2). */
export interface Explanation {
  readonly field: string
  readonly label: string
  readonly value: unknown
  readonly how: string
  readonly where?: { readonly file: string; readonly line: number; readonly text: string }
  readonly at?: string
  readonly inputs?: readonly {
    readonly field: string
    readonly label: string
    readonly value: unknown
    readonly explain?: Explanation
  }[]
  readonly records?: readonly {
    readonly resource: string
    readonly id: string
    readonly title?: string
    readonly value?: unknown
  }[]
}

/** Records of a list by the values of a field, counted and added up. */
export interface Groups {
  readonly groups: readonly {
    readonly value: unknown
    readonly label: string
    readonly count: number
    readonly sums: Readonly<Record<string, number>>
  }[]
  readonly total: number
  readonly sums: Readonly<Record<string, number>>
}

/** A list as somebody saved it (contract §7.3). */
export interface SavedView {
  readonly id: string
  readonly resource: string
  readonly title: string
  /** Parameters of the list, as in an address. */
  readonly query: string
  readonly columns: readonly { readonly field: string; readonly width?: number | null }[]
  readonly layout: string
  readonly shared_with: string | null
  readonly is_default: boolean
  /** Whether it is the person's own. */
  readonly own: boolean
}

/** A page of a list. */
export interface ListAnswer {
  readonly data: readonly RecordData[]
  readonly meta: { readonly total: number; readonly limit: number; readonly offset: number }
}

/** A problem of a body: the field by its place, `items[2].qty`. */
export interface Problem {
  readonly field: string
  readonly message: string
  readonly code?: string
}
