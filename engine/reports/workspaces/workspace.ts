/** Number on a workspace: how many records of a list there are, and what a field of theirs adds up to; or a number of a report. */
export interface Card {
  readonly label: string
  /** Slug of the resource. */
  readonly resource?: string
  /** Parameters of the list, as in an address; empty for all records. */
  readonly filter?: string
  /** Field that is added up. */
  readonly sum?: string
  /** Slug of the report. */
  readonly report?: string
  /** Name of the number among the `summary` of the report. */
  readonly value?: string
  /** Its records wait for whoever sees them: they stand in the inbox too. */
  readonly waits?: boolean
}

/** Way to a list or a report. */
export interface Shortcut {
  readonly label: string
  readonly resource?: string
  readonly report?: string
  readonly filter?: string
}

/** Chart of a report; or of a list, whose records are counted by a field. */
export interface ChartOf {
  readonly label: string
  readonly report?: string
  readonly resource?: string
  /** What the records are counted by, as `_count_by` of the list has it: `status`, `posting_date:month`. */
  readonly by?: string
  /** Field that is added up in each group, instead of a count. */
  readonly sum?: string
  readonly filter?: string
}

/** Step of a new workspace: done once there is such a record. */
export interface Step {
  readonly label: string
  /** Slug of the resource whose records there have to be. */
  readonly resource: string
  /** Parameters of the list of those that count, as in an address. */
  readonly filter?: string
  /** Slug of the resource on whose newest record it is done, where that is another. */
  readonly on?: string
}

/** Part of a page of work: a resource, and the fields of it that play the roles the page needs (`page-kinds.ts`). */
export interface PagePart {
  /** Slug of the resource. */
  readonly resource: string
  /** Role → field; of a column by the role of its table, `rows.item` → `item_code`. */
  readonly fields: Readonly<Record<string, string>>
  readonly filter?: string
  /** Values that every record that the page makes has. */
  readonly set?: Readonly<Record<string, unknown>>
}

/** Page of work with its parts. */
export interface Page {
  /** Which page it is, and its address: `pos`. */
  readonly page: string
  readonly label: string
  readonly icon: string
  readonly parts: Readonly<Record<string, PagePart>>
}

/**
 * What people of one kind of work see first: numbers, ways and charts (contract §7.1, boot). Those of a module follow from
 * its DocTypes and reports; a file `workspaces/<name>.yaml` says them itself.
 */
export interface Workspace {
  readonly name: string
  readonly label: string
  readonly icon: string | null
  /** The modules whose records and reports belong to it. */
  readonly modules: readonly string[]
  /** Roles that see it; undefined: who sees something in it. */
  readonly roles?: readonly string[]
  readonly cards: readonly Card[]
  readonly shortcuts: readonly Shortcut[]
  readonly charts: readonly ChartOf[]
  /** What a new workspace begins with, in this order. */
  readonly steps: readonly Step[]
  readonly pages: readonly Page[]
}
