import type BetterSqlite3 from 'better-sqlite3'
import type { RowCopier } from './row-copier.ts'

export const CUSTOMERS = 500
export const ITEMS = 200

/** A day of two years, each number's own. */
export const DAY = `date('2026-12-31', '-' || (n.n * 37 % 730) || ' days')`

/** Fills the tables that some of the reports read; `rows` are those of each ledger. */
export type FillBooks = (copier: RowCopier, rows: number, database: BetterSqlite3.Database) => void
