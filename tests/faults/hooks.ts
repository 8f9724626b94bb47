import { createHash } from 'node:crypto'
import { verifyDelivery } from '../../webhooks/signing/verify.ts'
import type { Random } from '../helpers/random.ts'
import { behaves, type Received, type Receiver } from '../helpers/receivers.ts'

/** What came in under one delivery id. */
export interface Arrival {
  /** Requests, and those of them that were never answered. */
  readonly requests: number
  readonly unanswered: number
  /** Of the first request's body. */
  readonly hash: string
  readonly eventName: string
}

/** How a receiver answers; `undefined` is never. */
export interface Reply {
  readonly status: number
  readonly afterMs: number
}

export interface HookPlan {
  readonly name: string
  readonly events: readonly string[]
  readonly isPaused?: boolean
  /** Asked for each request. */
  readonly reply: () => Reply | undefined
}

/** A receiver that outlives the processes that send, and remembers everything that came in. */
export interface Hook {
  readonly plan: HookPlan
  readonly url: string
  readonly secret: string
  readonly arrivals: ReadonlyMap<string, Arrival>
  /** What no genuine delivery is: a wrong signature, another body under a known id. One sentence each. */
  readonly problems: readonly string[]
  close(): Promise<void>
}

/** Listens for a subscription that is yet to be made, under a secret of our own. */
export async function openHook(plan: HookPlan): Promise<Hook> {
  const secret = `whsec_${createHash('sha256').update(plan.name).digest('base64')}`
  const arrivals = new Map<string, Arrival>()
  const problems: string[] = []

  const receiver: Receiver = await behaves((response, _socket, request) => {
    const reply = plan.reply()
    note(request, reply === undefined)
    if (reply === undefined) return
    const answer = () => response.writeHead(reply.status).end()
    if (reply.afterMs === 0) answer()
    else setTimeout(answer, reply.afterMs)
  })

  function note({ headers, body }: Received, isUnanswered: boolean): void {
    const verification = verifyDelivery({ headers, body, secret, now: Date.now() })
    if (!verification.verified) problems.push(`${plan.name}: ${verification.problem}`)
    const { delivery_id: id, event } = JSON.parse(body) as { delivery_id: string; event: string }
    if (headers['x-svc-delivery'] !== id || headers['x-svc-event'] !== event)
      problems.push(`${plan.name}: the headers of ${id} say something else than its body`)
    const hash = createHash('sha256').update(body).digest('base64')
    const known = arrivals.get(id)
    if (known && known.hash !== hash)
      problems.push(`${plan.name}: ${id} came with another body than before`)
    arrivals.set(id, {
      requests: (known?.requests ?? 0) + 1,
      unanswered: (known?.unanswered ?? 0) + (isUnanswered ? 1 : 0),
      hash: known?.hash ?? hash,
      eventName: event,
    })
  }

  return { plan, url: receiver.url, secret, arrivals, problems, close: () => receiver.close() }
}

/** One that takes everything at once, one that often fails, one that takes its time, and one that is paused. */
export function usualHooks(random: Random): readonly HookPlan[] {
  const ok = { status: 200, afterMs: 0 }
  return [
    { name: 'all', events: ['*'], reply: () => ok },
    {
      name: 'flaky',
      events: ['sales-invoices.*'],
      reply: () => (random.chance(0.25) ? { status: 500, afterMs: 0 } : ok),
    },
    // Both patterns match, and still it is told once.
    {
      name: 'slow',
      events: ['items.created', 'items.*'],
      reply: () => ({ status: 200, afterMs: 40 + random.below(100) }),
    },
    {
      name: 'paused',
      events: ['customers.updated', 'sales-invoices.cancelled'],
      isPaused: true,
      reply: () => ok,
    },
  ]
}
