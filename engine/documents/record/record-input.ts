import { type Detail, validationError } from '../../base/errors.ts'
import { newRowId } from '../../base/ids.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { DocumentInput } from '../../schema/shapes/validator.ts'
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
    const rows = input.tables[field.name]
    if (!field.child || !rows) continue
    const empty = Object.fromEntries(field.child.fields.map(({ name }) => [name, null]))
    doc[field.name] = rows.map((row): Row => ({ ...empty, ...row.values, row_id: newRowId() }))
  }
  return doc
}

/** The record as it will be, and what is wrong with the rows it was made of. */
interface MergedInput {
  readonly after: Doc
  readonly problems: readonly Detail[]
}

/**
 * A copy of the record with the sent fields in place. A table in the input replaces the table; a row with a known
 * `row_id` keeps what was not sent (contract §3, Values). Every row_id that is unknown or came twice is a problem.
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
    if (!rows) {
      after[field.name] = old.map((row) => ({ ...row }))
      continue
    }
    const known = new Map(old.map((row): [string, Row] => [row.row_id, row]))
    const empty = Object.fromEntries(field.child.fields.map(({ name }) => [name, null]))
    after[field.name] = rows.map((row, index): Row => {
      if (row.row_id === undefined) return { ...empty, ...row.values, row_id: newRowId() }
      const kept = known.get(row.row_id)
      if (!kept) {
        const message = `expected the row_id of a row of this ${definition.label} (each once), got ${JSON.stringify(row.row_id)}; leave it out to add a row`
        problems.push({
          field: `${field.name}[${index}].row_id`,
          message,
          code: 'not_an_option',
        })
        return { ...empty, ...row.values, row_id: row.row_id }
      }
      known.delete(row.row_id)
      return { ...kept, ...row.values }
    })
  }
  return { after, problems }
}
