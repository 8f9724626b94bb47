import { setTimeout as wait } from 'node:timers/promises'
import { isObject } from '../../../engine/base/json-text.ts'
import { matcher } from '../../../webhooks/match.ts'
import { Failure } from '../../failure.ts'
import { counted, printJson, printTable } from '../../terminal/output.ts'
import { printable } from '../../terminal/printable.ts'
import type { Subscription } from './register.ts'
import { type ApiFlags, openApi, type WorkspaceApi } from './workspace-api.ts'

/** The flags of `svc webhook trigger`, as commander hands them over. */
export interface TriggerFlags extends ApiFlags {
  readonly id?: string
  readonly json?: boolean
}

/** A test delivery, and how its one attempt went; nulls where that is not known yet. */
interface Triggered {
  readonly webhook: string
  readonly url: string
  readonly delivery_id: string
  readonly status_code: number | null
  readonly error: string | null
}

/** The event that every endpoint can be sent, and no catalogue lists. */
const TEST_EVENT = 'webhooks.test'
/** Time between two questions about an attempt, in ms, and their number: an attempt takes at most 10 s. */
const ASK_EVERY = 250
const MOST_QUESTIONS = 60

/**
 * Has a test delivery of this event sent to who is subscribed to it, signed and sent as all are, marked `"test": true`;
 * no record changes. Tells how each was answered. Throws Failure when nobody hears it, or one was not taken.
 */
export async function trigger(event: string, flags: TriggerFlags): Promise<void> {
  const api = openApi(flags)
  const name = await nameOf(api, event)
  const subscriptions = await subscribed(api, name, flags.id)
  const sent: Triggered[] = []
  for (const { id, url } of subscriptions) {
    const path = `/webhooks/${encodeURIComponent(id)}`
    const { delivery_id } = await api.post(`${path}/test`, { event: name })
    const outcome = await outcomeOf(api, path, String(delivery_id))
    sent.push({ webhook: id, url, delivery_id: String(delivery_id), ...outcome })
  }
  tell(name, sent, flags.json === true)
  const failed = sent.filter(({ error }) => error !== null).length
  if (failed > 0) throw new Failure(`${counted(failed, 'delivery', 'deliveries')} not taken`)
}

/** The event under its own name, where it was given under an alias. Throws Failure for one there is not. */
async function nameOf(api: WorkspaceApi, event: string): Promise<string> {
  if (event === TEST_EVENT) return event
  const { data } = await api.get(`/webhooks/events?event=${encodeURIComponent(event)}`)
  const names = Array.isArray(data) ? data.filter(isObject).map((one) => String(one.event)) : []
  const [name] = names
  if (name !== undefined && names.length === 1) return name
  throw new Failure(
    `expected one event such as sales-invoices.paid, got ${JSON.stringify(event)}, which stands for ${counted(names.length, 'event')}`,
  )
}

/** The one that is named, paused or not, or all that are active and subscribed to the event. */
async function subscribed(
  api: WorkspaceApi,
  event: string,
  id: string | undefined,
): Promise<readonly Subscription[]> {
  if (id !== undefined) {
    const one: unknown = await api.get(`/webhooks/${encodeURIComponent(id)}`)
    return [one as Subscription]
  }
  const { data } = (await api.get('/webhooks?limit=100')) as { data: readonly Subscription[] }
  const hearing = data.filter(
    ({ events, status }) => status === 'active' && (event === TEST_EVENT || matcher(events)(event)),
  )
  if (hearing.length > 0) return hearing
  throw new Failure(
    `no active subscription of ${api.url} hears ${event}: \`svc webhook listen --register\` makes one, --id sends it to one that does not`,
  )
}

/** Outcome of the attempt, once the log of deliveries has it; nulls where it still has none after the last question. */
async function outcomeOf(
  api: WorkspaceApi,
  path: string,
  deliveryId: string,
): Promise<Pick<Triggered, 'status_code' | 'error'>> {
  for (let asked = 0; asked < MOST_QUESTIONS; asked += 1) {
    const { data } = await api.get(
      `${path}/deliveries?delivery_id=${encodeURIComponent(deliveryId)}`,
    )
    const [attempt] = Array.isArray(data) ? data.filter(isObject) : []
    if (attempt)
      return {
        status_code: typeof attempt.status_code === 'number' ? attempt.status_code : null,
        error: typeof attempt.error === 'string' ? attempt.error : null,
      }
    await wait(ASK_EVERY)
  }
  return { status_code: null, error: null }
}

function tell(event: string, sent: readonly Triggered[], asJson: boolean): void {
  if (asJson) {
    printJson({ event, deliveries: sent })
    return
  }
  printTable(
    ['WEBHOOK', 'URL', 'DELIVERY', 'ANSWER'],
    sent.map(({ webhook, url, delivery_id, status_code, error }) =>
      [webhook, url, delivery_id, answerText(status_code, error)].map(printable),
    ),
    '',
  )
}

function answerText(status: number | null, error: string | null): string {
  if (error !== null) return status === null ? error : `${status}: ${error}`
  return status === null ? 'not tried yet' : String(status)
}
