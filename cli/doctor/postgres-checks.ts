import type { Database } from '../../engine/storage/database/database.ts'
import { LOCK_SESSION } from '../../engine/storage/migration/migration-lock.ts'
import { trigramSchema } from '../../engine/storage/postgres/postgres-rights.ts'
import {
  connectionRoom,
  lockState,
  type Pooler,
  poolerOf,
} from '../../engine/storage/postgres/postgres-sessions.ts'
import type { Settings } from '../../server/settings/settings.ts'
import { type Check, guarded, inWords, verdict } from './check.ts'

/** Wait for a lock, in s, from which on somebody should look who holds it. */
const LONG_WAIT = 15

/** Checks of what PostgreSQL alone has: the way to it, its extension, and who waits for whom. */
export async function postgresChecks(
  { read }: Database,
  url: string,
  settings: Settings,
): Promise<Check[]> {
  return [
    await guarded('connections', async () =>
      connectionCheck(await poolerOf(url), await connectionRoom(read), settings),
    ),
    await guarded('extensions', async () => extensionCheck(await trigramSchema(read))),
    await guarded('locks', () => lockCheck({ read }, settings)),
  ]
}

/** Check of what stands between, of the time-outs, and of the room for a process with these settings. */
function connectionCheck(
  pooler: Pooler,
  { most, used }: { readonly most: number; readonly used: number },
  settings: Settings,
): Check {
  const { databasePrepare, databaseStatementMs, databaseLockMs, databaseIdleMs } = settings
  const wanted = settings.databasePool + settings.databaseReadPool
  const failures: string[] = []
  const remarks: string[] = []
  if (pooler === 'transaction' && databasePrepare)
    failures.push(
      'a pooler lends connections for a transaction at a time: set SVC_DATABASE_PREPARE=off',
    )
  if (pooler === 'none' && !databasePrepare)
    remarks.push(
      'there is no pooler in between, but SVC_DATABASE_PREPARE is off: statements are planned anew each time',
    )
  if (databaseIdleMs === 0)
    remarks.push(
      'SVC_DATABASE_IDLE_MS is 0: a process that stands still in a transaction holds up the others for ever',
    )
  if (databaseLockMs === 0)
    remarks.push('SVC_DATABASE_LOCK_MS is 0: who waits for a lock waits for ever')
  if (pooler === 'none' && wanted > most)
    remarks.push(
      `a process may open ${wanted} connections, and the server takes ${most}: lower SVC_DATABASE_POOL, or raise max_connections`,
    )
  const facts = {
    pooler,
    prepare: databasePrepare,
    pool: settings.databasePool,
    read_pool: settings.databaseReadPool,
    connections_used: used,
    connections_most: most,
    connect_ms: settings.databaseConnectMs,
    statement_ms: databaseStatementMs,
    lock_ms: databaseLockMs,
    idle_ms: databaseIdleMs,
  }
  const between = pooler === 'none' ? 'straight to the server' : `by a pooler of ${pooler}s`
  return verdict(
    'connections',
    { failures, remarks },
    `${between}, up to ${wanted} of a process (${used} of ${most} taken); lock ${databaseLockMs} ms, idle in a transaction ${databaseIdleMs} ms`,
    facts,
  )
}

function extensionCheck(schema: string | undefined): Check {
  const failures =
    schema === undefined
      ? [
          'pg_trgm is missing: let the owner of the database or a superuser run `create extension pg_trgm` in it',
        ]
      : []
  return verdict('extensions', { failures }, `pg_trgm in schema ${schema}`, {
    pg_trgm: schema ?? null,
  })
}

async function lockCheck(
  { read }: Pick<Database, 'read'>,
  { databaseIdleMs }: Settings,
): Promise<Check> {
  const idleSeconds = Math.max(1, databaseIdleMs / 1000)
  const state = await lockState(read, idleSeconds, LOCK_SESSION)
  const { waiting, longest, blocker, idle, leftBehind, migrating } = state
  const remarks: string[] = []
  if (longest > LONG_WAIT) {
    const who = blocker ? `: ${JSON.stringify(blocker.application)} is ${blocker.state}` : ''
    remarks.push(
      `${waiting} waiting for locks, the first for ${inWords(longest * 1000)}${who}: end what holds it`,
    )
  }
  if (idle > 0)
    remarks.push(
      `${idle} transactions ask nothing for longer than they may: set idle_in_transaction_session_timeout for the role`,
    )
  if (leftBehind > 0)
    remarks.push(
      `${leftBehind} locks were left behind in idle sessions: restart the pooler, or end them with pg_terminate_backend`,
    )
  const facts = {
    waiting,
    longest_seconds: Math.round(longest),
    idle_in_transaction: idle,
    left_behind: leftBehind,
    migrating_seconds: migrating === null ? null : Math.round(migrating),
  }
  const now =
    migrating === null ? '' : `, a migration is under way for ${inWords(migrating * 1000)}`
  return verdict('locks', { remarks }, `${waiting} waiting for one${now}`, facts)
}
