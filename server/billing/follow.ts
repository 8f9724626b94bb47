import { type Actor, SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import { lowestTier } from '../../engine/access/plans.ts'
import { isoDateTime } from '../../engine/base/clock.ts'
import { newId } from '../../engine/base/ids.ts'
import { noteTierChange } from '../../engine/documents/start/tier-change.ts'
import type { Services } from '../../engine/documents/work/context.ts'
import type { Db } from '../../engine/storage/database/database.ts'
import {
  insertSubscription,
  readSubscription,
  type Subscription,
  type SubscriptionChange,
  updateSubscription,
} from '../../engine/storage/workspace/subscription.ts'
import type { PaymentProvider, ProviderSubscription } from './provider.ts'
import { followed } from './subscription-states.ts'

/** Actor of changes of the tier that the provider asked for. */
const PROVIDER: Actor = { ...SYSTEM_ACTOR, id: 'payments', name: 'Payment provider' }

/** Answer of the provider, and the version of our row when it was asked. */
interface Seen {
  readonly version: number
  readonly found: ProviderSubscription | undefined
}

/** The workspace's subscription; makes the row, with the reference the provider will know it by. */
export async function ensureSubscription(services: Services): Promise<Subscription> {
  const { database, clock } = services
  const there = await readSubscription(database.read)
  if (there) return there
  return database.write(async (tx) => {
    const now = clock.now()
    await insertSubscription(tx, {
      tier: lowestTier(services.plans),
      reference: newId('bil', now),
      now: new Date(now).toISOString(),
    })
    const made = await readSubscription(tx)
    if (!made) throw new Error('the subscription of the workspace is gone')
    return made
  })
}

/** Changes the row as it was read and notes what it does to the tier; false when it has changed meanwhile. */
export async function changeSubscription(
  tx: Db,
  services: Services,
  actor: Actor,
  { version }: Pick<Subscription, 'version'>,
  change: SubscriptionChange,
): Promise<boolean> {
  return noteTierChange(tx, services, actor, () =>
    updateSubscription(tx, version, change, isoDateTime(services.clock)),
  )
}

/**
 * Brings the workspace to what the provider has. Events come in any order, twice, and two at once, so what an
 * event says is never taken over: the provider is asked, and when our row changed while it answered, asked
 * again. So the last to commit has asked after the one before it committed, and the newest state stays.
 * `first` is what a call just answered; `within` commits with the change.
 */
export async function follow(
  services: Services,
  provider: PaymentProvider,
  customer: string,
  {
    first,
    actor = PROVIDER,
    within,
  }: {
    readonly first?: Seen
    readonly actor?: Actor
    readonly within: (tx: Db) => Promise<unknown>
  },
): Promise<void> {
  let seen = first ?? (await ask(services, provider, customer))
  while (!(await commit(services, seen, customer, actor, within)))
    seen = await ask(services, provider, customer)
  services.eventsCommitted()
}

async function ask(
  { database }: Services,
  provider: PaymentProvider,
  customer: string,
): Promise<Seen> {
  // Our version first: what the provider says is then at least as new.
  const row = await readSubscription(database.read)
  return { version: row?.version ?? 0, found: await provider.subscriptionOf(customer) }
}

/**
 * False when the row is not the one that was seen. It counts as changed even when nothing in it does: what
 * others asked for before is older then.
 */
function commit(
  services: Services,
  { version, found }: Seen,
  customer: string,
  actor: Actor,
  within: (tx: Db) => Promise<unknown>,
): Promise<boolean> {
  return services.database.write(async (tx) => {
    const row = await readSubscription(tx)
    if (!row || row.customer !== customer) return true
    if (row.version !== version) return false
    const change = followed(row, found, lowestTier(services.plans))
    if (!(await changeSubscription(tx, services, actor, row, change))) return false
    await within(tx)
    return true
  })
}
