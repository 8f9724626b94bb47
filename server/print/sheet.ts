/** A paper as it is to be drawn: everything in it is text in its language already. */
export interface Sheet {
  readonly language: string
  readonly paper: Paper
  readonly title: string
  readonly number: string
  /** Written across it: that it is a draft, or was cancelled. */
  readonly stamp?: string
  readonly letterhead?: Card
  readonly parties: readonly {
    readonly field: string
    readonly label: string
    readonly card: Card
  }[]
  readonly facts: readonly Fact[]
  /** Facts in groups, of records that do not say how they are printed. */
  readonly groups: readonly { readonly title: string; readonly facts: readonly Fact[] }[]
  readonly tables: readonly Grid[]
  readonly totals: readonly (Fact & { readonly isStrong: boolean })[]
  readonly below: readonly Grid[]
  readonly notes: readonly Fact[]
  readonly bank?: { readonly label: string; readonly card: Card }
  /** Choices of the same paper in other languages and sizes. */
  readonly choices: readonly (readonly Choice[])[]
}

export type Paper = 'a4' | 'letter' | 'receipt'

export interface Fact {
  /** Field of its record. */
  readonly field?: string
  readonly label: string
  readonly value: string
}

/** Name, address and further facts of somebody, as they stand on paper. */
export interface Card {
  readonly name: string
  readonly lines: readonly string[]
  readonly reach: readonly string[]
  readonly facts: readonly Fact[]
  readonly logo?: string
}

export interface Grid {
  /** Name of the table. */
  readonly table: string
  readonly title?: string
  /** Its columns, the number of a row first; each with its field. */
  readonly columns: readonly {
    readonly field?: string
    readonly label: string
    readonly isNumber: boolean
  }[]
  readonly rows: readonly (readonly Cell[])[]
}

export interface Cell {
  readonly text: string
  readonly under?: string
}

export interface Choice {
  readonly text: string
  /** Undefined for what is shown. */
  readonly address?: string
}
