import type { AttemptRow } from './attempt-store.ts'
import type { WebhookRow, WebhookStatus } from './store.ts'

/** A subscription as callers see it (contract §3, Webhooks): without its secrets. */
export interface ShownWebhook {
  readonly id: string
  readonly url: string
  readonly events: readonly string[]
  readonly label: string | null
  readonly status: WebhookStatus
  /** Since when every delivery that ended was given up; null while the endpoint is well. */
  readonly failing_since: string | null
  readonly created: string
  readonly created_by: string
  /** Login of the person it belongs to; null = the workspace's own. */
  readonly user: string | null
  /** Reason it was paused with the rights of its person; null for one that was not. */
  readonly paused_because: string | null
  readonly modified: string
  readonly last_delivery: { readonly status_code: number | null; readonly at: string } | null
}

export function shownWebhook(row: WebhookRow, last: AttemptRow | undefined): ShownWebhook {
  const { id, url, events, label, status, failing_since, created, created_by, modified } = row
  const { login, paused_because } = row
  return {
    id,
    url,
    events: JSON.parse(events) as string[],
    label,
    status,
    failing_since,
    created,
    created_by,
    user: login,
    paused_because,
    modified,
    last_delivery: last ? { status_code: last.status_code, at: last.attempted_at } : null,
  }
}
