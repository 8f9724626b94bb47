/** A key of programs, as lists show it: nothing of it can be used. */
export interface ApiKey {
  readonly id: string
  readonly type: 'key' | 'pair'
  readonly user: string | null
  readonly prefix: string
  readonly last4: string
  readonly scope: string
  readonly env: string
  readonly label: string | null
  readonly allow_ips: readonly string[]
  readonly created: string
  readonly created_by: string
  readonly expires: string | null
  readonly last_used: string | null
}

/** An address that is told of events. */
export interface Webhook {
  readonly id: string
  readonly url: string
  readonly events: readonly string[]
  readonly label: string | null
  readonly status: string
  readonly failing_since: string | null
  readonly created: string
  readonly paused_because?: string | null
  readonly last_delivery: { readonly status_code: number | null; readonly at: string } | null
}

/** One attempt to tell an address of an event. */
export interface Attempt {
  readonly id: string
  readonly delivery_id: string
  readonly event: string
  readonly attempt: number
  readonly trigger: string
  readonly url: string
  readonly status_code: number | null
  readonly latency_ms: number
  readonly response_preview: string | null
  readonly error: string | null
  readonly attempted_at: string
  readonly next_attempt_at: string | null
  readonly request_headers: Readonly<Record<string, string>>
}

/** Something that happened in the workspace. */
export interface LoggedEvent {
  readonly id: string
  readonly event: string
  readonly resource: string
  readonly kind: string
  readonly record_id: string
  readonly timestamp: string
  readonly actor: string
  readonly data: unknown
}

/** A page of what is no record. */
export interface SystemPage<T> {
  readonly data: readonly T[]
  readonly meta: { readonly total: number }
}

/** Whether an attempt was taken. */
export function isOk({ status_code }: Pick<Attempt, 'status_code'>): boolean {
  return status_code !== null && status_code >= 200 && status_code < 300
}
