import { sql } from 'kysely'
import { blankObject } from '../../base/blank-object.ts'
import type { DatabaseKind, Db } from '../database/database.ts'
import { type Doc, docMaker, rowsOf } from '../database/document.ts'
import { runSqlNow, runText, seenOf } from '../database/run-sql.ts'
import { textsByRows } from '../database/texts-by-rows.ts'
import { childStore } from './child-rows.ts'
import {
  type DocTable,
  decode,
  encode,
  type FieldColumn,
  STANDARD_INTEGER_COLUMNS,
  STANDARD_TEXT_COLUMNS,
} from './tables.ts'

type RawRow = Record<string, unknown>

/**
 * Strength of a lock, by what others may do with the record: link to it (`change`), or nothing (`end`, before a
 * cancel or delete). `read` keeps it as it is, for any number at once.
 */
export type LockStrength = 'read' | 'change' | 'end'

/** State of a record that a link asks for. */
export interface RecordState {
  readonly docstatus: number
}

/** Sets of changed columns whose UPDATE is kept for each DocType. */
const MAX_UPDATES = 200

/** Records read or held together whose SELECT is kept. */
const MAX_KEPT_NAMES = 50

const STANDARD_COLUMNS = ['rid', ...STANDARD_TEXT_COLUMNS, ...STANDARD_INTEGER_COLUMNS]

/**
 * Store of the records of one DocType. The statements that every request needs are compiled once, so a record costs
 * about what hand-written SQL does.
 */
export interface RecordStore {
  readonly plan: DocTable
  /** SQL of the lists this DocType was asked for, by their shape (for `select.ts`). */
  readonly statements: Map<string, string>
  /** A new record with nothing set: version 1, draft. */
  empty(): Doc
  /** The record without its child rows, or undefined. */
  find(db: Db, name: string): Promise<Doc | undefined>
  /** The record at once, null for none, where the database is in this process; undefined where it is not. */
  findNow(db: Db, name: string): Doc | null | undefined
  /** The record without its child rows, locked against other writers until the transaction ends. */
  lock(tx: Db, name: string, strength: LockStrength): Promise<Doc | undefined>
  /** These records without their child rows, by name; names that do not exist are absent. */
  findMany(db: Db, names: readonly string[]): Promise<ReadonlyMap<string, Doc>>
  /**
   * States of these records, by name; names that do not exist are absent. They cannot be deleted or cancelled
   * by others until the transaction ends.
   */
  hold(tx: Db, names: readonly string[]): Promise<ReadonlyMap<string, RecordState>>
  /** Fills the tables of these records, all of them or the named ones: one query a table, not a record. */
  loadRows(db: Db, docs: readonly Doc[], tables?: readonly string[]): Promise<void>
  /** Inserts the record and its rows; fills `doc.rid`. */
  insert(tx: Db, doc: Doc): Promise<void>
  /** Writes what differs between the two images, rows included. */
  update(tx: Db, before: Doc, after: Doc): Promise<void>
  remove(tx: Db, doc: Doc): Promise<void>
  /** Decoder of raw rows of the standard columns and these into records (for `select.ts`). */
  rowDecoder(columns: readonly FieldColumn[]): (raw: RawRow) => Doc
}

