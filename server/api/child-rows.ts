import { AppError } from '../../engine/base/errors.ts'
import { isObject } from '../../engine/base/json-text.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { getDocument } from '../../engine/documents/operations/get.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import type { ChildDefinition } from '../../engine/fields/field.ts'
import { publicFields } from '../../engine/fields/public-fields.ts'
import type { ApiResponse } from '../http/request-state.ts'
import { recordDoctype, recordName } from './call.ts'
import { FrappeError } from './frappe-error.ts'
import { listRecords } from './lists/list.ts'
import { saveDocument } from './save.ts'
import { shownFor } from './shown-record.ts'

type Body = Readonly<Record<string, unknown>>

/**
 * Rows are part of their document: changing one saves the document (erp-semantics.md §1.2, set_value). Throws
 * 404 for a row that no document has which the caller may read, and what saving throws.
 */
export async function changeRow(
  context: Context,
  rows: ChildDefinition,
  name: unknown,
  values: Body,
): Promise<unknown> {
  const row = recordName({ doctype: rows.name }, name)
  const { parent, id } = await ownerOf(context, rows, row)
  return saveRows(context, parent, id, rows, (all) =>
    all.map((one) => (one.name === row ? { ...values, name: row } : { name: one.name })),
  )
}

/** Adds a row to the document that `parenttype` and `parent` name. */
export async function appendRow(
  context: Context,
  response: ApiResponse,
  rows: ChildDefinition,
  { parenttype, parent: id, ...values }: Body,
): Promise<unknown> {
  const parent = recordDoctype(context, response, parenttype)
  const { name: _, ...row } = values
  return saveRows(context, parent, recordName(parent, id), rows, (all) => [
    ...all.map(({ name }) => ({ name })),
    row,
  ])
}

async function saveRows(
  context: Context,
  parent: DocTypeDefinition,
  id: string,
  { name: doctype }: ChildDefinition,
  change: (rows: readonly Body[]) => readonly Body[],
): Promise<unknown> {
  const table = publicFields(parent).find(({ child }) => child?.name === doctype)
  if (!table)
    throw new FrappeError('ValidationError', `${parent.doctype} has no rows of ${doctype}`)
  const current = await getDocument(context, parent, id)
  const rows = shownFor(context, parent, current.record)[table.name] as readonly Body[]
  const locked = { ...context, ifMatch: [current.etag] }
  const { record } = await saveDocument(locked, parent, id, { [table.name]: change(rows) })
  return shownFor(context, parent, record)
}

interface Owner {
  readonly parent: DocTypeDefinition
  readonly id: string
}

async function ownerOf(context: Context, rows: ChildDefinition, row: string): Promise<Owner> {
  for (const parent of context.services.knownRegistry(context).parentsOf(rows.name)) {
    const [found] = await readableRows(context, rows, parent, row)
    if (isObject(found)) return { parent, id: String(found.parent) }
  }
  throw new AppError('NOT_FOUND', `${rows.name} ${row} not found`)
}

/** Rows of that name with their parents; none where the caller may not read the documents: another kind may have it. */
async function readableRows(
  context: Context,
  rows: ChildDefinition,
  parent: DocTypeDefinition,
  row: string,
): Promise<readonly unknown[]> {
  try {
    return await listRecords(context, rows, {
      parent: parent.doctype,
      filters: { name: row },
      fields: ['name', 'parent'],
      limit_page_length: 1,
    })
  } catch (error) {
    if (error instanceof AppError && error.code === 'FORBIDDEN') return []
    throw error
  }
}
