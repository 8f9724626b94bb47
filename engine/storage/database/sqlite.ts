import type BetterSqlite3 from 'better-sqlite3'
import { createDeepReads, type DeepLimits, STATEMENT_BUDGET_MS } from '../deep/deep-reads.ts'
import type { Errand } from '../deep/errand.ts'
import { createReaderProcess, type ReaderProcess } from '../deep/reader-process.ts'
import { createWorkBudget, type WorkBudget } from '../deep/work-budget.ts'
import { CHECKPOINT, type Checkpoints, idleCheckpoints } from './checkpoints.ts'
import type { Database } from './database.ts'
import { deepDb } from './deep-db.ts'
import { type KeptPages, keptPages } from './kept-pages.ts'
import { keepRecords, type SeenRows } from './seen-rows.ts'
import { connectSqlite } from './sqlite-connection.ts'
import { SQLITE_DIALECT, type SqliteDb, sqliteKysely } from './sqlite-dialect.ts'
import { libraryFolders } from './sqlite-library.ts'
import { type TableVersions, tableVersions } from './table-versions.ts'
import { watchWrites } from './watch-writes.ts'
import type { QueueConnection } from './write-batch.ts'
import { createWriteQueue } from './write-queue.ts'

export interface SqliteOptions {
  /** Path of the database file. */
  readonly file: string
  /** Durability: with `full` an answered write survives a power cut, with `normal` the process (reliability.md §4). */
  readonly durability?: 'full' | 'normal'
  /** Time a write waits for another process's write, in ms. */
  readonly busyTimeoutMs?: number
  /** Processes for long reads: a server has them, a command that nobody waits for beside it needs none. */
  readonly readers?: ReaderLimits
  /** Whether what it reads takes no more memory where there is much of it: for commands that read everything. */
  readonly isFrugal?: boolean
  /** Time of the database that one person may use a minute, in ms; without it nobody's is counted. */
  readonly workPerMinuteMs?: number
  /**
   * Time after which a transaction lets others have the thread, in ms. Two engines of one process with one file need
   * Infinity: one would stand still for the lock that the other can give back in its turn alone.
   */
  readonly turnMs?: number
}

export interface ReaderLimits extends DeepLimits {
  /** Most processes at once; the second is started when two persons have long work. */
  readonly most?: number
  /** Time without work after which a process ends, in ms. */
  readonly idleMs?: number
}

/** On whose behalf the log is written into the file. */
const WORKSPACE: Errand = { person: '', narrow: 'let it be' }

const READERS = 2
const IDLE_MS = 3 * 60_000

/** Opens (or makes) a workspace on SQLite: one connection that writes, one that reads beside it (WAL). */
export function openSqlite({
  file,
  durability = 'full',
  busyTimeoutMs = 10_000,
  readers,
  isFrugal = false,
  workPerMinuteMs,
  turnMs,
}: SqliteOptions): Database {
  const writer = connectSqlite(file, { durability, busyTimeoutMs })
  const frugal = isFrugal ? { spills: true } : {}
  const reader = connectSqlite(file, { durability, busyTimeoutMs, ...frugal })
  reader.pragma('query_only = on')
  const seen: SeenRows = new Map()
  const versions = tableVersions()
  const pages = keptPages(reader, writer, isFrugal ? 0 : undefined)
  const tx = sqliteKysely(writer, seen, turnMs, versions)
  const read = sqliteKysely(reader)
  const budget =
    workPerMinuteMs === undefined ? undefined : createWorkBudget({ limit: workPerMinuteMs })
  const processes = readers ? readerProcesses(file, readers) : []
  const deep = readers && createDeepReads(processes, budget, readers)
  const away = deep && (() => deep.run(WORKSPACE, CHECKPOINT, [], () => undefined))
  const checkpoints = idleCheckpoints(writer, { ...(away ? { away } : {}) })
  const queue = createWriteQueue(
    queueConnection(writer, tx, seen, [versions, checkpoints, pages]),
    {
      onWork: countAs(budget),
    },
  )
  const others = writer.prepare('pragma data_version').pluck()
  let closed: Promise<void> | undefined

  async function close(): Promise<void> {
    await queue.idle()
    await Promise.all(processes.map((one) => one.end()))
    checkpoints.stop()
    reader.close()
    writer.close()
  }

  return watchWrites({
    kind: 'sqlite',
    read,
    deep: (errand) => (deep ? deepDb(SQLITE_DIALECT, deep, errand) : read),
    workOf: (person) => budget?.of(person),
    // The number of the connection that writes is another one after each commit of somebody else.
    versionOf: (tables) => `${others.get()}.${versions.of(tables)}`,
    write: async (job, person) => {
      if (person !== undefined) budget?.assertLeft(person)
      return queue.add(job, person)
    },
    rehearse: async (job, person) => {
      if (person !== undefined) budget?.assertLeft(person)
      return queue.add(job, person, true)
    },
    apart: (job) => job(read),
    rest: pages.rest,
    close: () => {
      closed ??= close()
      return closed
    },
  })
}

/** Counts the writes of persons as work of theirs; the workspace's own are nobody's. */
function countAs(budget: WorkBudget | undefined): (person: string, ms: number) => void {
  return (person, ms) => {
    if (person !== '') budget?.use(person, ms)
  }
}

function readerProcesses(
  file: string,
  { most = READERS, idleMs = IDLE_MS, budgetMs = STATEMENT_BUDGET_MS }: ReaderLimits,
): readonly ReaderProcess[] {
  const options = { file, budgetMs, idleMs, libraryFolders: libraryFolders() }
  return Array.from({ length: most }, () => createReaderProcess(options))
}

function queueConnection(
  writer: BetterSqlite3.Database,
  tx: SqliteDb,
  seen: SeenRows,
  [versions, checkpoints, pages]: readonly [TableVersions, Checkpoints, KeptPages],
): QueueConnection {
  const begin = writer.prepare('begin immediate')
  const savepoint = writer.prepare('savepoint job')
  const release = writer.prepare('release job')
  const rollbackTo = writer.prepare('rollback to job')
  const commit = writer.prepare('commit')
  const rollback = writer.prepare('rollback')
  // Another number than before says that somebody else has written, e.g. a command beside the server.
  const dataVersion = writer.prepare('pragma data_version').pluck()
  let version: unknown
  let isCommitted = false
  return {
    tx,
    written: () => tx.written,
    waited: () => tx.waited,
    inTransaction: () => writer.inTransaction,
    begin: () => {
      tx.turnBegins()
      begin.run()
      const before = version
      version = dataVersion.get()
      if (isCommitted && version === before) keepRecords(seen)
      else seen.clear()
      isCommitted = false
    },
    savepoint: () => void savepoint.run(),
    release: () => void release.run(),
    rollbackToSavepoint: () => {
      seen.clear()
      rollbackTo.run()
      release.run()
    },
    commit: () => {
      commit.run()
      isCommitted = true
      versions.committed()
      checkpoints.committed()
      pages.committed()
    },
    rollback: () => {
      versions.forgotten()
      rollback.run()
    },
  }
}
