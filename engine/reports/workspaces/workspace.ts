/** Number on a workspace: how many records of a list there are, and what a field of theirs adds up to. */
export interface Card {
  readonly label: string
  /** Slug of the resource. */
  readonly resource: string
  /** Parameters of the list, as in an address; empty for all records. */
  readonly filter: string
  /** Field that is added up. */
  readonly sum?: string
}

/** Way to a list or a report. */
export interface Shortcut {
  readonly label: string
  readonly resource?: string
  readonly report?: string
  readonly filter?: string
}

/** Chart of a report. */
export interface ChartOf {
  readonly label: string
  readonly report: string
}

/**
 * What people of one kind of work see first: numbers, ways and charts (contract §7.1, boot). Those of a module follow from
 * its DocTypes and reports; a file `workspaces/<name>.yaml` says them itself.
 */
export interface Workspace {
  readonly name: string
  readonly label: string
  readonly icon: string | null
  /** Roles that alone see it; undefined: who sees something in it. */
  readonly roles?: readonly string[]
  readonly cards: readonly Card[]
  readonly shortcuts: readonly Shortcut[]
  readonly charts: readonly ChartOf[]
}
