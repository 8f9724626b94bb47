import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { takeClient } from './postgres-pool.ts'
import {
  createHeldStatements,
  createStatementTexts,
  type HeldLimits,
  type HeldStatements,
  type StatementTexts,
} from './statement-names.ts'
import { FixedParameters } from './statements.ts'

export interface PreparingLimits extends HeldLimits {
  /** The driver keeps the text of each it ever prepared: after so many a connection makes way for a new one. */
  readonly prepared: number
}

const LIMITS: PreparingLimits = { held: 200, uses: 500, prepared: 5000 }

/** invalid_sql_statement_name and duplicate_prepared_statement (PostgreSQL, appendix A). */
const LOST = new Set(['26000', '42P05'])

/**
 * A pool of connections for kysely that sends what comes with `FixedParameters` under a name from its second use on,
 * so that the server need not read, analyse and plan it again (docs/decisions/0042).
 */
export function preparingPool(pool: pg.Pool, limits = LIMITS): PostgresPool {
  const texts = createStatementTexts()
  /** kysely knows connections by their identity. */
  const clients = new WeakMap<pg.PoolClient, PreparingClient>()
  return {
    async connect() {
      const client = await takeClient(pool)
      let preparing = clients.get(client)
      if (!preparing) {
        preparing = new PreparingClient(client, texts, limits)
        clients.set(client, preparing)
      }
      return preparing as unknown as PostgresPoolClient
    },
    end: () => pool.end(),
  } as PostgresPool
}

/**
 * Whether a statement failed because what the server holds under its name is gone, or gives other columns since a
 * migration. It has done nothing then; in a transaction all of it is to be tried again.
 */
export function isStaleStatement(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  if (LOST.has(String(error.code))) return true
  // "cached plan must not change result type", in whichever language the server speaks.
  return error.code === '0A000' && 'routine' in error && error.routine === 'RevalidateCachedQuery'
}

class PreparingClient {
  readonly #client: pg.PoolClient
  readonly #held: HeldStatements
  readonly #limits: PreparingLimits

  constructor(client: pg.PoolClient, texts: StatementTexts, limits: PreparingLimits) {
    this.#client = client
    this.#limits = limits
    this.#held = createHeldStatements(texts, limits)
  }

  async query(text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    const client = this.#client
    const isFixed = values instanceof FixedParameters
    const { name, drop } = isFixed ? this.#held.hold(text) : UNNAMED
    if (name === undefined) return client.query(text, [...values])
    try {
      // Neither waits for the other: what is sent after them stays behind them.
      const dropped = drop.length > 0 ? client.query(drop.map(deallocate).join('; ')) : undefined
      const [result] = await Promise.all([
        client.query({ name, text, values: [...values] }),
        dropped,
      ])
      return result
    } catch (error) {
      if (!isStaleStatement(error)) throw error
      this.#held.forget()
      if (client.getTransactionStatus() !== 'I') throw error
      return await client.query(text, [...values])
    }
  }

  release(isBroken = false): void {
    this.#client.release(isBroken || this.#held.prepared >= this.#limits.prepared)
  }
}

function deallocate(name: string): string {
  return `deallocate ${name}`
}

const UNNAMED = { name: undefined, drop: [] }
