import type { HasFields } from '../../fields/public-fields.ts'
import type { Db } from '../../storage/database/database.ts'
import { titlesWithin } from '../../storage/finding/limited-records.ts'
import { may, readable } from '../rights/door.ts'
import type { Context } from '../work/context.ts'
import type { WireRecord } from '../work/present.ts'

/** Adds `_titles` to each record, and to each row of the tables that it shows. */
export async function addTitles(
  context: Context,
  definition: HasFields,
  records: readonly WireRecord[],
): Promise<void> {
  const { read } = context.services.database
  const titles = await readTitles(read, context, definition, records)
  for (const { name, child } of definition.fields) {
    if (!child) continue
    const rows = records.flatMap((record) => (record[name] ?? []) as readonly WireRecord[])
    if (rows.length === 0) continue
    const ofRows = await readTitles(read, context, child, rows)
    for (const [at, row] of rows.entries()) row._titles = ofRows[at]
  }
  for (const [at, record] of records.entries()) record._titles = titles[at]
}

/** Titles of what each record links to, as `{field: title}`: one query a DocType, not a record (desk.md §0.5). */
export async function readTitles(
  db: Db,
  context: Context,
  definition: HasFields,
  records: readonly WireRecord[],
): Promise<Record<string, string>[]> {
  const links = definition.fields.filter(
    (field) => field.link !== undefined || field.linkFrom !== undefined,
  )
  const wanted = new Map<string, Set<string>>()
  const targetOf = (record: WireRecord, field: (typeof links)[number]): string | undefined => {
    const doctype = field.link ?? record[field.linkFrom ?? '']
    return typeof doctype === 'string' && field.linkTable === undefined ? doctype : undefined
  }
  for (const record of records) {
    for (const field of links) {
      const doctype = targetOf(record, field)
      const name = record[field.name]
      if (doctype === undefined || typeof name !== 'string') continue
      const names = wanted.get(doctype)
      if (names) names.add(name)
      else wanted.set(doctype, new Set([name]))
    }
  }
  const titles = new Map<string, ReadonlyMap<string, string>>()
  for (const [doctype, names] of wanted)
    titles.set(doctype, await titlesOf(db, context, doctype, [...names]))
  return records.map((record) => {
    const own: Record<string, string> = {}
    for (const field of links) {
      const title = titles.get(targetOf(record, field) ?? '')?.get(String(record[field.name]))
      if (title !== undefined) own[field.name] = title
    }
    return own
  })
}

/** Titles of the records of these names that the caller may read. */
export async function titlesOf(
  db: Db,
  context: Context,
  doctype: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const target = context.services.registry.byDoctype(doctype)
  // Titles obey the permissions of what is linked (reliability.md M3).
  if (!target || !may(context, target, 'read')) return new Map()
  return titlesWithin(db, target, names, readable(context, target))
}
