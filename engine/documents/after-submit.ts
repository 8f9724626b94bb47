import { AppError } from '../base/errors.ts'
import type { DocTypeDefinition } from '../definition/definition.ts'
import type { DocumentInput } from '../schema/validator.ts'
import { type Doc, rowsOf } from '../storage/document.ts'
import { changedCells } from './changed-cells.ts'
import type { DocTypeParts } from './context.ts'
import { assertDocstatus } from './locked.ts'

/**
 * Refuses a change of a document that is no draft, unless it is submitted and a field with `allow_on_submit` is
 * among what was sent: `assertOpen` is asked of what comes out then. Throws CONFLICT.
 */
export function assertChangeable(parts: DocTypeParts, before: Doc, input: DocumentInput): void {
  if (before.docstatus === 1 && sendsAllowed(parts.definition, input)) return
  const advice = before.docstatus === 1 ? 'cancel and amend it' : 'amend it'
  assertDocstatus(parts, before, 0, 'change', advice)
}

/** Refuses a change of a submitted document in what has no `allow_on_submit`. Throws CONFLICT naming it. */
export function assertOpen({ definition }: DocTypeParts, before: Doc, after: Doc): void {
  if (before.docstatus !== 1) return
  const closed = closedChanges(definition, before, after)
  if (closed.length === 0) return
  throw new AppError(
    'CONFLICT',
    `cannot change ${closed.join(', ')} of ${definition.label} ${JSON.stringify(before.name)}: it is submitted; cancel and amend it`,
    { details: closed.map((field) => ({ field, message: 'may not change after submit' })) },
  )
}

function sendsAllowed({ fields }: DocTypeDefinition, { values, tables }: DocumentInput): boolean {
  return fields.some(
    ({ name, allowOnSubmit, child }) =>
      (allowOnSubmit && Object.hasOwn(child ? tables : values, name)) ||
      (tables[name] !== undefined && child?.fields.some((column) => column.allowOnSubmit)),
  )
}

/** What would change and may not: fields, and columns of rows; rows that come, go or move are their table's change. */
function closedChanges(definition: DocTypeDefinition, before: Doc, after: Doc): readonly string[] {
  const changed = changedCells(definition, before, after)
  return definition.fields.flatMap(({ name, allowOnSubmit, child }) => {
    if (allowOnSubmit || !changed.has(name)) return []
    if (!child) return [name]
    const ids = (doc: Doc): string =>
      rowsOf(doc, name)
        .map(({ row_id }) => row_id)
        .join('\0')
    if (ids(before) !== ids(after)) return [name]
    return child.fields
      .filter((column) => !column.allowOnSubmit && changed.has(`${name}.${column.name}`))
      .map((column) => `${name}.${column.name}`)
  })
}
