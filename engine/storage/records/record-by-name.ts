import { allDone } from '../../base/all-done.ts'
import type { DatabaseKind, Db } from '../database/database.ts'
import type { Doc, Row } from '../database/document.ts'
import { forgetUnlocked, seenLocked, seenRecords } from '../database/seen-rows.ts'
import { isSending, runText } from '../database/statements.ts'
import { usualOf } from '../database/usual-reads.ts'
import type { ChildStore } from './child-rows.ts'
import type { RawRow, RowDecoder } from './record-row.ts'
import { FILLED, type LockStrength, type RecordStatements, SAME } from './record-statements.ts'
import type { DocTable } from './tables.ts'

/** What the functions of a store share. */
export interface StoreParts {
  readonly kind: DatabaseKind
  readonly plan: DocTable
  readonly statements: RecordStatements
  readonly decode: RowDecoder
  /** The same for a record whose rows are read next. */
  readonly decodeWhole: RowDecoder
  readonly children: readonly ChildStore[]
  /** Tables of the record that was read last with its rows. */
  readonly filled: Set<ChildStore>
}

export async function findBy(
  { decode }: StoreParts,
  statement: string,
  on: Db,
  name: string,
): Promise<Doc | undefined> {
  const raw = await rowOf(statement, on, name)
  return raw === undefined ? undefined : decode(raw)
}

/** One that others may only read is as it is until the commit, also for the jobs behind. */
export async function lock(
  parts: StoreParts,
  tx: Db,
  name: string,
  strength: LockStrength,
): Promise<Doc | undefined> {
  const { kind, plan, statements } = parts
  const locked =
    strength === 'read' && kind === 'postgres' ? seenLocked<Doc>(tx, plan.table) : undefined
  usualOf(tx)?.noteUse(tx, plan.table, name)
  const known = locked?.get(name)
  if (known) return known
  const doc = await findBy(parts, statements.lock[strength], tx, name)
  if (kind === 'postgres') forgetUnlocked(tx)
  if (!locked) return doc
  keepLocked(plan, tx, doc)
  usualOf(tx)?.noteLock(plan.table, name, async (on) => {
    const held = seenLocked<Doc>(on, plan.table)?.get(name)
    keepLocked(plan, on, held ?? (await findBy(parts, statements.lockFree, on, name)))
  })
  return doc
}

/**
 * What a transaction of jobs on PostgreSQL has read before is asked for anew, behind the lock; what they usually read goes out with
 * the lock that a job begins with.
 */
export async function lockWhole(
  parts: StoreParts,
  tx: Db,
  name: string,
  strength: LockStrength,
): Promise<Doc | undefined> {
  const usual = isSending(tx) && tx.isAtStart ? usualOf(tx) : undefined
  if (parts.kind === 'postgres') forgetUnlocked(tx)
  const found = findWhole(parts, parts.statements.lockWhole[strength], tx, name)
  if (usual) await allDone([found, usual.behindLock(tx)])
  return found
}

/** It is what rules read, too. */
function keepLocked(plan: DocTable, tx: Db, doc: Doc | undefined): void {
  if (!doc) return
  seenLocked<Doc>(tx, plan.table)?.set(doc.name, doc)
  seenRecords<Doc>(tx, plan.table, plan)?.set(doc.name, doc)
}

export async function rowOf(statement: string, on: Db, name: string): Promise<RawRow | undefined> {
  // No record has NUL in its name, and PostgreSQL would not even take it.
  if (name.includes('\0')) return undefined
  const { rows } = await runText<RawRow>(on, statement, [name])
  return rows[0]
}

/**
 * Reads the tables that have rows; the statement says which, or another where somebody has written the record meanwhile. A transaction
 * of jobs on PostgreSQL asks at once for those that the record before had: their rows are read behind the lock of the first statement.
 */
export async function findWhole(
  { decodeWhole, children, statements, filled }: StoreParts,
  statement: string,
  on: Db,
  name: string,
): Promise<Doc | undefined> {
  const rows = new Map<ChildStore, Row[]>()
  const guessed = isSending(on) && !name.includes('\0') ? [...filled] : []
  const readRows = async (child: ChildStore): Promise<void> => {
    rows.set(child, await child.rowsOf(on, name))
  }
  const found = rowOf(statement, on, name)
  // All end before anything goes on; where one fails the others do too.
  if (guessed.length > 0) await allDone([found, ...guessed.map(readRows)])
  const raw = await found
  if (raw === undefined) return undefined
  const doc = decodeWhole(raw)
  const there = tablesWithRows(children, await filledOf(statements, on, raw))
  for (const child of children) doc[child.field] = rows.get(child) ?? []
  await allDone(
    [...there].filter((child) => !rows.has(child)).map((child) => child.load(on, [doc])),
  )
  filled.clear()
  for (const child of there) filled.add(child)
  return doc
}

/** Bits of the tables that have rows: of what was read where nobody has written the record since. */
async function filledOf(statements: RecordStatements, on: Db, raw: RawRow): Promise<number> {
  if (raw[SAME] !== false) return Number(raw[FILLED] ?? 0)
  const { rows } = await runText<RawRow>(on, statements.filled, [Number(raw.rid)])
  return Number(rows[0]?.[FILLED] ?? 0)
}

/** Tables of a record that have rows, as the bits of `filled` say. */
function tablesWithRows(children: readonly ChildStore[], filled: number): ReadonlySet<ChildStore> {
  const there = new Set<ChildStore>()
  let bits = filled
  for (const child of children) {
    if (bits % 2 === 1) there.add(child)
    bits = Math.floor(bits / 2)
  }
  return there
}
