import { blankObject } from '../../base/blank-object.ts'
import type { Db } from '../database/database.ts'
import type { Doc, Row } from '../database/document.ts'
import {
  blankRows,
  runText,
  sendText,
  type TextsByShape,
  textsByRows,
  textsByShape,
} from '../database/statements.ts'
import { writtenWhenWarm } from '../database/written-object.ts'
import { decodedColumns, type RawRow } from './record-row.ts'
import { type ChildTable, decode, encode, type FieldColumn } from './tables.ts'

/** Rows of one child table in and out; `record-store.ts` keeps the records they belong to. */
export interface ChildStore {
  readonly field: string
  load(db: Db, docs: readonly Doc[]): Promise<void>
  /** Rows of the record of a name. */
  rowsOf(db: Db, name: string): Promise<Row[]>
  insert(tx: Db, parent: number, rows: readonly Row[]): Promise<void>
  update(tx: Db, parent: number, before: readonly Row[], after: readonly Row[]): Promise<void>
}

/** Most parameters of a statement: rows go in together, in statements that stay under the limits of both databases. */
const MAX_PARAMETERS = 10_000

/** Rows of an INSERT whose text is kept: documents have a few rows each, of the same few numbers. */
const MAX_KEPT_INSERT = 50

/** Sets of changed columns whose UPDATE is kept. */
const MAX_KEPT_UPDATES = 50

/** What the functions of a store share. */
interface Parts {
  readonly child: ChildTable
  /** Columns that are read, in the order of the records. */
  readonly names: readonly string[]
  /** Text that reads the rows of one record. */
  readonly loadOne: string
  /** Text that inserts so many rows. */
  insertText(rows: number): string
  /** Texts that set columns of one row, by these columns. */
  readonly updates: TextsByShape
  decode(raw: RawRow, index: number): Row
}

/** Makes the store of one child table of the records in `table`. `db` only compiles statements here; each call names the one it runs on. */
export function childStore(child: ChildTable, table: string, db: Db): ChildStore {
  const columns = child.columns.map(({ name }) => name)
  const names = ['row_id', ...columns]
  const loadOne = db
    .selectFrom(child.table)
    .select(names)
    .where('parent', '=', 0)
    .orderBy('idx')
    .compile().sql
  const loadNamed = db
    .selectFrom(child.table)
    .select(names)
    .where('parent', '=', db.selectFrom(table).select('rid').where('name', '=', ''))
    .orderBy('idx')
    .compile().sql
  const inserted = ['row_id', 'parent', 'idx', ...columns]
  const inserts = textsByRows(
    (on, rows) => on.insertInto(child.table).values(blankRows(inserted, rows)).compile(),
    MAX_KEPT_INSERT,
  )
  const insertText = (rows: number): string => inserts(db, rows)
  const updates = textsByShape(MAX_KEPT_UPDATES)
  const decode = rowDecoder(child.columns)
  const parts: Parts = { child, names, loadOne, insertText, updates, decode }
  return {
    field: child.field,
    load: (on, docs) => load(parts, on, docs),
    async rowsOf(on, name) {
      const { rows } = await runText<RawRow>(on, loadNamed, [name])
      return rows.map(decode)
    },
    insert: (tx, parent, rows) => insert(parts, tx, parent, rows),
    update: (tx, parent, before, after) => update(parts, tx, parent, before, after),
  }
}

function rowDecoder(columns: readonly FieldColumn[]): (raw: RawRow, index: number) => Row {
  const blank = blankObject(['row_id', ...columns.map(({ name }) => name), 'idx'])
  const decodeEach = (raw: RawRow, index: number): Row => {
    const row = blank() as Row
    row.row_id = raw.row_id as string
    row.idx = index + 1
    for (const column of columns) row[column.name] = decode(column, raw[column.name])
    return row
  }
  return writtenWhenWarm(decodeEach, () => ({
    parameters: ['raw', 'index'],
    properties: [['row_id', 'raw.row_id'], ...decodedColumns(columns), ['idx', 'index + 1']],
    known: { columns, decode },
  }))
}

async function load(parts: Parts, on: Db, docs: readonly Doc[]): Promise<void> {
  const [only] = docs
  if (only === undefined) return
  const { field } = parts.child
  if (docs.length === 1) {
    const { rows } = await runText<RawRow>(on, parts.loadOne, [only.rid])
    only[field] = rows.map(parts.decode)
    return
  }
  const byParent = await rowsByParent(parts, on, docs)
  for (const doc of docs) doc[field] = byParent.get(doc.rid) ?? []
}

async function rowsByParent(
  { child, names, decode }: Parts,
  on: Db,
  docs: readonly Doc[],
): Promise<ReadonlyMap<number, Row[]>> {
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
    list?.push(decode(raw, list.length))
  }
  return byParent
}

async function insert(
  { child, names, insertText }: Parts,
  tx: Db,
  parent: number,
  rows: readonly Row[],
  firstIdx = 1,
): Promise<void> {
  const rowsPerInsert = Math.max(1, Math.floor(MAX_PARAMETERS / (names.length + 2)))
  for (let at = 0; at < rows.length; at += rowsPerInsert) {
    const part = rows.slice(at, at + rowsPerInsert)
    const values = part.flatMap((row, index) =>
      insertedValues(child, row, parent, firstIdx + at + index),
    )
    await sendText(tx, insertText(part.length), values)
  }
}

function insertedValues(
  { columns }: ChildTable,
  row: Row,
  parent: number,
  idx: number,
): readonly unknown[] {
  const values: unknown[] = [row.row_id, parent, idx]
  for (const column of columns) values.push(encode(column, row[column.name]))
  return values
}

async function update(
  parts: Parts,
  tx: Db,
  parent: number,
  before: readonly Row[],
  after: readonly Row[],
): Promise<void> {
  if (before === after) return
  const { table } = parts.child
  const known = new Map(
    before.map((row, index): [string, Placed] => [row.row_id, { row, idx: index + 1 }]),
  )
  const kept = new Set(after.map((row) => row.row_id))
  const gone = before.filter((row) => !kept.has(row.row_id)).map((row) => row.row_id)
  if (gone.length > 0) await tx.deleteFrom(table).where('row_id', 'in', gone).execute()
  for (const [index, row] of after.entries()) {
    const old = known.get(row.row_id)
    const idx = index + 1
    if (!old) {
      await insert(parts, tx, parent, [row], idx)
      continue
    }
    const changes = changedValues(parts.child, old, { row, idx })
    const changed = Object.keys(changes)
    if (changed.length === 0) continue
    const text = parts.updates(changed.join(' '), () =>
      tx.updateTable(table).set(changes).where('row_id', '=', '').compile(),
    )
    await sendText(tx, text, [...Object.values(changes), row.row_id])
  }
}

/** A row and its place in its table, from 1. */
interface Placed {
  readonly row: Row
  readonly idx: number
}

function changedValues({ columns }: ChildTable, old: Placed, now: Placed): RawRow {
  const changes: Record<string, unknown> = {}
  if (old.idx !== now.idx) changes.idx = now.idx
  for (const column of columns) {
    const value = now.row[column.name] ?? null
    if ((old.row[column.name] ?? null) !== value) changes[column.name] = encode(column, value)
  }
  return changes
}
