import { AppError, type Detail } from '../../base/errors.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Field } from '../../fields/field.ts'
import type { DocumentInput } from '../../schema/shapes/validator.ts'
import { type Doc, rowsOf } from '../../storage/database/document.ts'
import { changedCells } from '../work/changed-cells.ts'

/**
 * Refuses with 409 what may not change once a document is submitted: all but the fields that are declared
 * `allow_on_submit`, of which one at least has to be sent. The rows of another table stay, only such columns of
 * them may change. What is sent as it is changes nothing.
 */
export function assertAllowedOnSubmit(
  { definition }: { readonly definition: DocTypeDefinition },
  before: Doc,
  after: Doc,
  { values, tables }: DocumentInput,
): void {
  const changed = changedCells(definition, before, after)
  const allowed = definition.fields.flatMap(allowedCells)
  const refused = definition.fields.flatMap((field) => refusedCells(field, changed, before, after))
  const isSent = allowed.some((cell) => {
    const [field = ''] = cell.split('.')
    return Object.hasOwn(values, field) || Object.hasOwn(tables, field)
  })
  if (refused.length === 0 && isSent) return
  const only = allowed.length === 0 ? '' : ` but ${allowed.join(', ')}`
  throw new AppError(
    'CONFLICT',
    `cannot change ${definition.label} ${JSON.stringify(before.name)}: it is submitted and nothing${only} may change; cancel and amend it`,
    {
      details: [
        { field: 'docstatus', message: 'expected 0, got 1', code: 'wrong_state' },
        ...refused.map((field): Detail => {
          return { field, message: 'cannot change after the submit', code: 'wrong_state' }
        }),
      ],
    },
  )
}

function allowedCells({ name, child, allowOnSubmit }: Field): readonly string[] {
  if (allowOnSubmit || !child) return allowOnSubmit ? [name] : []
  const columns = child.fields.filter((column) => column.allowOnSubmit)
  return columns.map((column) => `${name}.${column.name}`)
}

function refusedCells(
  { name, child, allowOnSubmit }: Field,
  changed: ReadonlySet<string>,
  before: Doc,
  after: Doc,
): readonly string[] {
  if (allowOnSubmit) return []
  if (!child) return changed.has(name) ? [name] : []
  const ids = (doc: Doc): string =>
    rowsOf(doc, name)
      .map(({ row_id }) => row_id)
      .join(' ')
  if (ids(before) !== ids(after)) return [name]
  return child.fields
    .filter((column) => !column.allowOnSubmit && changed.has(`${name}.${column.name}`))
    .map((column) => `${name}.${column.name}`)
}
