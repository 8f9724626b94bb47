import { SYSTEM_MANAGER } from '../engine/access/roles.ts'
import { AppError } from '../engine/base/errors.ts'
import type { DocTypeDefinition } from '../engine/definition/model/definition.ts'
import type { EventLine, EventScene, EventSink } from '../engine/documents/work/context.ts'
import type { DatabaseKind, Db } from '../engine/storage/database/database.ts'
import { lockKey } from '../engine/storage/database/key-lock.ts'
import { selectStanding } from '../engine/storage/workspace/people.ts'
import { lastAttempts } from './attempt-store.ts'
import { shownWebhook } from './shown-webhook.ts'
import { selectWebhooksOf, updateWebhook, type WebhookRow } from './store.ts'
import { subscriptionsChanged } from './version.ts'

/** Outcome of a webhook whose person is gone: somebody else has it, or it waits for a System Manager. */
export interface WebhookLeft {
  readonly id: string
  readonly action: 'handed_over' | 'paused'
}

/**
 * Sink of events that pauses the webhooks of who may have none any more, in the transaction of the change: what its
 * person may not see it is not told (safety D8). `webhooks.paused` tells of each; who sets it to `active` takes it over.
 */
export function webhookOwners(): EventSink {
  return async (tx, events, scene) => {
    const people = scene.registry.serving('users')
    const changed = events.filter(({ resource }) => resource === people?.slug)
    for (const login of new Set(changed.map(({ record_id }) => record_id))) {
      await lockKey(tx, scene.kind, lockOf(login))
      const reason = await reasonOf(tx, people!, login)
      if (reason === undefined) continue
      const paused = await pauseWebhooksOf(tx, login, reason)
      await scene.log(await pausedLines(tx, paused))
    }
  }
}

/** Gives the webhooks of somebody to somebody else, who may see what they send: those that paused with them go on. */
export async function handOverWebhooks(
  tx: Db,
  from: string,
  to: string,
): Promise<readonly WebhookLeft[]> {
  const rows = await selectWebhooksOf(tx, from)
  for (const { id, paused_because } of rows) {
    const goesOn =
      paused_because === null ? {} : ({ status: 'active', paused_because: null } as const)
    await updateWebhook(tx, id, { login: to, ...goesOn })
  }
  if (rows.length > 0) await subscriptionsChanged(tx)
  return rows.map(({ id }) => ({ id, action: 'handed_over' }))
}

/**
 * Refuses a webhook to somebody who may have none, as they are now: they may have been changed since they were asked who
 * they are. Whoever changes them meanwhile waits, and pauses it then. Throws FORBIDDEN.
 */
export async function assertMayOwn(
  tx: Db,
  kind: DatabaseKind,
  people: DocTypeDefinition | undefined,
  login: string | undefined,
): Promise<void> {
  if (login === undefined || !people) return
  await lockKey(tx, kind, lockOf(login))
  const reason = await reasonOf(tx, people, login)
  if (reason !== undefined)
    throw new AppError('FORBIDDEN', `webhooks are for System Managers, and ${reason}`)
}

function lockOf(login: string): string {
  return `webhooks of ${login}`
}

async function reasonOf(
  tx: Db,
  people: DocTypeDefinition,
  login: string,
): Promise<string | undefined> {
  const standing = await selectStanding(tx, people, login, SYSTEM_MANAGER)
  if (!standing) return `${login} was deleted`
  if (!standing.enabled) return `${login} is disabled`
  return standing.hasRole ? undefined : `${login} is no ${SYSTEM_MANAGER}`
}

async function pauseWebhooksOf(tx: Db, login: string, reason: string): Promise<WebhookRow[]> {
  const all = await selectWebhooksOf(tx, login)
  const rows = all.filter(
    ({ status, paused_because }) => status !== 'disabled' && paused_because === null,
  )
  const change = { status: 'paused', paused_because: reason } as const
  for (const { id } of rows) await updateWebhook(tx, id, change)
  if (rows.length > 0) await subscriptionsChanged(tx)
  return rows.map((row) => ({ ...row, ...change }))
}

async function pausedLines(
  tx: Db,
  rows: readonly WebhookRow[],
): Promise<Parameters<EventScene['log']>[0]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const last = await lastAttempts(tx, ids)
  return rows.map((row): EventLine => {
    const data = JSON.stringify(shownWebhook(row, last.get(row.id)))
    return { resource: 'webhooks', kind: 'paused', record_id: row.id, data }
  })
}
