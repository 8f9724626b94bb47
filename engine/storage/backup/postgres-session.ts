import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Database, Tables } from '../database/database.ts'
import { rehearsed } from '../database/rehearsed.ts'
import { onOwnConnection } from '../postgres/postgres.ts'
import { POSTGRES_TYPES } from '../postgres/postgres-types.ts'

/** One connection to a workspace on PostgreSQL, for queries and for the streams of COPY alike. */
export interface PostgresSession extends Database {
  readonly client: pg.Client
}

/** Connects; the server is told to cut off neither long statements nor long transactions. */
export async function connectPostgres(url: string): Promise<PostgresSession> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'svc',
    types: POSTGRES_TYPES,
  })
  // A lost connection fails the query that runs, which reports it; unheard, it would end the process.
  client.on('error', () => undefined)
  await client.connect()
  await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0')
  const only = { query: client.query.bind(client), release: () => undefined }
  const read = new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: { options: {}, connect: async () => only as never, end: async () => undefined },
    }),
  })
  return {
    kind: 'postgres',
    client,
    read,
    deep: () => read,
    workOf: () => undefined,
    versionOf: () => undefined,
    trouble: () => undefined,
    write: (job) => read.transaction().execute(job),
    rehearse: (job) => rehearsed((tried) => read.transaction().execute(tried), job),
    apart: (job) => onOwnConnection({ url }, job),
    rest: () => undefined,
    close: () => closeNow(client),
  }
}

/** Closes a connection even in the middle of a COPY that was given up, for which the server would make us wait. */
async function closeNow(client: pg.Client): Promise<void> {
  const { stream } = (client as unknown as { connection: { stream: { destroy(): void } } })
    .connection
  const ended = client.end()
  const timer = setTimeout(() => stream.destroy(), 1000)
  await ended
  clearTimeout(timer)
}
