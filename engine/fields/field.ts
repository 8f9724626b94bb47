/** A field that fetches from the record behind a link: `customer.customer_name`. */
export interface Fetch {
  readonly link: string
  readonly field: string
  readonly when: 'always' | 'empty' | 'draft'
  /** Of a table: column there → column of the copied row, in place of the one of its name. */
  readonly as?: Readonly<Record<string, string>>
  /** Moment of a column that the loader has made behind a find: that of the find, in place of `when`. */
  readonly at?: Lookup['at']
  /** That find. */
  readonly find?: string
}

/**
 * Record that expressions look into by a name, `bin.actual_qty`: the one whose name is `match`, that whose fields have
 * the values of `equals`, or the first for which `where` holds, the one with the highest `latest` before others. The
 * loader keeps what is read of it in made columns.
 *
 *     bin: {from: Bin, match: {item_code: item_code, warehouse: warehouse}, at: submit}
 */
export interface Find {
  readonly name: string
  /** DocType, or Doctype.table for rows. */
  readonly from: string
  readonly match?: string
  /** Field of the record → expression of its value; one that is an empty text finds nothing. */
  readonly equals?: Readonly<Record<string, string>>
  /** A condition, or conditions that must all hold. */
  readonly where?: string | readonly string[]
  readonly latest?: string
  /** Place of a ledger that looks back: what it has summed up behind it is left out. */
  readonly as_of?: string
  readonly at: Lookup['at']
  /** Condition under which a draft's record is searched anew. */
  readonly renew?: string
}

/**
 * Origin of a column that the loader has made for expressions that look through a link or into a find:
 * `{ path: 'item_code.is_stock_item', of: 'item_code', field: 'is_stock_item' }`.
 */
export interface Made {
  /** What it stands for, as expressions beside it say it. */
  readonly path: string
  /** Link, find or made column before the last dot of the path; `sold.document` for the record of a found row. */
  readonly of: string
  readonly field: string
  /** DocType whose records its text names, where it follows a link. */
  readonly names?: string
  /** Name that callers may not hear, where the path has one: that of the find, or of an internal field. */
  readonly untold?: string
  /** Places of the expressions that read it: `fields.items.fields.amount.formula`. */
  readonly by: readonly string[]
}

/**
 * A value read from other records at a point in time (rules.md §4.1): from the one whose name is `match`, under lock;
 * or from the first for which `where` holds, the one with the highest `latest` before others; or, with `operation`,
 * from all for which it holds.
 *
 *     lookup: {from: Bin, match: bin, value: actual_qty, at: submit}
 *     lookup: {from: Bin, where: item_code == this.item_code, sum: actual_qty}
 *     lookup: {from: Item Price, where: [buying, item_code == this.item_code], latest: valid_from, value: price * this.factor}
 */
export interface Lookup {
  /** DocType, or Doctype.table for rows; undefined for the record that the link `match` names. */
  readonly from?: string
  readonly match?: string
  /** Of a find: field of the record → expression of its value. */
  readonly equals?: Find['equals']
  /** Condition, or conditions that must all hold. */
  readonly where?: string | readonly string[]
  /** Field of what is found, or an expression over it. */
  readonly latest?: string
  /** Find that the column was made for: its columns share one query. */
  readonly find?: string
  readonly operation?: Rollup['operation']
  /**
   * Field of the record, or with `where` an expression over it; with `operation` the expression of what is added up,
   * none for `count`.
   */
  readonly value?: string
  /**
   * Moment it is taken at. `create`: when the document or row is new; `draft`: on every write until submit; `submit`:
   * then only; `always`: on every write but the cancel.
   */
  readonly at: 'create' | 'draft' | 'submit' | 'always'
  /** `empty`: only while nobody set a value. */
  readonly when: 'always' | 'empty'
}

/** Records that a hook is given as rows: those that meet a condition, the oldest or the highest `latest` first. */
export interface SearchInput {
  readonly from: string
  readonly where: string
  readonly latest?: string
  readonly limit?: number
}

/**
 * A value, or the rows of a table, that a hook gives (`hooks/`): code for what no expression should say.
 *
 *     call: {hook: plan_parts, with: {items: items}}
 */
export interface HookCall {
  readonly hook: string
  /** The output that is the field's value; a table takes all that its columns are named after. */
  readonly value?: string
  /** Input of the hook → expression, the name of a table of the document, or records that a condition finds. */
  readonly with: Readonly<Record<string, string | SearchInput>>
  /** Condition under which it is called; else there is no value, and there are no rows. */
  readonly if?: string
  /** Moment, as of a lookup; `always`: on every write but a cancel. */
  readonly at: 'create' | 'draft' | 'submit' | 'always'
  /** `empty`: only while nobody set a value or a row. */
  readonly when: 'always' | 'empty'
}

/**
 * Rows of a table that are made from those of another table of the record: one for each that meets the condition, or,
 * with `within`, for each row of a table of the record that a link of it names.
 *
 *     rows: {each: items, as: i, if: i.qty > 0, set: {item_code: i.item_code, qty: i.qty}}
 *     rows: {each: items, as: i, within: {each: kit.parts, as: p}, set: {part: p.part, qty: p.qty * i.qty}}
 *
 * A list of these is one behind the other.
 */
