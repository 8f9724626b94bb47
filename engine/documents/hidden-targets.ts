import { can, canSee } from '../access/can.ts'
import type { Db } from '../storage/database.ts'
import type { Context } from './context.ts'
import { linkCondition } from './followed.ts'
import type { Work } from './work.ts'

/** A record by its DocType and name. */
interface Named {
  readonly doctype: string
  readonly name: string
  /** Who names it there has to be able to read it (`permissions.follows`). */
  readonly isFollowed?: boolean
}

const NONE: ReadonlySet<string> = new Set()

/**
 * What the caller names and may not read, as `DocType\0name`: for them it is not there, or a fetch would show
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
  return seen.filter(({ doctype, name }) => !outside.has(`${doctype}\0${name}`))
}

/** Those of the records that are not among the ones the caller is limited to, as `DocType\0name`. */
async function outsideRows(
  tx: Db,
  context: Context,
  records: readonly Named[],
): Promise<ReadonlySet<string>> {
  const { registry } = context.services
  const outside = new Set<string>()
  for (const { doctype, name, isFollowed } of records) {
    const definition = registry.byDoctype(doctype)
    if (isFollowed && definition && !can(context, definition, 'read'))
      outside.add(`${doctype}\0${name}`)
  }
  for (const [doctype, named] of Map.groupBy(records, (record) => record.doctype)) {
    const definition = registry.byDoctype(doctype)
    const limit = definition && linkCondition(context, definition)
    if (!definition || !limit) continue
    const names = [...new Set(named.map(({ name }) => name))]
    const rows = await tx
      .selectFrom(definition.table)
      .select('name')
      .where('name', 'in', names)
      .where(limit)
      .execute()
    const readable = new Set(rows.map(({ name }) => name))
    for (const name of names) if (!readable.has(name)) outside.add(`${doctype}\0${name}`)
  }
  return outside
}
