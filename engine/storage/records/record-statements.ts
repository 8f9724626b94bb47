import { type CompiledQuery, type SelectQueryBuilder, sql } from 'kysely'
import type { DatabaseKind, Db, Tables } from '../database/database.ts'
import { type TextsByShape, textsByRows, textsByShape } from '../database/statements.ts'
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
  /** The same, locked against other writers. */
  readonly lock: Readonly<Record<LockStrength, string>>
  /** The records of so many names. */
  findMany(names: number): string
  /** Name, docstatus and owner of so many names, kept from being deleted or cancelled by others. */
  hold(names: number): string
  /** One record, its columns in the order of `insertedValues`. */
  readonly insert: string
  /** These columns of the record of a rid. */
  update(columns: readonly string[]): string
  /** Lists, by their shape. */
  readonly lists: TextsByShape
}

/** Records read or held together whose SELECT is kept. */
const MAX_KEPT_NAMES = 50

/** Sets of changed columns, and shapes of lists, whose text is kept for each DocType. */
const MAX_SHAPES = 200

/** Builds the texts for a DocType on a database of this kind. */
export function recordStatements(plan: DocTable, db: Db, kind: DatabaseKind): RecordStatements {
  const { table } = plan
  const columns = [...STANDARD_COLUMNS, ...plan.columns.map(({ name }) => name)]
  const findQuery = db.selectFrom(table).select(columns).where('name', '=', '').limit(sql.lit(1))
  const find = findQuery.compile().sql
  const named = (on: Db, count: number, names: readonly string[]) =>
    on.selectFrom(table).select(names).where('name', 'in', Array<string>(count).fill(''))
  const many = textsByRows((on, count) => named(on, count, columns).compile(), MAX_KEPT_NAMES)
  /** PostgreSQL takes the locks in one order everywhere, so that two changes do not wait for each other. */
  const { belongsTo } = plan.definition
  const held = ['name', 'docstatus', ...(belongsTo === undefined ? [] : [belongsTo])]
  const holds = textsByRows((on, count) => {
    const query = named(on, count, held)
    return (kind === 'postgres' ? query.orderBy('rid').forKeyShare() : query).compile()
  }, MAX_KEPT_NAMES)
  const updates = textsByShape(MAX_SHAPES)
  return {
    find,
    // SQLite's writer is alone by BEGIN IMMEDIATE.
    lock: kind === 'postgres' ? lockTexts(findQuery) : { read: find, change: find, end: find },
    findMany: (names) => many(db, names),
    hold: (names) => holds(db, names),
    insert: insertQuery(db, table, kind, columns).sql,
    update: (changed) =>
      updates(changed.join(' '), () =>
        db.updateTable(table).set(unset(changed)).where('rid', '=', 0).compile(),
      ),
    lists: textsByShape(MAX_SHAPES),
  }
}

function lockTexts(
  find: SelectQueryBuilder<Tables, string, Record<string, unknown>>,
): RecordStatements['lock'] {
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