/** Makes the store of one DocType. `db` only compiles statements here; each call names the one it runs on. */
export function recordStore(plan: DocTable, db: Db, kind: DatabaseKind): RecordStore {
  const columnNames = [...STANDARD_COLUMNS, ...plan.columns.map(({ name }) => name)]
  const findQuery = db
    .selectFrom(plan.table)
    .select(columnNames)
    .where('name', '=', '')
    .limit(sql.lit(1))
  const findSql = findQuery.compile().sql
  // SQLite's writer is alone by BEGIN IMMEDIATE.
  const lockSql: Readonly<Record<LockStrength, string>> =
    kind === 'postgres'
      ? {
          read: findQuery.forShare().compile().sql,
          change: findQuery.forNoKeyUpdate().compile().sql,
          end: findQuery.forUpdate().compile().sql,
        }
      : { read: findSql, change: findSql, end: findSql }
  const insertQuery = db
    .insertInto(plan.table)
    .values(
      Object.fromEntries(columnNames.filter((name) => name !== 'rid').map((name) => [name, ''])),
    )
  // SQLite says the rid anyway, and a RETURNING would cost it a savepoint (series.ts).
  const insertSql = (kind === 'postgres' ? insertQuery.returning('rid') : insertQuery).compile().sql
  const children = plan.children.map((child) => childStore(child, db))
  const updates = new Map<string, string>()
  const named = (on: Db, count: number, names: readonly string[]) =>
    on.selectFrom(plan.table).select(names).where('name', 'in', Array<string>(count).fill(''))
  const finds = textsByRows((on, count) => named(on, count, columnNames).compile(), MAX_KEPT_NAMES)
  /** PostgreSQL takes the locks in one order everywhere, so that two changes do not wait for each other. */
  const holds = textsByRows((on, count) => {
    const query = named(on, count, ['name', 'docstatus'])
    return (kind === 'postgres' ? query.orderBy('rid').forKeyShare() : query).compile()
  }, MAX_KEPT_NAMES)

  const decoders = new WeakMap<readonly FieldColumn[], (raw: RawRow) => Doc>()
  const decodeAll = rowDecoder(plan.columns)

  function rowDecoder(columns: readonly FieldColumn[]): (raw: RawRow) => Doc {
    let decoder = decoders.get(columns)
    if (!decoder) {
      decoder = newDecoder(columns)
      decoders.set(columns, decoder)
    }
    return decoder
  }

  function newDecoder(columns: readonly FieldColumn[]): (raw: RawRow) => Doc {
    const blank = blankObject([...STANDARD_COLUMNS, ...columns.map(({ name }) => name)])
    return (raw) => {
      const doc = blank() as Doc
      doc.rid = Number(raw.rid)
      for (const name of STANDARD_TEXT_COLUMNS) doc[name] = raw[name] as string
      for (const name of STANDARD_INTEGER_COLUMNS) doc[name] = Number(raw[name])
      for (const column of columns) doc[column.name] = decode(column, raw[column.name])
      return doc
    }
  }

  async function findBy(statement: string, on: Db, name: string): Promise<Doc | undefined> {
    const { rows } = await runText<RawRow>(on, statement, [name])
    return rows[0] === undefined ? undefined : decodeAll(rows[0])
  }

  function findNow(on: Db, name: string): Doc | null | undefined {
    const rows = runSqlNow<RawRow>(on, findSql, [name])
    if (!rows) return undefined
    return rows[0] === undefined ? null : decodeAll(rows[0])
  }

  async function loadRows(on: Db, docs: readonly Doc[], tables?: readonly string[]): Promise<void> {
    for (const child of children) {
      if (tables && !tables.includes(child.field)) continue
      await child.load(on, docs)
    }
  }

  async function insert(tx: Db, doc: Doc): Promise<void> {
    const parameters: unknown[] = STANDARD_TEXT_COLUMNS.map((name) => doc[name])
    for (const name of STANDARD_INTEGER_COLUMNS) parameters.push(doc[name])
    for (const column of plan.columns) parameters.push(encode(column, doc[column.name] as never))
    const inserted = await runText<RawRow>(tx, insertSql, parameters)
    doc.rid = Number(inserted.insertId ?? inserted.rows[0]?.rid)
    for (const child of children) await child.insert(tx, doc.rid, rowsOf(doc, child.field))
  }

  /** Text of an UPDATE of these columns, kept: clients change the same few fields over and over. */
  function updateSql(columns: readonly string[]): string {
    const key = columns.join(' ')
    let text = updates.get(key)
    if (text === undefined) {
      const values = Object.fromEntries(columns.map((name) => [name, '']))
      text = db.updateTable(plan.table).set(values).where('rid', '=', 0).compile().sql
      if (updates.size >= MAX_UPDATES) updates.clear()
      updates.set(key, text)
    }
    return text
  }

  async function update(tx: Db, before: Doc, after: Doc): Promise<void> {
    const changes: Record<string, unknown> = {}
    for (const name of STANDARD_TEXT_COLUMNS)
      if (before[name] !== after[name]) changes[name] = after[name]
    for (const name of STANDARD_INTEGER_COLUMNS)
      if (before[name] !== after[name]) changes[name] = after[name]
    for (const column of plan.columns) {
      const value = after[column.name] ?? null
      if ((before[column.name] ?? null) !== value)
        changes[column.name] = encode(column, value as never)
    }
    if (before.docstatus !== after.docstatus) seenOf(tx, plan.table)?.delete(after.name)
    const changed = Object.keys(changes)
    if (changed.length > 0) {
      const parameters = [...Object.values(changes), after.rid]
      await runText(tx, updateSql(changed), parameters)
    }
    for (const child of children) {
      await child.update(tx, after.rid, rowsOf(before, child.field), rowsOf(after, child.field))
    }
  }

  async function findMany(on: Db, names: readonly string[]): Promise<ReadonlyMap<string, Doc>> {
    const [only] = names
    if (names.length === 1 && only !== undefined) {
      const doc = await findBy(findSql, on, only)
      return new Map(doc ? [[only, doc]] : [])
    }
    const { rows } = await runText<RawRow>(on, finds(db, names.length), names)
    return new Map(rows.map((raw) => [raw.name as string, decodeAll(raw)]))
  }

  async function hold(tx: Db, names: readonly string[]): Promise<ReadonlyMap<string, RecordState>> {
    const known = seenOf<RecordState>(tx, plan.table)
    const states = new Map<string, RecordState>()
    const unknown: string[] = []
    for (const name of names) {
      const state = known?.get(name)
      if (state) states.set(name, state)
      else unknown.push(name)
    }
    if (unknown.length === 0) return states
    const { rows } = await runText<RawRow>(tx, holds(db, unknown.length), unknown)
    for (const { name, docstatus } of rows) {
      const state = { docstatus: Number(docstatus) }
      states.set(name as string, state)
      known?.set(name as string, state)
    }
    return states
  }

  async function remove(tx: Db, doc: Doc): Promise<void> {
    seenOf(tx, plan.table)?.delete(doc.name)
    for (const child of plan.children)
      await tx.deleteFrom(child.table).where('parent', '=', doc.rid).execute()
    await tx.deleteFrom(plan.table).where('rid', '=', doc.rid).execute()
  }

  return {
    plan,
    empty: docMaker(plan.definition),
    statements: new Map(),
    find: (on, name) => findBy(findSql, on, name),
    findNow,
    lock: (tx, name, strength) => findBy(lockSql[strength], tx, name),
    findMany,
    hold,
    loadRows,
    insert,
    update,
    remove,
    rowDecoder,
  }
}
