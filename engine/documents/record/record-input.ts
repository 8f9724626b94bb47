import { type Detail, validationError } from '../../base/errors.ts'
import { newRowId } from '../../base/ids.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Field } from '../../fields/field.ts'
import { NO_ROW } from '../../schema/shapes/row-changes.ts'
import type { DocumentInput, RowInput } from '../../schema/shapes/validator.ts'
import { type Doc, type Row, rowsOf } from '../../storage/database/document.ts'

/** Refuses fields where what is done takes none, with 422. */
export function assertNoFields(sent: unknown): void {
  if (typeof sent !== 'object' || sent === null) return
  const details = Object.keys(sent).map((field) => ({
    field,
    message: 'this request takes no fields',
    code: 'unknown_field' as const,
  }))
  if (details.length > 0) throw validationError(details)
}

/** Fills an empty record with what the client sent. */
export function docFromInput(doc: Doc, definition: DocTypeDefinition, input: DocumentInput): Doc {
  Object.assign(doc, input.values)
  for (const field of definition.fields) {
    const rows = field.child && input.tables[field.name]
    if (!field.child || !rows) continue
    const empty = Object.fromEntries(field.child.fields.map(({ name }) => [name, null]))
    doc[field.name] = rows.map((row): Row => ({ ...empty, ...row.values, row_id: newRowId() }))
  }
  return doc
}

/** Fields with `keeps_empty` that are named and empty: nothing is proposed for them. */
export function leftEmpty(
  { fields }: DocTypeDefinition,
  values: Readonly<Record<string, unknown>>,
): ReadonlySet<string> {
  const kept = fields.filter(
    ({ keepsEmpty, name }) => keepsEmpty && Object.hasOwn(values, name) && values[name] === null,
  )
  return new Set(kept.map(({ name }) => name))
}

/** The record as it will be, and what is wrong with the rows it was made of. */
interface MergedInput {
  readonly after: Doc
  readonly problems: readonly Detail[]
}

/**
 * A copy of the record with the sent fields in place. A table in the input replaces the table, or changes, adds and
 * removes rows of it; a row with a known `row_id` keeps what was not sent (contract §3, Values). Every row_id that is
 * unknown or came twice is a problem.
 */
export function mergeInput(
  definition: DocTypeDefinition,
  before: Doc,
  input: DocumentInput,
): MergedInput {
  const after: Doc = { ...before, ...input.values }
  const problems: Detail[] = []
  for (const field of definition.fields) {
    if (!field.child) continue
    const rows = input.tables[field.name]
    const old = rowsOf(before, field.name)
    const removed = input.removed[field.name]
    if (!rows) {
      after[field.name] = old.map((row) => ({ ...row }))
      continue
    }
    const merging: Merging = { label: definition.label, field, rows, old, problems }
    after[field.name] = removed ? changedRows(merging, removed) : replacedRows(merging)
  }
  return { after, problems }
}

interface Merging {
  readonly label: string
  readonly field: Field
  readonly rows: readonly RowInput[]
  readonly old: readonly Row[]
  readonly problems: Detail[]
}

/** The rows that were sent, each with what it had before. */
function replacedRows({ label, field, rows, old, problems }: Merging): Row[] {
  const known = new Map(old.map((row): [string, Row] => [row.row_id, row]))
  const empty = emptyRow(field)
  return rows.map((row, index): Row => {
    if (row.row_id === undefined) return { ...empty, ...row.values, row_id: newRowId() }
    const kept = known.get(row.row_id)
    if (!kept) {
      problems.push(unknownRow(`${field.name}[${index}].row_id`, label, row.row_id, ADDED_WITHOUT))
      return { ...empty, ...row.values, row_id: row.row_id }
    }
    known.delete(row.row_id)
    return { ...kept, ...row.values }
  })
}

/** The rows there are, changed and removed where the input says so, and then those it adds. */
function changedRows(
  { label, field, rows, old, problems }: Merging,
  removed: readonly string[],
): Row[] {
  const known = new Map(old.map((row): [string, Row] => [row.row_id, { ...row }]))
  const left = new Set(known.keys())
  for (const [index, id] of removed.entries())
    if (!left.delete(id)) problems.push(unknownRow(`${field.name}.remove[${index}]`, label, id))
  const updates = rows.filter(({ row_id }) => row_id !== undefined)
  for (const [index, { row_id = '', values }] of updates.entries()) {
    if (row_id === NO_ROW) continue
    if (left.delete(row_id)) Object.assign(known.get(row_id)!, values)
    else problems.push(unknownRow(`${field.name}.update[${index}].row_id`, label, row_id))
  }
  for (const id of removed) known.delete(id)
  const empty = emptyRow(field)
  const added = rows
    .filter(({ row_id }) => row_id === undefined)
    .map(({ values }): Row => ({ ...empty, ...values, row_id: newRowId() }))
  const after = [...known.values(), ...added]
  problems.push(...wrongNumber(field, after.length))
  return after
}

const emptyRow = (field: Field): Record<string, null> =>
  Object.fromEntries(field.child!.fields.map(({ name }) => [name, null]))

const ADDED_WITHOUT = '; leave it out to add a row'

/** Problem of a row_id that names no row, or one that is named already. */
export function unknownRow(field: string, label: string, id: string, hint = ''): Detail {
  const message = `expected the row_id of a row of this ${label} (each once), got ${JSON.stringify(id)}${hint}`
  return { field, message, code: 'not_an_option' }
}

/** Problem of a table that its changes leave too few or too many rows. */
function wrongNumber({ name, child }: Field, count: number): readonly Detail[] {
  const { minRows, maxRows } = child!
  if (count >= minRows && count <= maxRows) return []
  const bound = count < minRows ? `at least ${minRows}` : `at most ${maxRows}`
  const message = `expected ${bound} ${count < minRows && minRows === 1 ? 'row' : 'rows'}, the changes leave ${count}`
  return [{ field: name, message, code: 'out_of_range' }]
}
