import type { Db } from '../database/database.ts'

/** A notification as it is kept. */
export interface NotificationRow {
  /** `ntf_…`; ids sort by age. */
  readonly id: string
  /** Whose it is. */
  readonly login: string
  /** Why they are told, e.g. `mention`. */
  readonly kind: string
  /** Moment, ISO 8601 in UTC. */
  readonly at: string
  /** Who made it happen. */
  readonly actor: string
  /** Record it is about: slug and id; null where it is about none. */
  readonly resource: string | null
  readonly record_id: string | null
  readonly title: string
  readonly text: string | null
  /** Event of the log that it came of. */
  readonly event_id: string | null
  /** Moment it was read; null = not yet. */
  readonly read_at: string | null
}

/** Which notifications of somebody are wanted. */
export interface NotificationFilter {
  readonly login: string
  readonly isUnread: boolean
}

const TABLE = 'svc_notifications'

/** Keeps notifications, in the transaction of what they tell of. */
export async function insertNotifications(tx: Db, rows: readonly NotificationRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx
    .insertInto(TABLE)
    .values(rows.map((row) => ({ ...row })))
    .execute()
}

/** Notifications of somebody, newest first. */
export async function selectNotifications(
  db: Db,
  { login, isUnread }: NotificationFilter,
  page: { readonly limit: number; readonly offset?: number; readonly before?: string },
): Promise<readonly NotificationRow[]> {
  let query = db.selectFrom(TABLE).selectAll().where('login', '=', login)
  if (isUnread) query = query.where('read_at', 'is', null)
  if (page.before !== undefined) query = query.where('id', '<', page.before)
  if (page.offset) query = query.offset(page.offset)
  const rows = await query.orderBy('id', 'desc').limit(page.limit).execute()
  return rows as unknown as NotificationRow[]
}

/** Number of the notifications of somebody. */
export async function countNotifications(
  db: Db,
  { login, isUnread }: NotificationFilter,
): Promise<number> {
  let query = db
    .selectFrom(TABLE)
    .select(({ fn }) => fn.countAll().as('n'))
    .where('login', '=', login)
  if (isUnread) query = query.where('read_at', 'is', null)
  return Number((await query.executeTakeFirst())?.n ?? 0)
}

/** Notes at a moment (ISO) that somebody has read these of their notifications, or all. */
export async function markNotificationsRead(
  tx: Db,
  login: string,
  ids: readonly string[] | 'all',
  at: string,
): Promise<void> {
  let query = tx
    .updateTable(TABLE)
    .set({ read_at: at })
    .where('login', '=', login)
    .where('read_at', 'is', null)
  if (ids !== 'all') query = query.where('id', 'in', ids)
  await query.execute()
}

/** The notifications that came of these events, in the order they were made. */
export async function notificationsOfEvents(
  db: Db,
  events: readonly string[],
): Promise<readonly NotificationRow[]> {
  if (events.length === 0) return []
  const rows = await db
    .selectFrom(TABLE)
    .selectAll()
    .where('event_id', 'in', events)
    .orderBy('id')
    .execute()
  return rows as unknown as NotificationRow[]
}

/** Removes at most `limit` notifications that were made before a moment (ISO); returns how many. */
export async function pruneNotifications(tx: Db, before: string, limit: number): Promise<number> {
  const old = tx.selectFrom(TABLE).select('id').where('at', '<', before).orderBy('id').limit(limit)
  const { numDeletedRows } = await tx.deleteFrom(TABLE).where('id', 'in', old).executeTakeFirst()
  return Number(numDeletedRows)
}
