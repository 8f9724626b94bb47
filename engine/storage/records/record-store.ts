import { chunks } from '../../base/chunks.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Database, DatabaseKind, Db } from '../database/database.ts'
import { type Doc, docCloner, docMaker, rowsOf, valueIn } from '../database/document.ts'
import { type ReadMemo, readMemo } from '../database/read-memo.ts'
import { seenHeld, seenOf, seenOrRead, seenRecords } from '../database/seen-rows.ts'
import { runSqlNow, runText, sendText, type TextsByShape } from '../database/statements.ts'
import { usualOf } from '../database/usual-reads.ts'
import { childStore } from './child-rows.ts'
import { findBy, findWhole, lock, lockWhole, rowOf, type StoreParts } from './record-by-name.ts'
import { type Copies, insertMany, insertOne } from './record-insert.ts'
import {
  changedValues,
  type RawRow,
  type RowDecoder,
  rowDecoder,
  rowDecoders,
} from './record-row.ts'
import {
  type LockStrength,
  NAMES_AT_ONCE,
  type RecordStatements,
  recordStatements,
} from './record-statements.ts'
import { tableSize } from './table-size.ts'
import type { DocTable, FieldColumn } from './tables.ts'

/** Counts that are remembered of one table. */
const MOST_COUNTS = 500

/** What a link asks of the record it names. */
export interface RecordState {
  readonly docstatus: number
  /** Record that it belongs to (`belongs_to`); null for none. */
  readonly belongsTo: string | null
}

/** What links ask of a record that is at hand. */
export function stateOf({ belongsTo }: DocTypeDefinition, doc: Doc): RecordState {
  const owner = belongsTo === undefined ? null : valueIn(doc, belongsTo)
  return { docstatus: doc.docstatus, belongsTo: typeof owner === 'string' ? owner : null }
}

/**
 * Rows of one DocType in and out. The statements that every request needs are compiled once, so a record
 * costs about what hand-written SQL does.
 */
export interface RecordStore {
  readonly plan: DocTable
  /** SQL of the lists this DocType was asked for, by their shape (for `select.ts`). */
  readonly lists: TextsByShape
  /** Most records that the table can have, as it was at most a second ago. */
  size(database: Database): number
  /** Counts of its records that are remembered. */
  readonly counted: ReadMemo<number>
  /** A new record with nothing set: version 1, draft. */
  empty(): Doc
  /** A copy with other values, whose rows may be changed without changing those of the original. */
  clone(doc: Doc, values?: Readonly<Record<string, unknown>>): Doc
  /** The record without its child rows, or undefined. */
  find(db: Db, name: string): Promise<Doc | undefined>
  /**
   * The same at once, null for none, where the database is in this process; undefined where it is not. The one writer
   * reads it once until the table is written, and shares what it gives: do not change it.
   */
  findNow(db: Db, name: string): Doc | null | undefined
  /** The record with its tables. */
  whole(db: Db, name: string): Promise<Doc | undefined>
  /** The record without its child rows, locked against other writers until the transaction ends. */
  lock(tx: Db, name: string, strength: LockStrength): Promise<Doc | undefined>
  /** The same with its tables. */
  lockWhole(tx: Db, name: string, strength: LockStrength): Promise<Doc | undefined>
  /** These records without their child rows, by name; names that do not exist are absent. */
  findMany(db: Db, names: readonly string[]): Promise<ReadonlyMap<string, Doc>>
  /** The same, null for none, read once and shared as those of `findNow` are. */
  findShared(tx: Db, names: readonly string[]): Promise<ReadonlyMap<string, Doc | null>>
  /** The same, kept from being deleted or cancelled by others until the transaction ends. */
  findHeld(tx: Db, names: readonly string[]): Promise<ReadonlyMap<string, Doc | null>>
  /**
   * States of these records, by name; names that do not exist are absent. They cannot be deleted or cancelled
   * by others until the transaction ends.
   */
  hold(tx: Db, names: readonly string[]): Promise<ReadonlyMap<string, RecordState>>
  /** Fills the tables of these records, all of them or the named ones: one query a table, not a record. */
  loadRows(db: Db, docs: readonly Doc[], tables?: readonly string[]): Promise<void>
  /** Inserts the record and its rows; fills `doc.rid`. */
  insert(tx: Db, doc: Doc): Promise<void>
  /**
   * Inserts records in their order, together where they have no tables; fills `rid` of each, at the latest with the next answer of the database. From those that `copies` names the
   * database may take what is the same in both.
   */
  insertMany(tx: Db, docs: readonly Doc[], copies?: Copies): Promise<void>
  /** Writes what differs between the two images, rows included. */
  update(tx: Db, before: Doc, after: Doc): Promise<void>
  remove(tx: Db, doc: Doc): Promise<void>
  /** What turns raw rows of the standard columns and these into records (for `select.ts`). */
  rowDecoder(columns: readonly FieldColumn[]): RowDecoder
}

