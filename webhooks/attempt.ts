import type { Clock } from '../engine/base/clock.ts'
import { newId } from '../engine/base/ids.ts'
import type { EventLog, ReadEvent } from '../engine/events/log.ts'
import type { Db } from '../engine/storage/database/database.ts'
import type { Claimed } from './delivery-store.ts'
import type { Attempted } from './outcome.ts'
import type { Sender, Sent } from './sending/send.ts'
import { envelopeText } from './signing/envelope.ts'
import { deliveryHeaders } from './signing/headers.ts'
import type { Subscriber } from './subscriber.ts'

/** Text of an event that an attempt sends: of a line of the log, or of the data a test was given. */
export type EventText = Pick<ReadEvent, 'resource' | 'at' | 'data'>

/** Texts of the events of claimed deliveries, by their id; those that are no longer in the log are not among them. */
export async function eventTextsOf(
  tx: Db,
  events: EventLog,
  claimed: readonly Claimed[],
): Promise<ReadonlyMap<string, EventText>> {
  const ids = new Set(claimed.filter(({ data }) => data === null).map(({ event_id }) => event_id))
  const texts = new Map<string, EventText>()
  for (const event of await events.find(tx, [...ids])) texts.set(event.id, event)
  for (const { event_id, event, data, created } of claimed) {
    if (data === null) continue
    texts.set(event_id, { resource: event.slice(0, event.indexOf('.')), at: created, data })
  }
  return texts
}

/**
 * Makes one attempt. The body is framed from stored text alone, so it is the same bytes at every attempt,
 * while timestamp and signatures are those of this one (reliability.md §0, 6). Never rejects.
 */
export async function makeAttempt(
  delivery: Claimed,
  eventText: EventText | undefined,
  { url, secrets }: Subscriber,
  sender: Sender,
  clock: Clock,
): Promise<Attempted> {
  const startedAt = clock.now()
  const sent = await send()
  const id = newId('att', startedAt)
  return { id, delivery, url, sent, isLost: !eventText, startedAt, endedAt: clock.now() }

  async function send(): Promise<Sent> {
    if (!eventText) return unsent('the event is no longer in the log, so there is nothing to send')
    const body = bodyOf(delivery, eventText)
    const { id: deliveryId, event } = delivery
    let headers: Record<string, string>
    try {
      const timestamp = Math.floor(startedAt / 1000)
      headers = deliveryHeaders({ deliveryId, event, body, timestamp, secrets: secrets(startedAt) })
    } catch {
      return unsent(
        'it could not be signed: the secret was stored under another secret key of the workspace; rotate it',
      )
    }
    return sender.send({ url, headers, body })
  }
}

/** The body of a delivery, always the same bytes. */
export function bodyOf({ id, event, data }: Claimed, eventText: EventText): Buffer {
  return Buffer.from(
    envelopeText({
      event,
      resource: eventText.resource,
      delivery_id: id,
      timestamp: eventText.at,
      data: eventText.data,
      ...(data === null ? {} : { test: true }),
    }),
  )
}

function unsent(error: string): Sent {
  return { statusCode: null, latencyMs: 0, preview: null, error, retryAfter: null }
}
