import { randomUUID } from 'node:crypto'
import type { Db } from '../engine/storage/database/database.ts'
import { settingReader, writeSetting } from '../engine/storage/workspace/settings.ts'
import { allWebhooks, type WebhookRow } from './store.ts'

/** Setting that changes with every change of a subscription; missing until there was one. */
const VERSION = 'webhooks:version'

/** Notes a change of subscriptions; to be called in every transaction that makes one. */
export async function subscriptionsChanged(tx: Db): Promise<void> {
  await writeSetting(tx, VERSION, randomUUID())
}

/**
 * Reads the subscriptions as a transaction sees them, at the cost of one small row while nobody changes them:
 * that is what every write of a workspace pays. `make` turns them into what the caller works with, once for
 * each version.
 */
export function currentSubscriptions<T>(
  make: (rows: readonly WebhookRow[]) => T,
): (db: Db) => Promise<T> {
  const readVersion = settingReader(VERSION)
  const none = make([])
  let known: { readonly version: string; readonly value: T } | undefined
  return async (db) => {
    const version = await readVersion(db)
    if (version === undefined) return none
    if (known?.version !== version) known = { version, value: make(await allWebhooks(db)) }
    return known.value
  }
}
