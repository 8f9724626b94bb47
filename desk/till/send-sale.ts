import { ApiError, type Client, isUnreached, recordPath } from '../data/client.ts'
import type { Preview, RecordData } from '../data/types.ts'
import type { PagePart } from '../home/workspace-types.ts'
import { fieldOf } from '../work/use-work-page.ts'
import { rounded } from './amounts.ts'
import type { QueuedSale } from './till-types.ts'

/** Hours after which the server no longer knows a key: what was sent before and not answered may be booked already. */
const KEYS_STAY_MS = 23 * 3_600_000

/** What became of a sale that was sent. */
export type Sent =
  | { readonly kind: 'booked'; readonly id: string; readonly record: RecordData }
  /** Nobody answered: it waits, and those behind it. */
  | { readonly kind: 'unreached' }
  | { readonly kind: 'stopped'; readonly sale: QueuedSale }

interface Sending {
  readonly client: Client
  readonly sales: PagePart
  /** Keeps what has become known of the sale before the next step. */
  readonly keep: (sale: QueuedSale) => void
  /** Words for what was sent too long ago. */
  readonly tooOld: string
}

/**
 * Books a sale: previewed, so that its total is the one that was told; made, and submitted, each under a key of its own. Whatever
 * breaks off in between, it goes on where it was, and the server answers a key that it knows without booking again.
 */
export async function sendSale(
  { client, sales, keep, tooOld }: Sending,
  sale: QueuedSale,
): Promise<Sent> {
  let now = sale
  try {
    if (now.id === undefined) {
      if (now.triedAt === undefined) {
        const total = await totalOf(client, sales, now)
        if (total !== now.total && total !== now.serverTotal)
          return stopped({ ...now, state: 'differs', serverTotal: total })
      } else if (Date.now() - Date.parse(now.triedAt) > KEYS_STAY_MS)
        return stopped({ ...now, state: 'refused', message: tooOld })
      now = { ...now, triedAt: now.triedAt ?? new Date().toISOString() }
      keep(now)
      const { body } = await client.ask<RecordData>(`/v1/${sales.resource}`, {
        method: 'POST',
        body: now.body,
        key: now.key,
      })
      now = { ...now, id: body.id }
      keep(now)
    }
    return { kind: 'booked', id: now.id!, record: await submitted(client, sales, now) }
  } catch (error) {
    if (isUnreached(error)) return { kind: 'unreached' }
    if (!(error instanceof ApiError)) throw error
    // What was answered with an error was not booked: its key may be used again.
    const { triedAt: _, ...untried } = now
    return stopped({ ...untried, state: 'refused', message: messageOf(error) })
  }
}

function stopped(sale: QueuedSale): Sent {
  return { kind: 'stopped', sale }
}

/** The total of the server, where it is another one though it refuses; throws ApiError with what it would refuse else. */
async function totalOf(
  client: Client,
  sales: PagePart,
  { body, total: told }: QueuedSale,
): Promise<number> {
  const path = `/v1/${sales.resource}?_preview=1`
  const { body: preview } = await client.ask<Preview>(path, { method: 'POST', body })
  const { problems, record } = preview
  const total = record?.[fieldOf(sales, 'total')]
  // Money that was taken by another total may be all that is wrong.
  const isOther = typeof total === 'number' && rounded(total) !== told
  if (problems.length > 0 && !isOther)
    throw new ApiError(422, 'VALIDATION', problems[0]?.message ?? '', problems)
  return rounded(Number(total))
}

async function submitted(
  client: Client,
  sales: PagePart,
  { id = '', key }: QueuedSale,
): Promise<RecordData> {
  try {
    const path = recordPath(sales.resource, id, 'submit')
    return (await client.ask<RecordData>(path, { method: 'POST', key: `${key}-submit` })).body
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 409) throw error
    // Submitted by an earlier try, or by somebody in the form of the draft.
    const { body } = await client.ask<RecordData>(recordPath(sales.resource, id))
    if (body.docstatus !== 1) throw error
    return body
  }
}

function messageOf({ details, message }: ApiError): string {
  return details.length > 0 ? details.map((one) => one.message).join('; ') : message
}
