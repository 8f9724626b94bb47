import { sql } from 'kysely'
import type { Db } from '../database/database.ts'
import type { Doc } from '../database/document.ts'
import type { RecordStore } from './record-store.ts'
import { STANDARD_INTEGER_COLUMNS, STANDARD_TEXT_COLUMNS } from './tables.ts'

const PAGE = 500

/** All records of a DocType with their rows, oldest first, in pages; with `from`, those written at that moment (ISO) or later. */
export async function* recordPages(
  db: Db,
  store: RecordStore,
  from?: string,
): AsyncGenerator<readonly Doc[]> {
  const { table, columns } = store.plan
  const names = ['rid', ...STANDARD_TEXT_COLUMNS, ...STANDARD_INTEGER_COLUMNS]
  const decode = store.rowDecoder(columns)
  const select = db
    .selectFrom(table)
    .select([...names, ...columns.map(({ name }) => name)])
    .limit(PAGE)
  let last: Doc | undefined
  for (;;) {
    const query =
      from === undefined
        ? select.where('rid', '>', last?.rid ?? 0).orderBy('rid')
        : select.where(writtenBehind(from, last)).orderBy('modified').orderBy('rid')
    const rows = await query.execute()
    if (rows.length === 0) return
    const docs = rows.map(decode)
    await store.loadRows(db, docs)
    yield docs
    last = docs.at(-1)!
  }
}

/** Behind the last record of a page in the order of (modified, rid), which an index has. */
function writtenBehind(from: string, last: Doc | undefined) {
  return last
    ? sql<boolean>`(modified, rid) > (${last.modified}, ${last.rid})`
    : sql<boolean>`modified >= ${from}`
}
