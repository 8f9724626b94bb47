import type { Db } from '../database/database.ts'
import type { Doc } from '../database/document.ts'
import type { RecordStore } from './record-store.ts'
import { STANDARD_INTEGER_COLUMNS, STANDARD_TEXT_COLUMNS } from './tables.ts'

const PAGE = 500

/** All records of a DocType with their rows, oldest first, in pages. */
export async function* recordPages(db: Db, store: RecordStore): AsyncGenerator<readonly Doc[]> {
  const { table, columns } = store.plan
  const names = ['rid', ...STANDARD_TEXT_COLUMNS, ...STANDARD_INTEGER_COLUMNS]
  const decode = store.rowDecoder(columns)
  for (let last = 0; ; ) {
    const rows = await db
      .selectFrom(table)
      .select([...names, ...columns.map(({ name }) => name)])
      .where('rid', '>', last)
      .orderBy('rid')
      .limit(PAGE)
      .execute()
    if (rows.length === 0) return
    const docs = rows.map(decode)
    await store.loadRows(db, docs)
    yield docs
    last = docs.at(-1)!.rid
  }
}
