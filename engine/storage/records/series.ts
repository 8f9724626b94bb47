import type { DatabaseKind, Db } from '../database/database.ts'
import { seenOf } from '../database/seen-rows.ts'
import { runText, sendText } from '../database/statements.ts'

/** The next numbers of naming series, one counter per resolved prefix such as `SO-2026-`. */
export interface SeriesStore {
  /**
   * The next number, from 1, taken in the creating transaction: a create rolled back leaves no hole (rules.md §4.3).
   */
  next(tx: Db, prefix: string): Promise<number>
}

/** Makes the store. `db` only compiles statements here; each call names the one it runs on. */
export function seriesStore(db: Db, kind: DatabaseKind): SeriesStore {
  return kind === 'sqlite' ? sqliteSeries(db) : postgresSeries(db)
}

/**
 * Counters on SQLite, by an UPDATE, else an INSERT, and a SELECT. One statement that begins or counts up would do
 * here too, but SQLite runs an upsert and a RETURNING under a savepoint of their own, and each savepoint makes the
 * search index write out what the batch has gathered.
 */
function sqliteSeries(db: Db): SeriesStore {
  const countUp = db
    .updateTable('svc_series')
    .set((eb) => ({ current: eb('current', '+', 1) }))
    .where('prefix', '=', '')
    .compile().sql
  const currentSql = db
    .selectFrom('svc_series')
    .select('current')
    .where('prefix', '=', '')
    .compile().sql
  const begin = db.insertInto('svc_series').values({ prefix: '', current: 1 }).compile().sql

  async function readCurrent(tx: Db, prefix: string): Promise<number> {
    const { rows } = await runText<{ current: bigint }>(tx, currentSql, [prefix])
    return Number(rows[0]?.current)
  }

  return {
    async next(tx, prefix) {
      const seen = seenOf<number>(tx, 'svc_series')
      const { numAffectedRows } = await runText(tx, countUp, [1, prefix])
      const isNew = numAffectedRows === 0n
      if (isNew) await runText(tx, begin, [prefix, 1])
      const last = isNew ? 0 : seen?.get(prefix)
      const next = last === undefined ? await readCurrent(tx, prefix) : last + 1
      seen?.set(prefix, next)
      return next
    },
  }
}

function postgresSeries(db: Db): SeriesStore {
  const nextSql = db
    .insertInto('svc_series')
    .values({ prefix: '', current: 1 })
    .onConflict((conflict) =>
      conflict
        .column('prefix')
        .doUpdateSet((eb) => ({ current: eb('svc_series.current', '+', 1) })),
    )
    .returning('current')
    .compile().sql
  const countUp = db
    .updateTable('svc_series')
    .set((eb) => ({ current: eb('current', '+', 1) }))
    .where('prefix', '=', '')
    .compile().sql
  return {
    async next(tx, prefix) {
      const seen = seenOf<number>(tx, 'svc_series')
      const last = seen?.get(prefix)
      if (last !== undefined) {
        // The counter is ours until the commit, so it is known what it says.
        await sendText(tx, countUp, [1, prefix])
        seen?.set(prefix, last + 1)
        return last + 1
      }
      const { rows } = await runText<{ current: bigint }>(tx, nextSql, [prefix, 1, 1])
      const next = Number(rows[0]?.current)
      seen?.set(prefix, next)
      return next
    },
  }
}
