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
  readonly flow?: { readonly field: string }
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
  readonly icon?: string | undefined
  readonly submittable: boolean
  readonly read_only?: boolean | undefined
  readonly locked?: boolean | undefined
  /** Names of the fields that may be filters. */
  readonly filters: readonly string[]
  readonly can: readonly string[]
}

/** What the Desk knows before it draws anything (contract §7.1). */
export interface Boot {
  readonly person: { readonly name: string; readonly full_name: string; readonly language?: string }
  readonly workspace: { readonly label: string; readonly tier?: string }
  readonly csrf: string
  readonly currency?: string | undefined
  readonly modules: readonly { readonly name: string; readonly label: string }[]
  readonly resources: readonly ResourceEntry[]
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
