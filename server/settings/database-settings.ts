import type { SettingRow } from './setting-row.ts'
import { oneOf, readCount, readDatabaseUrl } from './setting-values.ts'

/** Settings of the database: which one, and what a request may cost it. Times are in ms; 0 is no limit. */
export interface DatabaseSettings {
  readonly databaseUrl: string | undefined
  /** Replica for long reads; undefined = they go to the database itself. */
  readonly databaseReadUrl: string | undefined
  /** Connections of this process, and those for long reads. */
  readonly databasePool: number
  readonly databaseReadPool: number
  readonly databaseConnectMs: number
  readonly databaseStatementMs: number
  readonly databaseLockMs: number
  readonly databaseIdleMs: number
  /** Whether statements to PostgreSQL are sent under a name. */
  readonly databasePrepare: boolean
  readonly durability: 'full' | 'normal'
  /** Processes for long reads of SQLite; 0 = they run in the server itself. */
  readonly readers: number
  /** Longest time of a report, a search, a count or a long list. */
  readonly statementBudgetMs: number
  /** Time for these and for writes that one person may use a minute; undefined = what is usual for the database. */
  readonly workPerMinuteMs: number | undefined
}

const DURABILITIES = ['full', 'normal'] as const

/** An hour: longer is a slip. */
const MOST_MS = 3_600_000
const MOST_CONNECTIONS = 500
const MOST_READERS = 8

/** Rows of the database's settings; the table of all is in settings.ts. */
export const DATABASE_SETTING_ROWS: {
  readonly [Key in keyof DatabaseSettings]: SettingRow<DatabaseSettings[Key]>
} = {
  databaseUrl: {
    variable: 'SVC_DATABASE_URL',
    flag: '--database',
    type: 'postgres://… URL',
    default: '',
    meaning: 'PostgreSQL database of the workspace; without it, SQLite in the data folder.',
    read: readDatabaseUrl,
  },
  databaseReadUrl: {
    variable: 'SVC_DATABASE_READ_URL',
    type: 'postgres://… URL',
    default: '',
    meaning:
      'PostgreSQL: a replica for reports, counts, searches and long lists; one that lags behind is waited for a second, then the database itself is asked.',
    read: readDatabaseUrl,
  },
  databasePool: {
    variable: 'SVC_DATABASE_POOL',
    type: `integer 2–${MOST_CONNECTIONS}`,
    default: '10',
    meaning: 'PostgreSQL: most connections of this process for writes and short reads.',
    read: readCount(2, MOST_CONNECTIONS),
  },
  databaseReadPool: {
    variable: 'SVC_DATABASE_READ_POOL',
    type: `integer 1–${MOST_CONNECTIONS}`,
    default: '4',
    meaning: 'PostgreSQL: most connections of this process for long reads, beside the others.',
    read: readCount(1, MOST_CONNECTIONS),
  },
  databaseConnectMs: {
    variable: 'SVC_DATABASE_CONNECT_MS',
    type: `integer 1–${MOST_MS}`,
    default: '10000',
    meaning:
      'PostgreSQL: longest wait of a request for a connection, in ms; then it is a 503, and not one more in the row.',
    read: readCount(1, MOST_MS),
  },
  databaseStatementMs: {
    variable: 'SVC_DATABASE_STATEMENT_MS',
    type: `integer 0–${MOST_MS}`,
    default: '60000',
    meaning:
      'PostgreSQL: longest time of a write or short read in a server, in ms; 0 is no limit. Migrations have none.',
    read: readCount(0, MOST_MS),
  },
  databaseLockMs: {
    variable: 'SVC_DATABASE_LOCK_MS',
    type: `integer 0–${MOST_MS}`,
    default: '10000',
    meaning:
      'PostgreSQL: longest wait of a statement for a lock of somebody else in a server, in ms; 0 is no limit.',
    read: readCount(0, MOST_MS),
  },
  databaseIdleMs: {
    variable: 'SVC_DATABASE_IDLE_MS',
    type: `integer 0–${MOST_MS}`,
    default: '15000',
    meaning:
      'PostgreSQL: time after which the database ends a transaction that asks nothing, e.g. of a process that was stopped, in ms; 0 is no limit.',
    read: readCount(0, MOST_MS),
  },
  databasePrepare: {
    variable: 'SVC_DATABASE_PREPARE',
    type: 'on or off',
    default: 'on',
    meaning:
      'PostgreSQL: whether statements are kept prepared; off behind a pooler that lends a connection for a transaction at a time.',
    read: (text) => oneOf(['on', 'off'])(text) === 'on',
  },
  durability: {
    variable: 'SVC_DURABILITY',
    flag: '--durability',
    type: DURABILITIES.join(' or '),
    default: 'full',
    meaning:
      'SQLite: `full` survives a power cut, `normal` a crash of the process only, and is faster.',
    read: oneOf(DURABILITIES),
  },
  readers: {
    variable: 'SVC_READERS',
    type: `integer 0–${MOST_READERS}`,
    default: '2',
    meaning:
      'SQLite: most processes beside the server for reports, counts, searches and long lists; they start when there is such work and end after a few minutes without. One of them also writes the log of a busy database into its file. 0 runs it in the server, which answers nobody meanwhile.',
    read: readCount(0, MOST_READERS),
  },
  statementBudgetMs: {
    variable: 'SVC_STATEMENT_BUDGET_MS',
    type: `integer 1–${MOST_MS}`,
    default: '5000',
    meaning:
      'Longest time of the database for one report, count, search or long list, in ms; then it is stopped and the request is a 503 that says what to narrow.',
    read: readCount(1, MOST_MS),
  },
  workPerMinuteMs: {
    variable: 'SVC_WORK_PER_MINUTE_MS',
    type: `integer 1–${MOST_MS}`,
    default: '',
    meaning:
      'Time of the database that one person may use a minute for these and for all they write, in ms; then 429. Without it 30000, and 120000 on PostgreSQL, which works at many things at once. Not counted where `SVC_RATE_LIMIT` is off.',
    read: readCount(1, MOST_MS),
  },
}
