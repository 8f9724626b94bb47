import { DECIMAL_SCALE, type Kind, MONEY_SCALE } from './types.ts'

/** One field an expression may name, as the caller describes it; `rows` are the fields of a table's rows. */
export interface ScopeField {
  readonly name: string
  readonly kind: Kind
  /** Decimal places; default 4 for money, 6 for decimal. */
  readonly scale?: number
  /** Values that a text can have, beside nothing. */
  readonly values?: readonly string[] | undefined
  readonly rows?: readonly ScopeField[] | undefined
  /** Most rows the table may have; default 500 (rules.md §2). */
  readonly maxRows?: number | undefined
  /** Fields of the record that a link names, or that was found; read when an expression looks there. */
  readonly target?: (() => Fields) | undefined
  /** Of a column that keeps a field of such a record: the field before its last dot, and that field. */
  readonly keeps?:
    | { readonly of: string; readonly field: string; readonly path: string }
    | undefined
}

/** Record behind a field: what a link names, or a find finds. */
export interface Behind {
  readonly target: () => Fields
  /** Field of the record → the column beside that keeps its value. */
  readonly kept: ReadonlyMap<string, KnownField>
}

/** A field as the checker sees it. */
export interface KnownField {
  readonly name: string
  /** Name as expressions say it: `item_code.is_stock_item` of a column that keeps one. */
  readonly told: string
  readonly kind: Kind
  readonly scale: number
  readonly values: readonly string[] | undefined
  readonly rows: Fields | undefined
  readonly maxRows: number
  readonly behind: Behind | undefined
}

export type Fields = ReadonlyMap<string, KnownField>

/** Names that an expression may use. */
export interface Scope {
  /** Bare names: the fields of the document, or of the row when the scope is a row's. */
  readonly fields: Fields
  /** Names followed by a dot: `parent`, `old`, `input`, `user` and those bound by the caller. */
  readonly records: ReadonlyMap<string, Fields>
  /** Times one document evaluates the expression at most: 1, or the rows of the table. */
  readonly repeat: number
  /** Records that links lead to, as they are now: what is behind their links is read from there, not from what is kept. */
  readonly links?: ReadonlySet<string>
  /** Records behind whose links nothing is known: what a caller sent, what a condition searches. `doc` is the own one. */
  readonly bare?: ReadonlySet<string>
  /** Table, in the scope of its row. */
  readonly table?: string
  /**
   * Scopes with other kinds for fields whose own is not known, since what makes them is a mistake reported elsewhere:
   * an expression that is right in one of these is no mistake.
   */
  readonly guesses?: readonly Scope[]
}

/** Rows a table may have unless its definition says otherwise. */
const DEFAULT_MAX_ROWS = 500

/** Fields every document has by itself. */
const DOCUMENT_FIELDS: readonly ScopeField[] = [
  { name: 'id', kind: 'str' },
  { name: 'name', kind: 'str' },
  { name: 'docstatus', kind: 'int' },
  { name: 'created', kind: 'datetime' },
  { name: 'modified', kind: 'datetime' },
  { name: 'owner', kind: 'str' },
  { name: 'modified_by', kind: 'str' },
  { name: 'amended_from', kind: 'str' },
]

/** Fields every child row has by itself. */
const ROW_FIELDS: readonly ScopeField[] = [
  { name: 'row_id', kind: 'str' },
  { name: 'idx', kind: 'int' },
]

/** Fields of `user`. */
const USER_FIELDS: readonly ScopeField[] = [
  { name: 'email', kind: 'str' },
  { name: 'name', kind: 'str' },
]

/**
 * Whether a name can be read from a document: an identifier that no plain object inherits, so that a
 * field can never reach `constructor` or `__proto__`.
 */
export function isFieldName(name: string): boolean {
  return (
    /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !(name in Object.prototype) && name !== 'prototype'
  )
}

/** Reads field descriptions into a map. Throws TypeError on a name that no expression may use. */
export function fieldsOf(fields: readonly ScopeField[]): Fields {
  const known = new Map<string, KnownField>()
  const kept = new Map<string, Map<string, KnownField>>()
  const keptOf = (of: string): Map<string, KnownField> => {
    const columns = kept.get(of) ?? new Map<string, KnownField>()
    kept.set(of, columns)
    return columns
  }
  for (const field of fields) {
    if (!isFieldName(field.name)) {
      throw new TypeError(
        `${JSON.stringify(field.name)} cannot be the name of a field in an expression`,
      )
    }
    const { target, keeps } = field
    const one: KnownField = {
      name: field.name,
      told: keeps?.path ?? field.name,
      kind: field.kind,
      scale: scaleOf(field),
      values: field.values,
      rows: field.kind === 'rows' ? fieldsOf([...ROW_FIELDS, ...(field.rows ?? [])]) : undefined,
      maxRows: field.maxRows ?? DEFAULT_MAX_ROWS,
      behind: target && { target, kept: keptOf(field.name) },
    }
    // What keeps the field of another record is read by its path alone.
    if (keeps) keptOf(keeps.of).set(keeps.field, one)
    else known.set(field.name, one)
  }
  return known
}

function scaleOf(field: ScopeField): number {
  if (field.kind === 'money') return field.scale ?? MONEY_SCALE
  return field.kind === 'decimal' ? (field.scale ?? DECIMAL_SCALE) : 0
}

/** Scope of a document's own expressions: its fields, `old.x`, `changed(x)` and `user.x`. */
export function documentScope(fields: readonly ScopeField[]): Scope {
  const own = fieldsOf([...DOCUMENT_FIELDS, ...fields])
  const records = new Map([
    ['old', own],
    ['user', fieldsOf(USER_FIELDS)],
  ])
  return { fields: own, records, repeat: 1 }
}

/** Name by which a row reads the document it belongs to as that was before the change: `old_parent.customer`. */
export const OLD_PARENT = 'old_parent'

/**
 * Scope inside one row of a table of the document: the row's fields bare, the document as `parent.x`, the row and
 * the document before the change as `old.x` and `old_parent.x`. Throws TypeError when the document has no such table.
 */
export function rowScope(document: Scope, table: string): Scope {
  const field = document.fields.get(table)
  if (!field?.rows) throw new TypeError(`${JSON.stringify(table)} is not a table of this document`)
  const records = new Map(document.records)
  records.set('old', field.rows)
  records.set('parent', document.fields)
  records.set(OLD_PARENT, document.fields)
  return { fields: field.rows, records, repeat: field.maxRows, table }
}

/** The scope with one more record, e.g. `input` of an action or the row variable of `each: items, as: i`. */
export function withRecord(scope: Scope, name: string, fields: Fields): Scope {
  if (!isFieldName(name))
    throw new TypeError(`${JSON.stringify(name)} cannot be a name in an expression`)
  const records = new Map(scope.records).set(name, fields)
  // It hides a link of that name.
  const shown = scope.links?.has(name) ? { ...scope, links: without(scope.links, name) } : scope
  if (!scope.guesses) return { ...shown, records }
  const guesses = scope.guesses.map((guess) => withRecord(guess, name, fields))
  return { ...shown, records, guesses }
}

function without(names: ReadonlySet<string>, name: string): ReadonlySet<string> {
  const others = new Set(names)
  others.delete(name)
  return others
}
