import type { Field } from '../../fields/field.ts'
import { type HasFields, publicFields } from '../../fields/public-fields.ts'
import type { WireRecord } from '../work/present.ts'

/**
 * Change of one field between two states of a record, as a timeline tells it. A row that came or went is told whole, as
 * the other side of null.
 *
 *     {field: 'items.qty', label: 'Quantity', before: 2, after: 3, row: 'a1b2c3'}
 */
export interface FieldChange {
  readonly field: string
  readonly label: string
  readonly before: unknown
  readonly after: unknown
  /** `row_id` of the row that has it. */
  readonly row?: string
  /** Whether the workspace has computed it. */
  readonly computed?: true
}

/** A label in the reader's language. */
export type Label = (text: string) => string

/**
 * Everything that differs between two states of a record, of the fields that the reader may read; what was entered first,
 * what was computed after it.
 */
export function changesBetween(
  known: HasFields,
  before: WireRecord,
  after: WireRecord,
  label: Label,
): readonly FieldChange[] {
  const found = readableFields(known).flatMap((field) =>
    field.child
      ? rowChanges(field, rowsIn(before[field.name]), rowsIn(after[field.name]), label)
      : cellChange(field, before, after, label),
  )
  return [...found.filter(({ computed }) => !computed), ...found.filter(({ computed }) => computed)]
}

function readableFields(owner: HasFields): readonly Field[] {
  return publicFields(owner).filter(({ withheld }) => !withheld)
}

function cellChange(
  field: Field,
  before: WireRecord,
  after: WireRecord,
  label: Label,
  of?: { readonly table: string; readonly row: string },
): readonly FieldChange[] {
  const [was = null, is = null] = [before[field.name], after[field.name]]
  if (isSame(was, is)) return []
  const change: FieldChange = {
    field: of ? `${of.table}.${field.name}` : field.name,
    label: label(field.label),
    before: was,
    after: is,
    ...(of ? { row: of.row } : {}),
    ...(field.readOnly ? { computed: true } : {}),
  }
  return [change]
}

function rowChanges(
  table: Field,
  before: ReadonlyMap<string, WireRecord>,
  after: ReadonlyMap<string, WireRecord>,
  label: Label,
): readonly FieldChange[] {
  const fields = readableFields(table.child!)
  const computed = table.readOnly ? ({ computed: true } as const) : {}
  const whole = { field: table.name, label: label(table.label), ...computed }
  const told = (row: WireRecord): WireRecord =>
    Object.fromEntries(fields.map(({ name }) => [name, row[name] ?? null]))
  const kept = [...after].flatMap(([row, is]): readonly FieldChange[] => {
    const was = before.get(row)
    if (!was) return [{ ...whole, before: null, after: told(is), row }]
    return fields.flatMap((field) => cellChange(field, was, is, label, { table: table.name, row }))
  })
  const gone = [...before].flatMap(([row, was]): readonly FieldChange[] =>
    after.has(row) ? [] : [{ ...whole, before: told(was), after: null, row }],
  )
  return [...kept, ...gone]
}

function rowsIn(value: unknown): ReadonlyMap<string, WireRecord> {
  const rows = Array.isArray(value) ? (value as readonly WireRecord[]) : []
  return new Map(rows.map((row) => [String(row.row_id), row]))
}

function isSame(was: unknown, is: unknown): boolean {
  if (was === is) return true
  return typeof was === 'object' && typeof is === 'object'
    ? JSON.stringify(was) === JSON.stringify(is)
    : false
}
