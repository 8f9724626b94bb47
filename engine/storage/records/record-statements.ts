import { type CompiledQuery, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { once } from '../../base/once.ts'
import type { DatabaseKind, Db, Tables } from '../database/database.ts'
import { blankRows, type TextsByShape, textsByRows, textsByShape } from '../database/statements.ts'
import { STANDARD_COLUMNS } from './record-row.ts'
import type { DocTable } from './tables.ts'

/**
 * What others may do with a locked record: link to it (`change`), or nothing (`end`, before a cancel or delete).
 * `read` keeps it as it is, for any number at once.
 */
export type LockStrength = 'read' | 'change' | 'end'

/** Texts of the statements by which records of one DocType go in and out; each is built once. */
export interface RecordStatements {
  /** The record of a name. */
  readonly find: string
  /** The same with `FILLED`: a bit for each of its tables, from the lowest, that is 1 where the table has rows. */
  readonly whole: string
  /** `whole`, locked; with `SAME` where others may write meanwhile. */
  readonly lockWhole: Readonly<Record<LockStrength, string>>
  /** `FILLED` of the record of a rid. */
  readonly filled: string
  /** The same as `find`, locked against other writers. */
  readonly lock: Readonly<Record<LockStrength, string>>
  /** `lock.read`, of a record that nobody is about to change: it waits for none, and gives no row then. */
  readonly lockFree: string
  /** The records of so many names. */
  findMany(names: number): string
  /** Name, docstatus and owner of so many names, kept from being deleted or cancelled by others. */
  hold(names: number): string
  /** The records of so many names, kept as `hold` keeps them. */
  findHeld(names: number): string
  /** One record, its columns in the order of `insertedValues`. */
  readonly insert: string
  /** So many records with the standard columns and these others; PostgreSQL tells the `rid` of each name. */
  insertMany(records: number, columns: readonly string[]): string
  /**
   * So many records that are copies of ones that are there, with other values in these columns; parameters are, for each, the
   * `rid` of that one and the values. SQLite alone, which takes half as long for it as for sending every column.
   */
  insertCopies(records: number, columns: readonly string[]): string
  /** These columns of the record of a rid. */
  update(columns: readonly string[]): string
  /** Lists, by their shape. */
  readonly lists: TextsByShape
}

/** Column of `whole` that no field can be named like. */
export const FILLED = '#filled'

/** Column of `lockWhole` that is false where another wrote the record while it was waited for: its `FILLED` is of the time before. */
export const SAME = '#same'

/** Records read, held or inserted together whose statement is kept. */
const MAX_KEPT_NAMES = 50
/** Names of one statement where SQLite is asked for many more: the text for just so many is kept. */
export const NAMES_AT_ONCE = 200

/** Sets of changed columns, and shapes of lists, whose text is kept for each DocType. */
const MAX_SHAPES = 200

/** Builds the texts for a DocType on a database of this kind. */
export function recordStatements(plan: DocTable, db: Db, kind: DatabaseKind): RecordStatements {
  const { table } = plan
  const columns = [...STANDARD_COLUMNS, ...plan.columns.map(({ name }) => name)]
  const findQuery = db.selectFrom(table).select(columns).where('name', '=', '').limit(sql.lit(1))
  const find = findQuery.compile().sql
  const whole = wholeQuery(plan, findQuery).compile().sql
  const named = (on: Db, count: number, names: readonly string[]) =>
    on.selectFrom(table).select(names).where('name', 'in', Array<string>(count).fill(''))
  const many = textsByRows((on, count) => named(on, count, columns).compile(), MAX_KEPT_NAMES)
  const full = once(() => many(db, NAMES_AT_ONCE))
  /** PostgreSQL takes the locks in one order everywhere, so that two changes do not wait for each other. */
  const { belongsTo } = plan.definition
  const held = ['name', 'docstatus', ...(belongsTo === undefined ? [] : [belongsTo])]
  const holding = (wanted: readonly string[]) =>
    textsByRows((on, count) => {
      const query = named(on, count, wanted)
      return (kind === 'postgres' ? query.orderBy('rid').forKeyShare() : query).compile()
    }, MAX_KEPT_NAMES)
  const holds = holding(held)
  const heldRecords = holding(columns)
  const standard = STANDARD_COLUMNS.filter((name) => name !== 'rid')
  const inserts = textsByShape(MAX_SHAPES)
  const insertsOf = (records: number, others: readonly string[]) => {
    const insert = db.insertInto(table).values(blankRows([...standard, ...others], records))
    return (kind === 'postgres' ? insert.returning(['rid', 'name']) : insert).compile()
  }
  const copies = textsByShape(MAX_SHAPES)
  const updates = textsByShape(MAX_SHAPES)
  // SQLite's writer is alone by BEGIN IMMEDIATE.
  const locks =
    kind === 'postgres'
      ? {
          lock: lockTexts(findQuery),
          lockFree: findQuery.forShare().skipLocked().compile().sql,
          lockWhole: lockTexts(sameQuery(plan, wholeQuery(plan, findQuery))),
        }
      : {
          lock: { read: find, change: find, end: find },
          lockFree: find,
          lockWhole: { read: whole, change: whole, end: whole },
        }
  return {
    find,
    whole,
    ...locks,
    filled: filledText(plan, db),
    findMany: (names) => (names === NAMES_AT_ONCE ? full() : many(db, names)),
    hold: (names) => holds(db, names),
    findHeld: (names) => heldRecords(db, names),
    insert: insertQuery(db, table, kind, columns).sql,
    insertMany: (records, others) =>
      inserts(`${records} ${others.join(' ')}`, () => insertsOf(records, others)),
    insertCopies: (records, changed) =>
      copies(`${records} ${changed.join(' ')}`, () =>
        copyQuery(table, columns, records, changed).compile(db),
      ),
    update: (changed) =>
      updates(changed.join(' '), () =>
        db.updateTable(table).set(unset(changed)).where('rid', '=', 0).compile(),
      ),
    lists: textsByShape(MAX_SHAPES),
  }
}

/** `values` comes first in the join, so that the copies are numbered in its order. */
function copyQuery(
  table: string,
  columns: readonly string[],
  records: number,
  changed: readonly string[],
): RawBuilder<unknown> {
  const copied = columns.filter((name) => name !== 'rid')
  const row = sql`(${sql.join(['rid', ...changed].map(() => sql`${''}`))})`
  const rows = sql.join(Array.from({ length: records }, () => row))
  const cells = copied.map((name) => {
    const at = changed.indexOf(name)
    return at < 0 ? sql.ref(`o.${name}`) : sql.ref(`v.column${at + 2}`)
  })
  return sql`insert into ${sql.table(table)} (${sql.join(copied.map((name) => sql.ref(name)))})
    select ${sql.join(cells)} from (values ${rows}) as v cross join ${sql.table(table)} as o on o.rid = v.column1`
}

type FindQuery = SelectQueryBuilder<Tables, string, Record<string, unknown>>

/** Most tables of a DocType are empty in most records, and finding that out here costs no statement of its own. */
function wholeQuery({ table, children }: DocTable, find: FindQuery): FindQuery {
  if (children.length === 0) return find
  return find.select(bitsOf({ table, children }).as(FILLED)) as FindQuery
}

/** What PostgreSQL finds in the record itself is as the lock has it; what it finds elsewhere is as the statement found it. */
function sameQuery({ table, children }: DocTable, whole: FindQuery): FindQuery {
  if (children.length === 0) return whole
  const found = sql`(select f.xmin from ${sql.table(table)} as f where f.rid = ${sql.ref(`${table}.rid`)})`
  return whole.select(sql`${sql.ref(`${table}.xmin`)} = ${found}`.as(SAME)) as FindQuery
}

function filledText(plan: DocTable, db: Db): string {
  const bits = plan.children.length === 0 ? sql.lit(0) : bitsOf(plan)
  return db.selectFrom(plan.table).select(bits.as(FILLED)).where('rid', '=', 0).compile().sql
}

/** A bit for each table of a record that has rows, from the lowest. */
function bitsOf({ table, children }: Pick<DocTable, 'table' | 'children'>): RawBuilder<unknown> {
  const bits = children.map((child, index) => {
    const rows = sql`select 1 from ${sql.table(child.table)} where parent = ${sql.ref(`${table}.rid`)}`
    return sql`case when exists (${rows}) then ${sql.lit(2 ** index)} else 0 end`
  })
  return sql`${sql.join(bits, sql` + `)}`
}

function lockTexts(find: FindQuery): RecordStatements['lock'] {
  return {
    read: find.forShare().compile().sql,
    change: find.forNoKeyUpdate().compile().sql,
    end: find.forUpdate().compile().sql,
  }
}

/** SQLite says the rid anyway, and a RETURNING would cost it a savepoint (series.ts). */
function insertQuery(
  db: Db,
  table: string,
  kind: DatabaseKind,
  columns: readonly string[],
): CompiledQuery {
  const values = unset(columns.filter((name) => name !== 'rid'))
  const insert = db.insertInto(table).values(values)
  return (kind === 'postgres' ? insert.returning('rid') : insert).compile()
}

function unset(columns: readonly string[]): Record<string, string> {
  return Object.fromEntries(columns.map((name) => [name, '']))
}
