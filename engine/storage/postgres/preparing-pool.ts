import type pg from 'pg'
import { BatchingClient } from './batching-client.ts'
import { type BatchingPool, takeClient } from './postgres-pool.ts'
import {
  createHeldStatements,
  createStatementTexts,
  type HeldLimits,
  type HeldStatements,
  type StatementTexts,
} from './statement-names.ts'

export interface PreparingLimits extends HeldLimits {
  /** After so many a connection makes way for a new one: what the server keeps of them is not all given back. */
  readonly prepared: number
}

const LIMITS: PreparingLimits = { held: 200, uses: 500, prepared: 5000 }

/**
 * A pool of connections for kysely that sends what comes with `FixedParameters` under a name from its second use on,
 * so that the server need not read, analyse and plan it again (docs/decisions/0042).
 */
export function preparingPool(pool: pg.Pool, limits = LIMITS): BatchingPool {
  const texts = createStatementTexts()
  /** kysely knows connections by their identity. */
  const clients = new WeakMap<pg.PoolClient, PreparingClient>()
  return {
    options: {},
    async connect() {
      const client = await takeClient(pool)
      let preparing = clients.get(client)
      if (!preparing) {
        preparing = new PreparingClient(client, texts, limits)
        clients.set(client, preparing)
      }
      return preparing
    },
    end: () => pool.end(),
  }
}

class PreparingClient extends BatchingClient {
  readonly #client: pg.PoolClient
  readonly #held: HeldStatements
  readonly #limits: PreparingLimits

  constructor(client: pg.PoolClient, texts: StatementTexts, limits: PreparingLimits) {
    const held = createHeldStatements(texts, limits)
    super(client, held)
    this.#client = client
    this.#held = held
    this.#limits = limits
  }

  release(isBroken = false): void {
    this.#client.release(isBroken || this.#held.prepared >= this.#limits.prepared)
  }
}
