import { join } from 'node:path'
import { openDatabase } from '../../engine/index.ts'
import type { Database } from '../../engine/storage/database/database.ts'
import { runSql } from '../../engine/storage/database/statements.ts'
import {
  eventually,
  type Finished,
  launch,
  type Running,
  readFirstRun,
  type Served,
  serve,
  svc,
  temporaryFolder,
} from '../cli/process.ts'
import { createTestDatabase, type TestDatabaseKind } from '../helpers/databases.ts'
import { prepareStarted } from '../helpers/prepared-start.ts'

/** A workspace that real processes serve, and that a test looks at past all of them. */
export interface FaultWorkspace {
  readonly kind: TestDatabaseKind
  /** Makes what the first start makes, for what is not about that start. */
  prepare(): Promise<void>
  readonly dataFolder: string
  /** Its folder of own DocTypes. */
  readonly doctypes: string
  /** Starts one more process on it and waits until it listens. */
  start(): Promise<Served>
  /** Starts one more process and waits for nothing. */
  launch(): Running
  /** Resolves when the database has heard that a process is dead: what it sent last is done or undone by then. */
  forgotten(process: Running): Promise<void>
  /** Runs a command beside the servers. */
  command(...args: readonly string[]): Promise<Finished>
  /** The same, and waits for nothing. */
  launchCommand(...args: readonly string[]): Running
  /** The admin key of the first run. */
  key(): string
  /** Rows as the database has them; whole numbers are BigInt. */
  rows<Row>(text: string): Promise<readonly Row[]>
  /** Ends every process that still runs and removes all files. */
  remove(): Promise<void>
}

/** Deliveries are tried again after 5, 30, 120, … ms; all twelve attempts take some 90 s. */
const RETRY_BASE_MS = '5'

/** An empty workspace; the first process that starts sets it up. `settings` go before those that all tests here have. */
export async function createFaultWorkspace(
  kind: TestDatabaseKind,
  settings: Readonly<Record<string, string>> = {},
): Promise<FaultWorkspace> {
  const folder = temporaryFolder()
  const data = join(folder.path, 'data')
  const created = await createTestDatabase(kind)
  const file = join(data, 'workspace.db')
  const where = created.database.kind === 'postgres' ? created.database.url : undefined
  const env = {
    SVC_RATE_LIMIT: 'off',
    SVC_WEBHOOK_RETRY_BASE_MS: RETRY_BASE_MS,
    SVC_SECRET_KEY: Buffer.alloc(32, 9).toString('base64'),
    ...settings,
  }
  const names = new Map<number, string>()
  const running = new Set<Running>()
  // A run that is given up half-way leaves no server behind.
  const killAll = (): void => {
    for (const one of running) void one.end('SIGKILL')
  }
  process.on('exit', killAll)
  let opened: Promise<Database> | undefined

  /** Each process signs its database sessions with a name of its own. */
  function database(name: string): string[] {
    if (where === undefined) return []
    const url = new URL(where)
    url.searchParams.set('application_name', name)
    return ['--database', url.href]
  }

  function known<Started extends Running>(started: Started, name: string): Started {
    names.set(started.pid, name)
    running.add(started)
    void started.ended.then(() => running.delete(started))
    return started
  }

  async function rows<Row>(text: string): Promise<readonly Row[]> {
    opened ??= openDatabase(
      where === undefined ? { kind: 'sqlite', file } : { kind: 'postgres', url: where },
    )
    return runSql<Row>((await opened).read, text, [])
  }

  let starts = 0
  function nextName(): string {
    starts += 1
    return `fault-${starts}`
  }

  return {
    kind,
    dataFolder: data,
    prepare: () => prepareStarted(data, kind === 'sqlite' ? undefined : created.database),
    doctypes: join(data, 'doctypes'),
    async start() {
      const name = nextName()
      return known(await serve(data, database(name), env), name)
    },
    launch() {
      const name = nextName()
      const args = ['serve', '--port', '0', '--data', data, ...database(name)]
      return known(launch(args, env), name)
    },
    async forgotten({ pid, ended }) {
      await ended
      if (kind === 'sqlite') return
      const name = names.get(pid)
      await eventually(
        async () =>
          (
            await rows(
              `select 1 from pg_stat_activity
                where datname = current_database() and application_name = '${name}'`,
            )
          ).length === 0,
      )
    },
    command: (...args) => svc([...args, '--data', data, ...database('command')], env),
    launchCommand: (...args) => launch([...args, '--data', data, ...database('command')], env),
    key: () => readFirstRun(data).admin_key,
    rows,
    async remove() {
      await Promise.all([...running].map((one) => one.end('SIGKILL')))
      process.off('exit', killAll)
      await (await opened)?.close()
      await created.remove()
      folder.remove()
    },
  }
}
