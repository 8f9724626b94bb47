import { isoDateTime } from '../../engine/base/clock.ts'
import type { Services } from '../../engine/documents/work/context.ts'
import { readSubscription } from '../../engine/storage/workspace/subscription.ts'
import { follow } from './follow.ts'
import type { PaymentProvider } from './provider.ts'
import { isKnownEvent, noteEvent } from './store.ts'

/** Outcome of an event of the provider. */
export interface Received {
  readonly id: string
  readonly type: string
  /** `ignored` is about somebody or something else, `known` came before. */
  readonly outcome: 'followed' | 'known' | 'ignored'
}

/**
 * Takes one event of the provider: its id commits with what it changes, so it counts once however often it
 * comes (reliability.md W4). Throws BAD_REQUEST when it is not genuine, ProviderError when the provider cannot
 * be asked; then nothing is noted, and the provider sends it again.
 */
export async function receiveEvent(
  services: Services,
  provider: PaymentProvider,
  body: Buffer,
  signature: string | undefined,
): Promise<Received> {
  const { database, clock } = services
  const { id, type, customer } = await provider.readEvent(body, signature, clock.now())
  const row = await readSubscription(database.read)
  // One account of the provider may serve several workspaces.
  if (customer === undefined || row?.customer !== customer) return { id, type, outcome: 'ignored' }
  if (await isKnownEvent(database.read, id)) return { id, type, outcome: 'known' }
  await follow(services, provider, customer, {
    within: (tx) => noteEvent(tx, { id, type, received: isoDateTime(clock) }),
  })
  return { id, type, outcome: 'followed' }
}
