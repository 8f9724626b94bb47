import { can, canSee } from '../../access/can.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Db } from '../../storage/database/database.ts'
import { nameKey } from '../record/outgoing-links.ts'
import type { Context } from '../work/context.ts'
import type { Work } from '../work/work.ts'
import { linkCondition } from './followed.ts'

/** A record by its DocType and name, or a row of one. */
interface Named {
  readonly doctype: string
  readonly name: string
  /** Table that it is a row of, instead of a record. */
  readonly table?: string | undefined
  /** True where who names it has to be able to read it (`permissions.follows`). */
  readonly isFollowed?: boolean
}

const NONE: ReadonlySet<string> = new Set()

/**
 * Names, as `nameKey` has them, that the caller gives and may not read: for them these records are not there, or a
 * fetch would show them (reliability.md M3). Names that the workspace itself gives are not asked about.
 */
export function hiddenTargets(
  { tx, context, depth }: Work,
  links: readonly Named[],
): Promise<ReadonlySet<string>> | ReadonlySet<string> {
  return depth > 0 || links.length === 0 ? NONE : outsideRows(tx, context, links)
}

/** Records, of those given, that an answer may name to the caller, whatever the workspace has paid for. */
export async function nameable<Record extends Named>(
  { tx, context }: Work,
  records: readonly Record[],
): Promise<readonly Record[]> {
  const { registry } = context.services
  const seen = records.filter(({ doctype }) => {
    const definition = registry.byDoctype(doctype)
    return definition !== undefined && canSee(context, definition)
  })
  const outside = await outsideRows(tx, context, seen)
  return seen.filter((record) => !outside.has(nameKey(record)))
}

/** Names, as `nameKey` has them, of records and rows that are not among those the caller is limited to. */
async function outsideRows(
  tx: Db,
  context: Context,
  records: readonly Named[],
): Promise<ReadonlySet<string>> {
  const { registry } = context.services
  const outside = new Set<string>()
  for (const record of records) {
    const definition = registry.byDoctype(record.doctype)
    if (record.isFollowed && definition && !can(context, definition, 'read'))
      outside.add(nameKey(record))
  }
  for (const named of Map.groupBy(records, kindKey).values()) {
    const { doctype, table } = named[0]!
    const definition = registry.byDoctype(doctype)
    const limit = definition && linkCondition(context, definition)
    if (!definition || !limit) continue
    const names = [...new Set(named.map(({ name }) => name))]
    const readable = await readableNames(tx, definition, table, names, limit)
    for (const name of names)
      if (!readable.has(name)) outside.add(nameKey({ doctype, table, name }))
  }
  return outside
}

function kindKey({ doctype, table }: Named): string {
  return `${doctype}\0${table ?? ''}`
}

async function readableNames(
  tx: Db,
  { table: records }: DocTypeDefinition,
  table: string | undefined,
  names: readonly string[],
  limit: NonNullable<ReturnType<typeof linkCondition>>,
): Promise<ReadonlySet<unknown>> {
  if (table === undefined) {
    const within = tx.selectFrom(records).select('name').where('name', 'in', names).where(limit)
    return new Set((await within.execute()).map(({ name }) => name))
  }
  const within = tx
    .selectFrom(`${records}__${table} as r`)
    .select('r.row_id')
    .where('r.row_id', 'in', names)
    .where('r.parent', 'in', tx.selectFrom(records).select('rid').where(limit))
  return new Set((await within.execute()).map(({ row_id }) => row_id))
}
