import { CompiledQuery } from 'kysely'
import type { Db } from './database.ts'

/** The next numbers of naming series, one counter per resolved prefix such as `SO-2026-`. */
export interface SeriesStore {
  /** The next number, from 1. Taken inside the creating transaction: a rolled-back create leaves no hole (rules.md §4.3). */
  next(tx: Db, prefix: string): Promise<number>
}

export function seriesStore(db: Db): SeriesStore {
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
  return {
    async next(tx, prefix) {
      const { rows } = await tx.executeQuery<{ current: bigint }>(
        CompiledQuery.raw(nextSql, [prefix, 1, 1]),
      )
      return Number(rows[0]?.current)
    },
  }
}
