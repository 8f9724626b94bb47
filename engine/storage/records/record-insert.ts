import type { QueryResult } from 'kysely'
import type { DatabaseKind, Db } from '../database/database.ts'
import { type Doc, rowsOf } from '../database/document.ts'
import { runText, sendText } from '../database/statements.ts'
import type { ChildStore } from './child-rows.ts'
import { insertedValues, type RawRow } from './record-row.ts'
import type { RecordStatements } from './record-statements.ts'
import { type DocTable, encode, STANDARD_INTEGER_COLUMNS, STANDARD_TEXT_COLUMNS } from './tables.ts'

/** Where records of one DocType go. */
interface Target {
  readonly kind: DatabaseKind
  readonly plan: DocTable
  readonly statements: RecordStatements
  readonly children: readonly ChildStore[]
}

/** New records that are like one each that is there, or comes before. */
export interface Copies {
  /** That one, for a record that has it. */
  readonly of: (doc: Doc) => Doc | undefined
  /** The fields in which some of them may have another value than that. */
  readonly changed: ReadonlySet<string>
}

/** Most records of one statement: what they take as parameters stays under the limits of both databases. */
const MOST_TOGETHER = 50

/** Inserts the record and its rows; fills `doc.rid`. */
export async function insertOne(
  { plan, statements, children }: Target,
  tx: Db,
  doc: Doc,
): Promise<void> {
  const inserted = await runText<RawRow>(tx, statements.insert, insertedValues(plan.columns, doc))
  doc.rid = Number(inserted.insertId ?? inserted.rows[0]?.rid)
  for (const child of children) await child.insert(tx, doc.rid, rowsOf(doc, child.field))
}

/**
 * Inserts records in their order, as few statements as can be. Where none can be there already nobody waits for it, and their `rid` is
 * known with the answer to the next statement (`ridOf`). Of runs of those that are copies SQLite
 * gets only what is another; to send and bind each column takes it twice as long.
 */
export async function insertMany(
  target: Target,
  tx: Db,
  docs: readonly Doc[],
  copies?: Copies,
): Promise<void> {
  const { kind, children } = target
  if (children.length > 0 || (docs.length === 1 && kind === 'sqlite')) {
    for (const doc of docs) await insertOne(target, tx, doc)
    return
  }
  const isThere = (doc: Doc): boolean => (copies?.of(doc)?.rid ?? 0) > 0
  const mayCopy = copies !== undefined && kind === 'sqlite'
  for (let at = 0; at < docs.length; ) {
    const isCopy = mayCopy && isThere(docs[at]!)
    let end = at + 1
    const most = Math.min(docs.length, at + MOST_TOGETHER)
    while (end < most && (!mayCopy || isThere(docs[end]!) === isCopy)) end += 1
    const some = docs.slice(at, end)
    if (isCopy) await insertCopies(target, tx, some, copies)
    else await insertTogether(target, tx, some)
    at = end
  }
}

async function insertTogether(
  { plan, statements }: Target,
  tx: Db,
  docs: readonly Doc[],
): Promise<void> {
  // What none of them has is not sent: of the columns of a ledger one document fills the half.
  const columns = plan.columns.filter(({ name }) =>
    docs.some((doc) => (doc[name] ?? null) !== null),
  )
  const names = columns.map(({ name }) => name)
  const values = docs.flatMap((doc) => insertedValues(columns, doc))
  const text = statements.insertMany(docs.length, names)
  const number = ({ insertId, rows }: QueryResult<RawRow>): void => {
    const rids = new Map(rows.map(({ name, rid }) => [name, Number(rid)]))
    // The one writer of SQLite numbers them one after the other, and tells the last.
    const first = Number(insertId ?? 0) - docs.length + 1
    for (const [index, doc] of docs.entries()) doc.rid = rids.get(doc.name) ?? first + index
  }
  if (areNew(plan, docs)) await sendText(tx, text, values, { take: number })
  else number(await runText(tx, text, values))
}

/** Whether nobody waits for their insert: no record that is there can have what is theirs alone, and no search text needs their number. */
function areNew({ unique, definition }: DocTable, docs: readonly Doc[]): boolean {
  if (definition.naming.kind !== 'uuid' || definition.searchFields.length > 0) return false
  for (const column of unique)
    if (column !== 'name' && docs.some((doc) => (doc[column] ?? null) !== null)) return false
  return true
}

async function insertCopies(
  { plan, statements }: Target,
  tx: Db,
  docs: readonly Doc[],
  copies: Copies,
): Promise<void> {
  const of = docs.map((doc) => copies.of(doc)!)
  const standard = [...STANDARD_TEXT_COLUMNS, ...STANDARD_INTEGER_COLUMNS].filter((name) =>
    docs.some((doc, at) => doc[name] !== of[at]![name]),
  )
  const columns = plan.columns.filter(({ name }) => copies.changed.has(name))
  const values: unknown[] = []
  for (const [at, doc] of docs.entries()) {
    values.push(of[at]!.rid)
    for (const name of standard) values.push(doc[name])
    for (const column of columns) values.push(encode(column, (doc[column.name] ?? null) as never))
  }
  const names = [...standard, ...columns.map(({ name }) => name)]
  const { insertId } = await runText(tx, statements.insertCopies(docs.length, names), values)
  const first = Number(insertId ?? 0) - docs.length + 1
  for (const [index, doc] of docs.entries()) doc.rid = first + index
}