/** Makes the store of one DocType. `db` only compiles statements here; each call names the one it runs on. */
export function recordStore(plan: DocTable, db: Db, kind: DatabaseKind): RecordStore {
  const decoderOf = rowDecoders()
  const statements = recordStatements(plan, db, kind)
  const children = plan.children.map((child) => childStore(child, plan.table, db))
  const tables = children.map(({ field }) => field)
  const decode = decoderOf(plan.columns)
  const decodeWhole = rowDecoder(plan.columns, tables)
  const parts: StoreParts = {
    kind,
    plan,
    statements,
    decode,
    decodeWhole,
    children,
    filled: new Set(),
  }
  return {
    plan,
    lists: statements.lists,
    size: tableSize(plan.table),
    counted: readMemo([plan.table], { most: MOST_COUNTS }),
    empty: docMaker(plan.definition),
    clone: docCloner(plan.definition),
    find: (on, name) => findBy(parts, statements.find, on, name),
    findNow: (on, name) => findNow(parts, on, name),
    whole: (on, name) => findWhole(parts, statements.whole, on, name),
    lock: (tx, name, strength) => lock(parts, tx, name, strength),
    lockWhole: (tx, name, strength) => lockWhole(parts, tx, name, strength),
    findMany: (on, names) => findMany(parts, on, names),
    findShared: (tx, names) => findShared(parts, tx, names),
    findHeld: (tx, names) => findHeld(parts, tx, names),
    hold: (tx, names) =>
      seenOrRead(tx, plan.table, names, (unseen) => readStates(parts, tx, unseen)),
    loadRows: (on, docs, tables) => loadRows(parts, on, docs, tables),
    insert: (tx, doc) => insertOne(parts, tx, doc),
    insertMany: (tx, docs, copies) => insertMany(parts, tx, docs, copies),
    update: (tx, before, after) => update(parts, tx, before, after),
    remove: (tx, doc) => remove(parts, tx, doc),
    rowDecoder: decoderOf,
  }
}

function findNow(
  { plan, statements, decode }: StoreParts,
  on: Db,
  name: string,
): Doc | null | undefined {
  const seen = seenRecords<Doc>(on, plan.table, plan)
  const known = seen?.get(name)
  if (known !== undefined) return known
  const rows = runSqlNow<RawRow>(on, statements.find, [name])
  if (!rows) return undefined
  const found = rows[0] === undefined ? null : decode(rows[0])
  seen?.set(name, found)
  return found
}

async function findShared(
  parts: StoreParts,
  tx: Db,
  names: readonly string[],
): Promise<ReadonlyMap<string, Doc | null>> {
  const seen = seenRecords<Doc>(tx, parts.plan.table, parts.plan)
  const unseen = seen ? names.filter((name) => !seen.has(name)) : names
  if (unseen.length > 0)
    usualOf(tx)?.note(parts.plan.table, unseen, (on, some) => findShared(parts, on, some))
  const read = unseen.length > 0 ? await findMany(parts, tx, unseen) : undefined
  for (const name of unseen) seen?.set(name, read?.get(name) ?? null)
  return new Map(names.map((name) => [name, seen?.get(name) ?? read?.get(name) ?? null]))
}

const NO_ROWS: { readonly rows: readonly RawRow[] } = { rows: [] }

