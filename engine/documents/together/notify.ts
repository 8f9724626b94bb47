import { newId } from '../../base/ids.ts'
import type { Db } from '../../storage/database/database.ts'
import { insertNotifications, type NotificationRow } from '../../storage/workspace/notifications.ts'

/** Why people are told of something (contract §7.4). */
export const NOTIFICATION_KINDS = [
  'mention',
  'assignment',
  'approval',
  'job',
  'webhook',
  'import',
  'mail',
] as const
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number]

/** Longest text that a notification quotes, in characters. */
const MOST_TEXT = 280

/**
 * Something that one person is told.
 *
 *     {login: 'ann', kind: 'mention', actor: 'bob', resource: 'customers', record_id: 'CUST-00001', title: 'Acme',
 *       text: '@ann, please call them', event: 'evt_…'}
 */
export interface Notice extends Pick<NotificationRow, 'login' | 'actor' | 'title'> {
  readonly kind: NotificationKind
  /** The record that it is about. */
  readonly resource?: string
  readonly record_id?: string
  readonly text?: string | null
  /** Event of the log that it came of: by it streams tell of it. */
  readonly event?: string
}

/** Tells people, in the transaction of what they are told; `at` is its moment, ISO 8601. */
export async function notify(tx: Db, at: string, notices: readonly Notice[]): Promise<void> {
  await insertNotifications(
    tx,
    notices.map(({ event, resource, record_id, text, title, ...notice }) => ({
      ...notice,
      id: newId('ntf', Date.parse(at)),
      at,
      title: shortened(title),
      resource: resource ?? null,
      record_id: record_id ?? null,
      text: text ? shortened(text) : null,
      event_id: event ?? null,
      read_at: null,
    })),
  )
}

function shortened(text: string): string {
  return text.length <= MOST_TEXT ? text : `${text.slice(0, MOST_TEXT - 1)}…`
}