export interface MadeRows {
  /** Place in the list, where it stands in one. */
  readonly at?: number
  readonly each: string
  readonly as: string
  /** Link of the row, a dot, and a table of the record behind it. */
  readonly within?: { readonly each: string; readonly as: string }
  readonly if?: string
  readonly set: Readonly<Record<string, string>>
}

/**
 * A value kept by deltas from the rows that point here (rules.md §4.2).
 *
 *     rollup: {from: Delivery Note.items, match: so_detail, sum: qty, where: parent.docstatus == 1}
 */
export interface Rollup {
  readonly from: string
  readonly match: string
  readonly operation: 'sum' | 'min' | 'max' | 'count'
  readonly value?: string
  readonly where?: string
}

/**
 * What a new row that names a row of an earlier document takes over unless it says otherwise: what an action of that
 * document would have made it, and the head and other tables besides where it is the first of a new record.
 *
 *     so_detail: {type: link, options: Sales Order.items, takes: {action: make_invoice, same: [item_code, uom]}}
 */
export interface Takes {
  readonly action: string
  /** Columns, and fields of the document as `parent.x`: where one is sent with another value, nothing is taken. */
  readonly same: readonly string[]
}

/**
 * Rows that a table adds to itself while the record is a draft: one for each of its rows in which `when` is above 0, or true.
 *
 *     items: {type: table, adds: {mark: free_for, when: free_qty, set: {item_code: free_item, qty: free_qty}}}
 */
export interface Adds {
  /** Text column with the row_id of the row that one is added for; empty in all others. */
  readonly mark: string
  readonly when: string
  /** Column of the added row → column of the row it is added for. */
  readonly set: Readonly<Record<string, string>>
}

/** Roles that a field is kept for: those that alone read it, and those that alone set it. */
export interface FieldRights {
  readonly read?: readonly string[]
  readonly write?: readonly string[]
}

export interface Field {
  readonly name: string
  /** Name of a field type (contract §1), e.g. `currency`; the registry in `engine/fields` knows what it means. */
  readonly type: string
  readonly label: string
  readonly description?: string
  readonly required: boolean
  readonly unique: boolean
  readonly filterable: boolean
  readonly createOnly: boolean
  /** Whether clients may not set it: declared so, or computed (formula, rollup, lookup, call, derived status). */
  readonly readOnly: boolean
  /** Whether forms leave it out; for everybody else it is a field like others. */
  readonly hidden: boolean
  /** Whether only the workspace itself knows it: stored and computed, and in no API (`public-fields.ts`). */
  readonly internal: boolean
  /** Roles it is kept for (`permissions.fields`); everybody without. */
  readonly rights?: FieldRights
  /** Whether it is internal for who asks alone: they may not read it (`access/known-fields.ts`). */
  readonly withheld?: true
  /** Roles that may set it, where it is read-only for who asks alone. */
  readonly closedTo?: readonly string[]
  /** Of a column that the loader has made: what for. */
  readonly made?: Made
  /** Of a rollup over one of several DocTypes that declare the same: the field that adds them up, and is declared. */
  readonly partOf?: string
  /** Whether it may be changed on a submitted document. */
  readonly allowOnSubmit: boolean
  /** Whether amend and duplicate leave it out. */
  readonly noCopy: boolean
  /** Values of a select. */
  readonly options?: readonly string[]
  /** DocType a link points to; for a row link `Tool Kit.items`, the part before the dot. */
  readonly link?: string
  /** Child table of a row link: `items` in `Tool Kit.items`. */
  readonly linkTable?: string
  /** Row link: what a row that names a row takes from the document of that. */
  readonly takes?: Takes
  /** Link to records of the same DocType: following it never leads back to where one began. */
  readonly acyclic?: boolean
  /** Link: a submitted document may name a draft. */
  readonly drafts?: boolean
  /** Dynamic link: the field that names the DocType. */
  readonly linkFrom?: string
  /** Table: rows that it adds to itself. */
  readonly adds?: Adds
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
  /** Link: condition on records of its DocType; the oldest that meets it is used on create, after `default`. */
  readonly defaultFrom?: string
  /** Null that was sent for a new record is a value: nothing is proposed in its place. */
  readonly keepsEmpty?: boolean
  /** Condition under which a draft's value is taken anew, as if none had been sent. */
  readonly renew?: string
  readonly formula?: string
  readonly fetch?: Fetch
  readonly lookup?: Lookup
  readonly call?: HookCall
  readonly rows?: readonly MadeRows[]
  readonly rollup?: Rollup
  readonly requiredWhen?: string
  readonly visibleWhen?: string
  readonly renamedFrom?: string
  readonly section?: string
  readonly placeholder?: string
}

/** The rows of a table field. `name` is the child DocType's own name, e.g. `Tool Kit Item`. */
export interface ChildDefinition {
  readonly name: string
  readonly fields: readonly Field[]
  /** Records that expressions of the rows look into. */
  readonly finds?: readonly Find[]
  readonly minRows: number
  readonly maxRows: number
}
