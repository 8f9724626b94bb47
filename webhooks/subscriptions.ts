import type { Actor, Scope } from '../engine/access/actor.ts'
import { assertScope } from '../engine/access/can.ts'
import { AppError } from '../engine/base/errors.ts'
import { newId } from '../engine/base/ids.ts'
import type { DocTypeDefinition } from '../engine/definition/model/definition.ts'
import type { DatabaseKind, Db } from '../engine/storage/database/database.ts'
import { lastAttempts } from './attempt-store.ts'
import { assertMayOwn } from './owners.ts'
import { type ShownWebhook, shownWebhook } from './shown-webhook.ts'
import { openSecrets, rotated, sealSecrets } from './signing/secrets.ts'
import { newSecret } from './signing/signature.ts'
import {
  countWebhooks,
  deleteWebhook,
  findWebhook,
  insertWebhook,
  lockWebhook,
  updateWebhook,
  type WebhookRow,
} from './store.ts'
import { subscriptionsChanged } from './version.ts'
import type { WebhookInput } from './webhook-input.ts'

/** Most subscriptions of a workspace: every write of it looks at all of them. */
export const MAX_SUBSCRIPTIONS = 500

const API_VERSION = 'v1'

/** Scene of a change of subscriptions: in a transaction, at a moment, by somebody, with the workspace's secret key. */
export interface Scene {
  readonly actor: Actor
  readonly tx: Db
  readonly kind: DatabaseKind
  /** The DocType whose records are people, where there is one. */
  readonly people: DocTypeDefinition | undefined
  readonly secretKey: Buffer
  /** ms */
  readonly now: number
}

/** Subscription with its secret: the only answer that is shown in. */
export type CreatedWebhook = ShownWebhook & { readonly secret: string }

/** Registers a subscription. Throws 409 when there are too many. */
export async function createSubscription(
  { actor, tx, kind, people, secretKey, now }: Scene,
  input: WebhookInput,
): Promise<CreatedWebhook> {
  await assertMayOwn(tx, kind, people, actor.user?.login)
  // First: two who register at once wait for each other here, and the second counts the other's.
  await subscriptionsChanged(tx)
  if ((await countWebhooks(tx)) >= MAX_SUBSCRIPTIONS)
    throw new AppError(
      'CONFLICT',
      `there are ${MAX_SUBSCRIPTIONS} subscriptions already, the most there can be; delete some first`,
    )
  const id = newId('whk', now)
  const secret = input.secret ?? newSecret()
  const at = new Date(now).toISOString()
  const row: WebhookRow = {
    id,
    url: input.url!,
    events: JSON.stringify(input.events!),
    label: input.label ?? null,
    status: 'active',
    secrets: sealSecrets(secretKey, id, [{ secret, expires: null }]),
    api_version: API_VERSION,
    created: at,
    created_by: actor.name,
    scope: actor.scope ?? 'read',
    modified: at,
    failing_since: null,
    login: actor.user?.login ?? null,
    paused_because: null,
  }
  await insertWebhook(tx, row)
  return { ...shownWebhook(row, undefined), secret }
}

/**
 * Changes a subscription. What is waiting for it goes to the new address (reliability.md §1); `active` begins
 * anew for one that was disabled. Who changes where it leads or what it is told, or lets one go on that was paused with
 * its person's rights, has it from then on. Throws 404, and 403 for a new address of one that hears more than the caller
 * may read, or for letting it go on.
 */
export async function updateSubscription(
  { actor, tx, kind, people, now }: Scene,
  id: string,
  { url, events, label, status }: WebhookInput,
): Promise<ShownWebhook> {
  const row = await locked(tx, kind, id)
  if (url !== undefined && url !== row.url)
    assertScope(
      actor,
      row.scope as Scope,
      'change the address of a webhook made by one of a higher scope',
    )
  if (status === 'active' && row.paused_because !== null)
    assertScope(actor, row.scope as Scope, 'take over a webhook made by one of a higher scope')
  const takesOver =
    url !== undefined ||
    events !== undefined ||
    (status === 'active' && (row.paused_because !== null || row.status === 'disabled'))
  if (takesOver) await assertMayOwn(tx, kind, people, actor.user?.login)
  const change = {
    ...(takesOver ? { login: actor.user?.login ?? null } : {}),
    modified: new Date(now).toISOString(),
    ...(url === undefined ? {} : { url }),
    ...(events === undefined ? {} : { events: JSON.stringify(events) }),
    ...(label === undefined ? {} : { label }),
    ...(status === undefined ? {} : { status }),
    ...(status === 'active' ? { failing_since: null, paused_because: null } : {}),
  }
  await updateWebhook(tx, id, change)
  await subscriptionsChanged(tx)
  return shown(tx, { ...row, ...change })
}

/** Removes a subscription: nothing more is sent to it. Throws 404. */
export async function removeSubscription(tx: Db, id: string): Promise<void> {
  if (!(await deleteWebhook(tx, id))) throw webhookNotFound(id)
  await subscriptionsChanged(tx)
}

/** The most an old secret goes on signing after a rotation, in seconds. */
export const MAX_GRACE = 7 * 24 * 60 * 60
export const DEFAULT_GRACE = 24 * 60 * 60

/**
 * Gives a subscription a new secret; the old one signs beside it for a while. Throws 404, and 403 for one that hears
 * more than the caller may read: who knows the secret can speak in its name.
 */
export async function rotateSecret(
  { actor, tx, kind, secretKey, now }: Scene,
  id: string,
  graceSeconds: number,
): Promise<CreatedWebhook> {
  const row = await locked(tx, kind, id)
  assertScope(
    actor,
    row.scope as Scope,
    'rotate the secret of a webhook made by one of a higher scope',
  )
  const secret = newSecret()
  const secrets = rotated(readable(secretKey, row), secret, now, graceSeconds)
  const change = {
    secrets: sealSecrets(secretKey, id, secrets),
    modified: new Date(now).toISOString(),
  }
  await updateWebhook(tx, id, change)
  await subscriptionsChanged(tx)
  return { ...(await shown(tx, { ...row, ...change })), secret }
}

/** A rotation is also the way out when the secret key of the workspace was changed: then none is left. */
function readable(secretKey: Buffer, row: WebhookRow): ReturnType<typeof openSecrets> {
  try {
    return openSecrets(secretKey, row.id, row.secrets)
  } catch {
    return []
  }
}

/** A subscription as callers see it. Throws 404. */
export async function getSubscription(db: Db, id: string): Promise<ShownWebhook> {
  const row = await findWebhook(db, id)
  if (!row) throw webhookNotFound(id)
  return shown(db, row)
}

async function locked(tx: Db, kind: DatabaseKind, id: string): Promise<WebhookRow> {
  const row = await lockWebhook(tx, kind, id)
  if (!row) throw webhookNotFound(id)
  return row
}

async function shown(db: Db, row: WebhookRow): Promise<ShownWebhook> {
  return shownWebhook(row, (await lastAttempts(db, [row.id])).get(row.id))
}

/** 404 for a subscription. */
export function webhookNotFound(id: string): AppError {
  return new AppError('NOT_FOUND', `there is no webhook ${JSON.stringify(id.slice(0, 80))}`)
}