/** The one writer of SQLite need not hold anything. */
async function findHeld(
  parts: StoreParts,
  tx: Db,
  names: readonly string[],
): Promise<ReadonlyMap<string, Doc | null>> {
  const { kind, plan, statements, decode } = parts
  if (kind === 'sqlite') return findShared(parts, tx, names)
  const held = seenHeld<Doc>(tx, plan.table)
  const seen = seenRecords<Doc>(tx, plan.table, plan)
  const unheld = held ? names.filter((name) => !held.has(name)) : names
  const possible = unheld.filter((name) => !name.includes('\0'))
  const text = statements.findHeld(Math.max(1, possible.length))
  const { rows } = possible.length === 0 ? NO_ROWS : await runText<RawRow>(tx, text, possible)
  const found = new Map(rows.map((raw) => [raw.name as string, decode(raw)]))
  for (const name of unheld) {
    const doc = found.get(name) ?? null
    held?.set(name, doc)
    seen?.set(name, doc)
  }
  return new Map(names.map((name) => [name, held?.get(name) ?? found.get(name) ?? null]))
}

async function findMany(
  parts: StoreParts,
  on: Db,
  names: readonly string[],
): Promise<ReadonlyMap<string, Doc>> {
  const { statements, decode, kind } = parts
  const [only] = names
  if (names.length === 1 && only !== undefined) {
    const doc = await findBy(parts, statements.find, on, only)
    return new Map(doc ? [[only, doc]] : [])
  }
  const found = new Map<string, Doc>()
  const possible = names.filter((name) => !name.includes('\0'))
  for (const some of chunks(possible, kind === 'sqlite' ? NAMES_AT_ONCE : possible.length)) {
    const { rows } = await runText<RawRow>(on, statements.findMany(some.length), some)
    for (const raw of rows) found.set(raw.name as string, decode(raw))
  }
  return found
}

async function readStates(
  { plan, statements }: StoreParts,
  tx: Db,
  names: readonly string[],
): Promise<ReadonlyMap<string, RecordState>> {
  const { rows } = await runText<RawRow>(tx, statements.hold(names.length), names)
  const { belongsTo } = plan.definition
  return new Map(
    rows.map((raw) => {
      const owner = belongsTo === undefined ? null : raw[belongsTo]
      const state = {
        docstatus: Number(raw.docstatus),
        belongsTo: typeof owner === 'string' ? owner : null,
      }
      return [raw.name as string, state]
    }),
  )
}

async function loadRows(
  { children }: StoreParts,
  on: Db,
  docs: readonly Doc[],
  tables?: readonly string[],
): Promise<void> {
  for (const child of children) {
    if (tables && !tables.includes(child.field)) continue
    await child.load(on, docs)
  }
}

async function update(
  { plan, statements, children }: StoreParts,
  tx: Db,
  before: Doc,
  after: Doc,
): Promise<void> {
  const changes = changedValues(plan, before, after)
  const { docstatus, belongsTo } = stateOf(plan.definition, after)
  const old = stateOf(plan.definition, before)
  if (old.docstatus !== docstatus || old.belongsTo !== belongsTo)
    seenOf(tx, plan.table)?.delete(after.name)
  const changed = Object.keys(changes)
  const rid = await ridOf(statements, tx, after)
  if (changed.length > 0) {
    const text = statements.update(changed)
    const values = [...Object.values(changes), rid]
    // Whose values another record may have is told so at once.
    if (changed.some((name) => plan.unique.has(name))) await runText(tx, text, values)
    else await sendText(tx, text, values)
  }
  for (const child of children)
    await child.update(tx, rid, rowsOf(before, child.field), rowsOf(after, child.field))
}

async function remove({ plan, statements }: StoreParts, tx: Db, doc: Doc): Promise<void> {
  seenOf(tx, plan.table)?.delete(doc.name)
  const rid = await ridOf(statements, tx, doc)
  for (const child of plan.children)
    await tx.deleteFrom(child.table).where('parent', '=', rid).execute()
  await tx.deleteFrom(plan.table).where('rid', '=', rid).execute()
}

/** Of a record that is in the database; one whose insert nobody has waited for may be a copy from before its number came. */
async function ridOf({ find }: RecordStatements, tx: Db, doc: Doc): Promise<number> {
  if (doc.rid > 0) return doc.rid
  doc.rid = Number((await rowOf(find, tx, doc.name))?.rid)
  return doc.rid
}
