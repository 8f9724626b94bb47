import { sql } from 'kysely'
import type { DatabaseKind, Db } from '../engine/storage/database/database.ts'

export type WebhookStatus = 'active' | 'paused' | 'disabled'

/** A subscription as `svc_webhooks` keeps it. */
export interface WebhookRow {
  readonly id: string
  readonly url: string
  /** JSON array of patterns (match.ts). */
  readonly events: string
  readonly label: string | null
  readonly status: WebhookStatus
  /** Sealed list of secrets (secrets.ts). */
  readonly secrets: string
  /** Version of the API whose shapes it gets. */
  readonly api_version: string
  readonly created: string
  readonly created_by: string
  /** Scope of who registered it: what they may not read it is not told. */
  readonly scope: string
  readonly modified: string
  /** Moment a delivery ran out of attempts first, with no success since. */
  readonly failing_since: string | null
  /** Login of the person it belongs to; null = the workspace's own. */
  readonly login: string | null
  /** Reason it was paused with the rights of its person; null while it may be told of things. */
  readonly paused_because: string | null
}

export type WebhookChange = Partial<Omit<WebhookRow, 'id' | 'created' | 'created_by' | 'scope'>>

/** Subscriptions of somebody, the oldest first. */
export async function selectWebhooksOf(db: Db, login: string): Promise<readonly WebhookRow[]> {
  const rows = await db
    .selectFrom('svc_webhooks')
    .selectAll()
    .where('login', '=', login)
    .orderBy('id')
    .execute()
  return rows as unknown as WebhookRow[]
}

export async function insertWebhook(tx: Db, row: WebhookRow): Promise<void> {
  await tx
    .insertInto('svc_webhooks')
    .values({ ...row })
    .execute()
}

export async function updateWebhook(tx: Db, id: string, change: WebhookChange): Promise<void> {
  await tx.updateTable('svc_webhooks').set(change).where('id', '=', id).execute()
}

/** False when there was none. */
export async function deleteWebhook(tx: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('svc_webhooks')
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function findWebhook(db: Db, id: string): Promise<WebhookRow | undefined> {
  const row = await db
    .selectFrom('svc_webhooks')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return row as WebhookRow | undefined
}

/** Subscription of an id, which nobody else changes until the commit. */
export async function lockWebhook(
  tx: Db,
  kind: DatabaseKind,
  id: string,
): Promise<WebhookRow | undefined> {
  if (kind === 'postgres')
    await sql`select 1 from svc_webhooks where id = ${id} for update`.execute(tx)
  return findWebhook(tx, id)
}

export interface WebhookPage {
  readonly limit: number
  readonly offset?: number
  /** Id that the subscriptions are older than: ids sort by the time they were made. */
  readonly before?: string
}

/** Subscriptions, newest first. */
export async function selectWebhooks(
  db: Db,
  { limit, offset, before }: WebhookPage,
): Promise<WebhookRow[]> {
  let query = db.selectFrom('svc_webhooks').selectAll().orderBy('id', 'desc').limit(limit)
  if (offset) query = query.offset(offset)
  if (before !== undefined) query = query.where('id', '<', before)
  return (await query.execute()) as unknown as WebhookRow[]
}

/** All subscriptions: there are at most `MAX_SUBSCRIPTIONS`. */
export async function allWebhooks(db: Db): Promise<WebhookRow[]> {
  const rows = await db.selectFrom('svc_webhooks').selectAll().orderBy('id').execute()
  return rows as unknown as WebhookRow[]
}

export async function countWebhooks(db: Db): Promise<number> {
  const { n } = await db
    .selectFrom('svc_webhooks')
    .select((column) => column.fn.countAll().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}
