import { deepStrictEqual } from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import BetterSqlite3 from 'better-sqlite3'

/** Log of a database's deliveries, read beside the server that writes them. */
export interface DeliveryLog {
  /** Resolves when so many attempts that succeeded are in the log. */
  logged(count: number): Promise<void>
  /** Deliveries and attempts of all endpoints but these, counted by how they ended. */
  totals(except: readonly string[]): readonly object[]
  close(): void
}

const LOOK_EVERY = 20
const PATIENCE = 30_000

export function openDeliveryLog(file: string): DeliveryLog {
  const database = new BetterSqlite3(file, { readonly: true })
  const succeeded = database
    .prepare('select count(*) from svc_delivery_attempts where error is null')
    .pluck()
  return {
    async logged(count) {
      const end = performance.now() + PATIENCE
      for (;;) {
        const found = succeeded.get() as number
        if (found >= count) return
        if (performance.now() > end)
          throw new Error(`expected ${count} attempts in the log, got ${found}`)
        await wait(LOOK_EVERY)
      }
    },
    totals(except) {
      const others = `webhook_id not in (${except.map(() => '?').join(', ')})`
      return [
        `select state, attempts, count(*) as n from svc_deliveries where ${others} group by 1, 2 order by 1, 2`,
        `select event, trigger, attempt, status_code, response_preview, error, count(*) as n
         from svc_delivery_attempts where ${others} group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3`,
      ].flatMap((query) => database.prepare(query).all(...except) as object[])
    },
    close: () => void database.close(),
  }
}

/** Two senders are only comparable when they delivered the same and logged it alike. Throws AssertionError. */
export function assertSameDeliveries(
  one: DeliveryLog,
  other: DeliveryLog,
  except: readonly string[],
): void {
  deepStrictEqual(one.totals(except), other.totals(except))
}
