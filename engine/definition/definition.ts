/**
 * What a DocType is once its YAML has been read: plain frozen data (it survives JSON), from which
 * tables, API, catalogue, OpenAPI, types, tools and screens are derived. Expressions are kept as their
 * source text; `engine/expression` compiles them.
 */

/** A field that fetches from the record behind a link: `customer.customer_name`. */
export interface Fetch {
  readonly link: string
  readonly field: string
  readonly when: 'always' | 'empty' | 'draft'
}

/** A value read once, under lock, from another record (rules.md §4.1). */
export interface Lookup {
  readonly from: string
  readonly match: string
  readonly value: string
  readonly at: 'create' | 'submit'
}

/** A value kept by deltas from the rows that point here (rules.md §4.2). */
export interface Rollup {
  readonly from: string
  readonly match: string
  readonly operation: 'sum' | 'min' | 'max' | 'count'
  readonly value?: string
  readonly where?: string
}

export interface Field {
  readonly name: string
  /** One of contract §1, e.g. `currency`; the registry in `engine/fields` knows what it means. */
  readonly type: string
  readonly label: string
  readonly description?: string
  readonly required: boolean
  readonly unique: boolean
  readonly filterable: boolean
  readonly createOnly: boolean
  /** Clients may not set it: declared so, or computed (formula, rollup, lookup, derived status). */
  readonly readOnly: boolean
  readonly hidden: boolean
  /** May be changed on a submitted document. */
  readonly allowOnSubmit: boolean
  /** Not copied by amend and duplicate. */
  readonly noCopy: boolean
  /** Values of a select. */
  readonly options?: readonly string[]
  /** DocType a link points to; for a row link `Sales Order.items`, the part before the dot. */
  readonly link?: string
  /** Child table of a row link: `items` in `Sales Order.items`. */
  readonly linkTable?: string
  /** Dynamic link: the field that names the DocType. */
  readonly linkFrom?: string
  /** Table: the rows' definition. */
  readonly child?: ChildDefinition
  readonly min?: number
  readonly max?: number
  /** Longest text, in characters. */
  readonly length?: number
  /** Decimal places kept, where the type has them. */
  readonly scale?: number
  readonly pattern?: string
  /** Currency field: the sibling (or parent) field that names the currency. */
  readonly currencyField?: string
  /** Expression, evaluated on create when the client sent nothing. */
  readonly default?: string
  /** The literal that `default` is, where it is one: known at load, needs no expression engine. */
  readonly defaultValue?: string | number | boolean
  readonly formula?: string
  readonly fetch?: Fetch
  readonly lookup?: Lookup
  readonly rollup?: Rollup
  readonly requiredWhen?: string
  readonly visibleWhen?: string
  readonly renamedFrom?: string
  readonly section?: string
  readonly inList: boolean
  readonly width?: number
  readonly placeholder?: string
}

/** The rows of a table field. `name` is the child DocType's own name, e.g. `Sales Order Item`. */
export interface ChildDefinition {
  readonly name: string
  readonly fields: readonly Field[]
  readonly minRows: number
  readonly maxRows: number
}

/** How a record gets its `name` (rules.md §4.1, catalog). */
export type Naming =
  | { readonly kind: 'series'; readonly pattern: string }
  | { readonly kind: 'format'; readonly pattern: string }
  | { readonly kind: 'field'; readonly field: string }
  | { readonly kind: 'prompt' }
  | { readonly kind: 'autoincrement' }
  | { readonly kind: 'uuid' }

export interface DocTypeDefinition {
  readonly doctype: string
  readonly slug: string
  readonly aliases: readonly string[]
  readonly table: string
  readonly label: string
  readonly labelPlural: string
  readonly description?: string
  readonly module: string
  readonly tier: string
  readonly submittable: boolean
  /** A child DocType (`child: true`) has no table, slug or endpoint of its own; tables name it by `options:`. */
  readonly isChild: boolean
  readonly naming: Naming
  /** Field whose value is the record's name (`item_code`), else `name`. */
  readonly idField: string
  readonly titleField: string
  readonly searchFields: readonly string[]
  readonly listFields: readonly string[]
  readonly icon?: string
  readonly fields: readonly Field[]
  /** Behaviour of part 2, as written; validated by its shape here and compiled by `engine/rules`. */
  readonly behaviour: Behaviour
  /** Checksum of the YAML text, to key caches. */
  readonly checksum: string
  /** The YAML files it came from, first the base, then what extends it. */
  readonly files: readonly string[]
}

/** Keys of rules.md §4.1 that the engine compiles later; plain data. */
export interface Behaviour {
  readonly status?: StatusDeclaration
  readonly validate?: readonly ValidationDeclaration[]
  readonly effects?: { readonly submit?: readonly unknown[] }
  readonly actions?: Readonly<Record<string, unknown>>
  readonly events?: Readonly<Record<string, unknown>>
  readonly permissions?: Readonly<Record<string, unknown>>
  readonly invariants?: readonly unknown[]
  readonly ledger?: Readonly<Record<string, readonly string[]>>
  readonly views?: Readonly<Record<string, unknown>>
  readonly upsertFrom?: string
}

export interface StatusDeclaration {
  readonly field: string
  readonly initial?: string
  readonly derive?: Readonly<Record<string, string>>
  readonly flow?: Readonly<Record<string, readonly string[]>>
  readonly tick?: Readonly<Record<string, string>>
}

export interface ValidationDeclaration {
  readonly check: string
  readonly field: string
  readonly message: string
  readonly on?: readonly ('create' | 'submit')[]
}
