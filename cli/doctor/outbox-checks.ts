import { isGone } from '../../engine/base/lease-name.ts'
import type { Database } from '../../engine/storage/database/database.ts'
import { type MailCount, mailBacklog, mailHolders } from '../../server/mail/store.ts'
import { deliveryBacklog, leaseHolders } from '../../webhooks/delivery-store.ts'
import { allWebhooks } from '../../webhooks/store.ts'
import { ageOf, type Check, inWords, verdict } from './check.ts'

/** Mail and deliveries that have waited longer than this need somebody, in ms. */
const LATE = 60 * 60 * 1000

export async function mailCheck({ read }: Database): Promise<Check> {
  const { waiting, failed } = await mailBacklog(read)
  const isLate = ageOf(waiting.oldest) > LATE
  return {
    name: 'mail',
    state: isLate || failed.count > 0 ? 'attention' : 'ok',
    message: `${countOf(waiting)} waiting, ${countOf(failed)} given up`,
    facts: { waiting: shown(waiting), failed: shown(failed) },
  }
}

/** Check of what waits for receivers, and of receivers that are given up or about to be. */
export async function webhookCheck({ read }: Database): Promise<Check> {
  const { waiting, oldest } = await deliveryBacklog(read)
  const webhooks = await allWebhooks(read)
  const disabled = webhooks.filter(({ status }) => status === 'disabled').length
  const failing = webhooks.filter(
    ({ status, failing_since }) => status === 'active' && failing_since !== null,
  ).length
  const count = { count: waiting, oldest }
  const parts = [`${countOf(count)} waiting`]
  if (disabled > 0) parts.push(`${disabled} disabled because they failed for days`)
  if (failing > 0) parts.push(`${failing} failing now`)
  return {
    name: 'webhooks',
    state: ageOf(oldest) > LATE || disabled + failing > 0 ? 'attention' : 'ok',
    message: parts.join(', '),
    facts: { waiting: shown(count), webhooks: webhooks.length, disabled, failing },
  }
}

/** Check of who is sending just now: what a process that has ended still holds, the next start takes over. */
export async function leaseCheck({ read }: Database): Promise<Check> {
  const holders = [...(await leaseHolders(read)), ...(await mailHolders(read))]
  const gone = holders.filter((holder) => holder !== '' && isGone(holder)).length
  const remarks =
    gone === 0
      ? []
      : [
          `${gone} held by processes that have ended: a server that starts takes over what they held`,
        ]
  const facts = { holders: holders.length, gone }
  return verdict('leases', { remarks }, `${holders.length} held by those who send now`, facts)
}

function shown({ count, oldest }: MailCount): object {
  return { count, oldest_seconds: oldest === null ? null : Math.round(ageOf(oldest) / 1000) }
}

function countOf({ count, oldest }: MailCount): string {
  return oldest === null ? String(count) : `${count} (oldest ${inWords(ageOf(oldest))})`
}
