/** A field that clients send under another name than the DocType has for it. */
export interface Taken {
  /** Field of the DocType, or of its rows. */
  readonly field: string
  /** Name that clients send it under. */
  readonly from: string
  /** Taken only where these were sent beside it: name → values. */
  readonly when?: Readonly<Record<string, readonly string[]>>
  /** Clients send it below 0 on what goes back; here it has no sign. */
  readonly unsigned?: true
  /** Clients send what it is less than this, which they send too. */
  readonly less?: string
  /** Clients send rows: the column of the row that is taken. */
  readonly column?: string
  /** Values by which rows are meant; those leave their table. */
  readonly only?: Readonly<Record<string, readonly string[]>>
  /** Column that marks that row among several; without it there may be only one. */
  readonly mark?: string
  /** All rows that say it must say the same. */
  readonly alike?: true
}

/** A name that clients only read: the field it stands for, or in words how far a percentage has come. */
export interface ShownName {
  readonly field: string
  /** What 0, more, and 100 are called. */
  readonly words?: readonly string[]
}

/** What clients call the fields of one DocType, or of rows. */
export interface Words {
  readonly takes: readonly Taken[]
  /** Name that clients read → field, where they only read it. */
  readonly shows: ReadonlyMap<string, ShownName>
  /** Names that would change the result and mean nothing here: refused where they say something. */
  readonly refuses: ReadonlySet<string>
}

/** Values of arguments by name, as a method hands them on: name of the argument, or a text behind `=`. */
export type Handed = Readonly<Record<string, string>>

/** An action that makes a document: clients get it unsaved, and send it back to save it. */
export interface MadeByAction {
  readonly does: 'make'
  /** Argument with the kind of document → action; `*` where the method has one kind only. */
  readonly kinds: ReadonlyMap<string, { readonly doctype: string; readonly action: string }>
  /** Argument that names the kind; undefined where there is one. */
  readonly kind?: string
  /** Argument that names the document. */
  readonly name: string
  readonly input: Handed
}

/** A new document, filled as far as its rules fill it, and not saved. */
export interface FilledDocument {
  readonly does: 'fill'
  /** Argument with the DocType; where none is sent, the value of the argument `by` says which of `otherwise` it is, `none` where that is not sent either. */
  readonly doctype: string
  readonly by?: string
  readonly otherwise: Readonly<Record<string, string>>
  /** Field → argument. */
  readonly set: Handed
  /** Table whose first row is the answer, and column → argument. */
  readonly row?: { readonly table: string; readonly set: Handed }
  /** Fields of which the first there is is the answer, in place of all. */
  readonly values?: readonly string[]
}

/** Values read from records: of the first that meets all conditions, or summed up over all. */
export interface ReadValue {
  readonly does: 'read'
  readonly doctype: string
  /** Field, with `sum` fields and what each counts for. */
  readonly value?: string
  readonly sum?: Readonly<Record<string, number>>
  /** `[field, operator, argument]`; one whose argument was not sent is left out. */
  readonly where: readonly (readonly [string, string, string])[]
  readonly order?: string
  /** Arguments without which the next one of the list is tried. */
  readonly needs: readonly string[]
  /** Arguments that stand for 1 where they are the same. */
  readonly same?: readonly [string, string]
}

export type DialectMethod = MadeByAction | FilledDocument | readonly ReadValue[]

/** How the clients of another system speak of these DocTypes: `setup/dialects/site.yaml`, known on surface A alone. */
export interface Dialect {
  /** Words of a DocType, or of rows by their DocType's name; undefined where they are those here. */
  readonly of: (name: string) => Words | undefined
  /** Dotted name → what it does. */
  readonly methods: ReadonlyMap<string, DialectMethod>
}
