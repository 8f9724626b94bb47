import { knownTo } from '../../engine/access/known-to.ts'
import { AppError } from '../../engine/base/errors.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import type { PointingRecords, PrintDeclaration } from '../../engine/definition/model/print.ts'
import { readTitles } from '../../engine/documents/lists/titles.ts'
import { getWhole } from '../../engine/documents/operations/get.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import type { WireRecord } from '../../engine/documents/work/present.ts'
import type { Field } from '../../engine/fields/field.ts'
import { firstPointing } from '../../engine/storage/finding/first-pointing.ts'
import { docTable } from '../../engine/storage/records/tables.ts'

/** A record that is printed, or written on the paper of another one. */
export interface Printed {
  readonly definition: DocTypeDefinition
  readonly record: WireRecord
  /** Titles of what its fields link to, by field. */
  readonly titles: Readonly<Record<string, string>>
  readonly print: PrintDeclaration
}

/** A record for printing, by the rights of GET /v1/{resource}/{id}. Throws 401/403, 404. */
export async function readPrinted(
  context: Context,
  definition: DocTypeDefinition,
  id: string,
): Promise<Printed> {
  const record = await getWhole(context, definition, id)
  const [titles = {}] = await shownTitles(context, definition, [record])
  const known = knownTo(context, definition)
  return { definition: known, record, titles, print: definition.behaviour.print ?? {} }
}

/**
 * Titles of what these records, or rows, link to. Documents are called by their numbers: the title of an invoice
 * is its customer.
 */
export async function shownTitles(
  context: Context,
  definition: DocTypeDefinition,
  records: readonly WireRecord[],
): Promise<readonly Readonly<Record<string, string>>[]> {
  const { registry, database } = context.services
  const titles = await readTitles(database.read, context, definition, records)
  const isDocument = (field: Field, record: WireRecord): boolean =>
    registry.byDoctype(String(doctypeOf(field, record)))?.submittable === true
  return titles.map((found, index) => {
    const record = records[index] ?? {}
    const shown = definition.fields.filter(
      (field) => found[field.name] !== undefined && !isDocument(field, record),
    )
    return Object.fromEntries(shown.map(({ name }) => [name, found[name] ?? '']))
  })
}

/** Record that a paper names, as `readPrinted` reads it: undefined where it is not there, or not for who asks. */
export async function readNamed(
  context: Context,
  doctype: unknown,
  id: unknown,
): Promise<Printed | undefined> {
  const definition =
    typeof doctype === 'string' ? context.services.registry.byDoctype(doctype) : undefined
  if (!definition || definition.isChild || typeof id !== 'string') return undefined
  try {
    return await readPrinted(context, definition, id)
  } catch (error) {
    // A paper may name what its reader may not open; it is printed without what stands there.
    if (error instanceof AppError && REFUSALS.has(error.status)) return undefined
    throw error
  }
}

const REFUSALS: ReadonlySet<number> = new Set([402, 403, 404])

/** Record that a link or dynamic link of a record leads to; undefined as for `readNamed`. */
export function readLinked(
  context: Context,
  { definition, record }: Printed,
  name: string,
): Promise<Printed | undefined> {
  const field = context.services.registry.fieldOf(definition, name)
  return readNamed(context, field && doctypeOf(field, record), record[name])
}

/** The record that points to this one (`print.card.address`, `print.card.bank`). */
export async function readPointing(
  context: Context,
  { definition, record }: Printed,
  { from, link, unless, first }: PointingRecords,
): Promise<Printed | undefined> {
  const [doctype = '', tableName] = from.split('.')
  const { registry, database } = context.services
  const target = registry.byDoctype(doctype)
  const rows = target?.fields.find(({ name }) => name === tableName)?.child?.fields
  const field = (rows ?? target?.fields)?.find(({ name }) => name === link)
  if (!target || !field) return undefined
  const child = docTable(target).children.find((table) => table.field === tableName)?.table
  const type =
    field.linkFrom === undefined
      ? {}
      : { type: { column: field.linkFrom, doctype: definition.doctype } }
  const name = await firstPointing(
    database.read,
    {
      table: target.table,
      link,
      ...type,
      ...(child === undefined ? {} : { child }),
      ...(unless === undefined ? {} : { unless }),
      ...(first === undefined ? {} : { first }),
    },
    String(record.name),
  )
  return readNamed(context, doctype, name)
}

/** DocType that a field of this record links to. */
function doctypeOf({ link, linkFrom, linkTable }: Field, record: WireRecord): unknown {
  return linkTable === undefined ? (link ?? record[linkFrom ?? '']) : undefined
}
