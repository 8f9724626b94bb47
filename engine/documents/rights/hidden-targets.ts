import { can, canSee } from '../../access/can.ts'
import type { Db } from '../../storage/database/database.ts'
import { namesWithin, rowsWithin } from '../../storage/finding/limited-records.ts'
import { nameKey } from '../record/outgoing-links.ts'
import type { Context } from '../work/context.ts'
import type { Work } from '../work/work.ts'
import { linkCondition } from './followed.ts'

/** A record by its DocType and name, or a row of one. */
interface Named {
  readonly doctype: string
  readonly name: string
  /** The table that it is a row of, instead of a record. */
  readonly table?: string | undefined
  /** Who names it there has to be able to read it (`permissions.follows`). */
  readonly isFollowed?: boolean
}

const NONE: ReadonlySet<string> = new Set()

/**
 * What the caller names and may not read, as `nameKey` says it: for them it is not there, or a fetch would show
 * it to them (reliability.md M3). What the workspace itself names is not asked.
 */
export function hiddenTargets(
  { tx, context, depth }: Work,
  links: readonly Named[],
): Promise<ReadonlySet<string>> | ReadonlySet<string> {
  return depth > 0 || links.length === 0 ? NONE : outsideRows(tx, context, links)
}

/** Those of the records that an answer may name to the caller, whatever the workspace has paid for. */
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

/** Those of the records and rows that are not among, or in, the ones the caller is limited to; as `nameKey`. */
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
    const readable =
      table === undefined
        ? await namesWithin(tx, definition, names, limit)
        : await rowsWithin(tx, definition, table, names, limit)
    for (const name of names)
      if (!readable.has(name)) outside.add(nameKey({ doctype, table, name }))
  }
  return outside
}

function kindKey({ doctype, table }: Named): string {
  return `${doctype}\0${table ?? ''}`
}
