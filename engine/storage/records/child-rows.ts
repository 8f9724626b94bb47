import { blankObject } from '../../base/blank-object.ts'
import type { Db } from '../database/database.ts'
import type { Doc, Row } from '../database/document.ts'
import { runText } from '../database/run-sql.ts'
import { type ChildTable, decode, encode } from './tables.ts'

type RawRow = Record<string, unknown>

/** Store of the rows of one child table; `records.ts` keeps the records they belong to. */
export interface ChildStore {
  readonly field: string
  load(db: Db, docs: readonly Doc[]): Promise<void>
  insert(tx: Db, parent: number, rows: readonly Row[]): Promise<void>
  update(tx: Db, parent: number, before: readonly Row[], after: readonly Row[]): Promise<void>
}

/** Most parameters of a statement: rows go in together, in statements that stay under the limits of both databases. */
const MAX_PARAMETERS = 10_000

/** Rows of an INSERT whose text is kept. */
const MAX_KEPT_INSERT = 50

/** Makes the store of one child table. `db` only compiles statements here; each call names the one it runs on. */
export function childStore(child: ChildTable, db: Db): ChildStore {
  const names = ['row_id', ...child.columns.map(({ name }) => name)]
  const loadOneSql = db
    .selectFrom(child.table)
    .select(names)
    .where('parent', '=', 0)
    .orderBy('idx')
    .compile().sql
  const rowsPerInsert = Math.max(1, Math.floor(MAX_PARAMETERS / (names.length + 2)))

  const insertedColumns = ['row_id', 'parent', 'idx', ...child.columns.map(({ name }) => name)]
  const inserts = new Map<number, string>()

  const blankRow = blankObject([...names, 'idx'])

  function decodeRow(raw: RawRow, index: number): Row {
    const row = blankRow() as Row
    row.row_id = raw.row_id as string
    row.idx = index + 1
    for (const column of child.columns) row[column.name] = decode(column, raw[column.name])
    return row
  }

  /** The values of one row, in the order of `insertedColumns`. */
  function encodeRow(row: Row, parent: number, idx: number): unknown[] {
    const values: unknown[] = [row.row_id, parent, idx]
    for (const column of child.columns) values.push(encode(column, row[column.name]))
    return values
  }

  async function load(on: Db, docs: readonly Doc[]): Promise<void> {
    const [only] = docs
    if (only === undefined) return
    if (docs.length === 1) {
      const { rows } = await runText<RawRow>(on, loadOneSql, [only.rid])
      only[child.field] = rows.map(decodeRow)
      return
    }
    const byParent = new Map(docs.map((doc): [number, Row[]] => [doc.rid, []]))
    const rows = await on
      .selectFrom(child.table)
      .select([...names, 'parent'])
      .where('parent', 'in', [...byParent.keys()])
      .orderBy('parent')
      .orderBy('idx')
      .execute()
    for (const raw of rows) {
      const list = byParent.get(Number(raw.parent))
      list?.push(decodeRow(raw, list.length))
    }
    for (const doc of docs) doc[child.field] = byParent.get(doc.rid) ?? []
  }

  async function insert(tx: Db, parent: number, rows: readonly Row[], firstIdx = 1): Promise<void> {
    for (let at = 0; at < rows.length; at += rowsPerInsert) {
      const part = rows.slice(at, at + rowsPerInsert)
      const values = part.flatMap((row, index) => encodeRow(row, parent, firstIdx + at + index))
      await runText(tx, insertSql(part.length), values)
    }
  }

  /** Text of an INSERT of so many rows, kept: documents have a few rows each, of the same few numbers. */
  function insertSql(count: number): string {
    const known = inserts.get(count)
    if (known !== undefined) return known
    const row = Object.fromEntries(insertedColumns.map((name) => [name, '']))
    const text = db
      .insertInto(child.table)
      .values(Array.from({ length: count }, () => row))
      .compile().sql
    if (count <= MAX_KEPT_INSERT) inserts.set(count, text)
    return text
  }

  async function update(
    tx: Db,
    parent: number,
    before: readonly Row[],
    after: readonly Row[],
  ): Promise<void> {
    if (before === after) return
    const known = new Map(
      before.map((row, index): [string, { row: Row; idx: number }] => [
        row.row_id,
        { row, idx: index + 1 },
      ]),
    )
    const kept = new Set(after.map((row) => row.row_id))
    const gone = before.filter((row) => !kept.has(row.row_id)).map((row) => row.row_id)
    if (gone.length > 0) await tx.deleteFrom(child.table).where('row_id', 'in', gone).execute()
    for (const [index, row] of after.entries()) {
      const old = known.get(row.row_id)
      const idx = index + 1
      if (!old) {
        await insert(tx, parent, [row], idx)
        continue
      }
      const changes: RawRow = {}
      if (old.idx !== idx) changes.idx = idx
      for (const column of child.columns) {
        const value = row[column.name] ?? null
        if ((old.row[column.name] ?? null) !== value) changes[column.name] = encode(column, value)
      }
      if (Object.keys(changes).length > 0) {
        await tx.updateTable(child.table).set(changes).where('row_id', '=', row.row_id).execute()
      }
    }
  }

  return { field: child.field, load, insert, update }
}
