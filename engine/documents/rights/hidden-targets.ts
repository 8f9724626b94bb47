import { can } from '../../access/can.ts'
import type { Db } from '../../storage/database/database.ts'
import { namesWithin, rowsWithin } from '../../storage/finding/limited-records.ts'
import { nameKey } from '../record/outgoing-links.ts'
import type { Context } from '../work/context.ts'
import { linkCondition } from './followed.ts'

/** A record by its DocType and name, or a row of one, that somebody names. */
export interface Named {
  readonly doctype: string
  readonly name: string
  /** Table that it is a row of, instead of a record. */
  readonly table?: string | undefined
  /** True where who names it has to be able to read it (`permissions.follows`). */
  readonly isFollowed?: boolean
  /** The same where everybody may name records of any kind, which would tell them what there is (ADR 0035); people apart. */
  readonly isOpen?: boolean
}

/** Those of the records and rows that are not among, or in, the ones the caller is limited to; as `nameKey`. */
export async function outsideRows(
  tx: Db,
  context: Context,
  records: readonly Named[],
): Promise<ReadonlySet<string>> {
  const { registry } = context.services
  const outside = new Set<string>()
  for (const record of records) {
    const definition = registry.byDoctype(record.doctype)
    const isAsked = record.isFollowed || (record.isOpen && definition?.serves !== 'users')
    if (isAsked && definition && !can(context, definition, 'read')) outside.add(nameKey(record))
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
