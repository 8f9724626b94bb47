import { printable } from '../../terminal/printable.ts'
import type { WorkspaceApi } from './workspace-api.ts'

/** A subscription that lives as long as the listener. */
export interface Registration {
  readonly id: string
  /** Ends it. Throws Failure when the workspace does not answer any more. */
  end(): Promise<void>
}

/** Label by which the subscriptions of listeners are known. */
export const LISTENER_LABEL = 'svc webhook listen'

/**
 * Subscribes a listener with its own secret. One of the same address that an earlier listener has left behind, as it
 * was killed, is ended first: its deliveries would not verify. Throws Failure with the workspace's reason.
 */
export async function registerListener(
  api: WorkspaceApi,
  wanted: { readonly url: string; readonly events: readonly string[]; readonly secret: string },
): Promise<Registration> {
  const { data } = (await api.get('/webhooks?limit=100')) as { data: readonly Subscription[] }
  for (const { id, url, label } of data)
    if (url === wanted.url && label === LISTENER_LABEL) await api.remove(`/webhooks/${id}`)
  const { id } = await api.post('/webhooks', { ...wanted, label: LISTENER_LABEL })
  const path = `/webhooks/${encodeURIComponent(String(id))}`
  return { id: printable(String(id)), end: () => api.remove(path) }
}

/** Subscription as `GET /v1/webhooks` shows it. */
export interface Subscription {
  readonly id: string
  readonly url: string
  readonly label: string | null
  readonly events: readonly string[]
  readonly status: string
}
