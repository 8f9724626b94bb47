/**
 * Form of a record on paper (`print:`), as written. Names are fields of the DocType; texts are English and are
 * translated by the files in `labels/`.
 */
export interface PrintDeclaration {
  /** Heading; the label of the DocType without it. */
  readonly title?: string
  /** Check → heading while it is on. */
  readonly titles?: Readonly<Record<string, string>>
  /** Text field with the number on the paper, where it has one; the name without it. */
  readonly number?: string
  /** Links to whom it is about and where it goes. */
  readonly parties?: readonly (string | PrintParty)[]
  /** Facts beside the parties; those that are unset are left out. */
  readonly meta?: readonly string[]
  readonly tables?: readonly PrintTable[]
  /** Sums below the tables; those that are 0 are left out, but for `strong`. */
  readonly totals?: readonly (string | PrintTotal | PrintTotalRows)[]
  /** The one of the sums that counts. */
  readonly strong?: string
  /** Tables below the sums. */
  readonly below?: readonly PrintTable[]
  /** Long texts at the end. */
  readonly notes?: readonly string[]
  /** Field → label on paper, where its own says too little there. */
  readonly labels?: Readonly<Record<string, string>>
  /** Whether the company's bank account stands on it. */
  readonly bank?: boolean
  /** What the company's letterhead says otherwise than its card does now. */
  readonly letterhead?: WrittenCard
  /** Form of the record on the paper of others. */
  readonly card?: CardDeclaration
}

/** What a document keeps of a card as it was then; the card itself says it where that is empty. */
export interface WrittenCard {
  /** Field with the lines of the address; a last one of two capital letters is a country (ISO 3166-1). */
  readonly address?: string
  /** Fields told instead of the facts of the card. */
  readonly facts?: readonly string[]
}

export interface PrintParty extends WrittenCard {
  readonly link: string
  readonly label?: string
  /** Field with the name, for who may not read the record itself. */
  readonly name?: string
}

export interface PrintTable {
  readonly table: string
  readonly label?: string
  readonly columns: readonly (string | PrintColumn)[]
}

export interface PrintColumn {
  readonly field: string
  readonly label?: string
  /** Field below it in the same cell, unless it says the same. */
  readonly under?: string
  /** Whether the plain number is money in the currency of the record. */
  readonly money?: boolean
}

export interface PrintTotal {
  readonly field: string
  /** Field that must be set and not 0, or the sum is left out. */
  readonly if?: string
}

/** A sum for each row of a table. */
export interface PrintTotalRows {
  readonly rows: string
  readonly label: string
  readonly value: string
  /** Column with a rate in percent, shown where the label does not. */
  readonly percent?: string
  /** Column with the amount that it was taken of, shown where it is not 0. */
  readonly of?: string
}

export interface CardDeclaration {
  /** Facts with their labels: tax ids. */
  readonly facts?: readonly string[]
  /** Ways to reach it, without labels. */
  readonly reach?: readonly string[]
  readonly logo?: string
  /** Field with a language: `de`. */
  readonly language?: string
  /** Link to the country. */
  readonly country?: string
  /** Field of the country with its two letters of ISO 3166-1. */
  readonly region?: string
  /** Lines of an address, `{field}` in them. */
  readonly postal?: readonly string[]
  /** Region → lines, where addresses are written otherwise. */
  readonly postal_in?: Readonly<Record<string, readonly string[]>>
  readonly address?: PointingRecords
  readonly bank?: PointingRecords
}

/** The first record that points here, by a link or dynamic link of its own or of its rows. */
export interface PointingRecords {
  /** DocType, or Doctype.table for rows. */
  readonly from: string
  readonly link: string
  /** Check that rules a record out. */
  readonly unless?: string
  /** Check of the one that is preferred. */
  readonly first?: string
}
