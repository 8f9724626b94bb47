import type { Socket } from 'node:net'
import pg from 'pg'
import type { DeepRow, Errand, Lane, TakePage } from '../deep/errand.ts'
import { overBudget } from '../deep/over-budget.ts'

/** Connections for long reads. */
export interface LongReads {
  readonly pool: pg.Pool
  /** The database that is written to. */
  readonly primary: pg.Pool
  /** Whether `pool` is of another server, which may lag behind. */
  readonly isReplica: boolean
  readonly budgetMs: number
  /** Whether its connections have the budget as theirs; behind a pooler each statement brings it along. */
  readonly isBudgetOfConnection: boolean
}

/** query_canceled: what PostgreSQL stops by `statement_timeout` (appendix A). */
const CANCELED = '57014'

/** Rows handed on at once. */
const ROWS_AT_ONCE = 200

/** Longest wait for a replica to have what was committed, and between two looks at it, in ms. */
const FRESH_MS = 1_000
const LOOK_MS = 25

/** Lane of one long read at a time: PostgreSQL stops the statement itself when its budget is over. */
export function longReads(long: LongReads): Lane {
  return {
    async read(errand, text, parameters, take) {
      const { client, isPrimary } = await freshClient(long)
      const began = performance.now()
      const bringsBudget = isPrimary || !long.isBudgetOfConnection
      let isBroken = true
      try {
        if (bringsBudget)
          await client.query(`begin read only; set local statement_timeout = ${long.budgetMs}`)
        await eachRow(client, text, parameters, take)
        if (bringsBudget) await client.query('commit')
        isBroken = false
        return performance.now() - began
      } catch (error) {
        throw inWords(error, errand, long.budgetMs)
      } finally {
        // One whose rows nobody took to the end has more to say: it makes way for a new one.
        client.release(isBroken)
      }
    },
  }
}

/** Reads rows as they arrive, so that no answer is held whole. */
function eachRow(
  client: pg.PoolClient,
  text: string,
  parameters: readonly unknown[],
  take: TakePage,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let page: DeepRow[] = []
    let failed = false
    const { stream } = (
      client as pg.PoolClient & { readonly connection: { readonly stream: Socket } }
    ).connection
    // One piece of it a turn of the event loop: what arrives fast would keep everybody else from being heard.
    const letOthers = (): void => {
      stream.pause()
      setImmediate(() => stream.resume())
    }
    const hand = (): void => {
      const rows = page
      page = []
      try {
        if (!failed) take(rows)
      } catch (error) {
        failed = true
        reject(error)
      }
    }
    const query = new pg.Query<DeepRow>({ text, values: [...parameters] })
    query.on('row', (row) => {
      page.push(row)
      if (page.length < ROWS_AT_ONCE) return
      hand()
      letOthers()
    })
    query.on('end', () => {
      hand()
      resolve()
    })
    query.on('error', reject)
    client.query(query)
  })
}

interface FreshClient {
  readonly client: pg.PoolClient
  /** Whether it is one for writes and short reads. */
  readonly isPrimary: boolean
}

/** A connection to where everything is that this process has committed: the replica as soon as it has it. */
async function freshClient({ pool, primary, isReplica }: LongReads): Promise<FreshClient> {
  if (!isReplica) return { client: await pool.connect(), isPrimary: false }
  const { rows } = await primary.query<{ at: string }>('select pg_current_wal_insert_lsn() as at')
  const client = await pool.connect()
  const until = performance.now() + FRESH_MS
  try {
    while (performance.now() < until) {
      if (await hasReached(client, rows[0]!.at)) return { client, isPrimary: false }
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    }
  } catch (error) {
    client.release(true)
    throw error
  }
  client.release()
  return { client: await primary.connect(), isPrimary: true }
}

/** Whether a server has what stands before a place of the log; one that is no replica has everything. */
async function hasReached(client: pg.PoolClient, place: string): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(
    'select not pg_is_in_recovery() or pg_last_wal_replay_lsn() >= $1::pg_lsn as there',
    [place],
  )
  return rows[0]!.there
}

function inWords(error: unknown, errand: Errand, budgetMs: number): unknown {
  const isOver = error instanceof Error && 'code' in error && error.code === CANCELED
  return isOver ? overBudget(errand, budgetMs) : error
}
