/** Number on a workspace: how many records of a list there are, or what a field of theirs adds up to; or a number of a report. */
export interface WorkspaceCard {
  readonly label: string
  readonly resource?: string
  /** Parameters of the list, as in an address. */
  readonly filter?: string
  /** Field that is added up. */
  readonly sum?: string
  readonly report?: string
  /** Name of the number among the `summary` of the report. */
  readonly value?: string
  /** Its records wait for whoever sees them. */
  readonly waits?: boolean
}

/** Way to a list or a report. */
export interface WorkspaceShortcut {
  readonly label: string
  readonly resource?: string
  readonly report?: string
  readonly filter?: string
}

/** Chart of a report; or of a list, whose records are counted by a field. */
export interface WorkspaceChart {
  readonly label: string
  readonly report?: string
  /** Parameters of the report, as in an address. */
  readonly query?: string
  readonly resource?: string
  /** What the records are counted by, as `_count_by` has it. */
  readonly by?: string
  readonly sum?: string
  readonly filter?: string
  /** How it is drawn, where that is not as usual. */
  readonly kind?: string
}

/** Step of a new workspace: done once there is such a record. */
export interface WorkspaceStep {
  readonly label: string
  readonly resource: string
  readonly filter?: string
  /** Slug of the resource on whose newest record it is done. */
  readonly on?: string
}

/** Part of a page of work: a resource, and which of its fields play which role there. */
export interface PagePart {
  readonly resource: string
  /** Role → field; of a column by the role of its table, `rows.item` → `item_code`. */
  readonly fields: Readonly<Record<string, string>>
  readonly filter?: string
  /** Values that every record that the page makes has. */
  readonly set?: Readonly<Record<string, unknown>>
}

/** Page of work: its address, and the resources that its parts are. */
export interface WorkPage {
  readonly page: string
  readonly label: string
  readonly icon: string
  readonly parts: Readonly<Record<string, PagePart>>
}

/** What people of one kind of work see first (contract §7.1). */
export interface Workspace {
  readonly name: string
  readonly label: string
  readonly icon: string | null
  readonly cards: readonly WorkspaceCard[]
  readonly shortcuts: readonly WorkspaceShortcut[]
  readonly charts: readonly WorkspaceChart[]
  readonly steps: readonly WorkspaceStep[]
  readonly pages?: readonly WorkPage[]
}
