import { isManager } from '../../../engine/access/actor.ts'
import type { Plan } from '../../../engine/access/plans.ts'
import { paidTiers, planOf } from '../../../engine/access/plans.ts'
import { METHOD_PREFIX } from '../../../engine/base/brand.ts'
import { AppError } from '../../../engine/base/errors.ts'
import { newId } from '../../../engine/base/ids.ts'
import type { Context } from '../../../engine/documents/work/context.ts'
import { readTierState, seatsOf } from '../../../engine/storage/workspace/tier.ts'
import type { Billing } from '../../billing/billing.ts'
import { assertMayBuy, providerOf, seatsUsed } from '../../billing/billing.ts'
import { MAX_SEATS, readSeats } from '../../billing/seats.ts'
import type { SubscribeCall } from '../../billing/subscribe.ts'
import { openPortal, openPurchase } from '../../billing/subscribe.ts'
import { readFields } from '../../http/fields-of-body.ts'
import type { Method, MethodCall, Methods } from './method.ts'

/** Methods of surface A about plans and payment (spec §4). */
export function billingMethods(billing: Billing): Methods {
  const method = (name: string): string => `${METHOD_PREFIX}.billing.api.${name}`
  return {
    [method('get_public_pricing')]: { verbs: ['GET'], access: 'guest', run: publicPricing },
    [method('get_my_plan')]: { verbs: ['GET'], access: 'user', run: myPlan },
    [method('get_billing_status')]: reading((call) => billingStatus(call, billing)),
    [method('create_checkout')]: writing((call) => createCheckout(call, billing)),
    [method('create_portal_session')]: writing((call) => createPortalSession(call, billing)),
  }
}

function reading(run: Method['run']): Method {
  return { verbs: ['GET'], access: 'user', run }
}

function writing(run: Method['run']): Method {
  return { verbs: ['POST'], access: 'user', run }
}

/** Price, features and limits of each plan, by its slug. */
async function publicPricing({ context }: MethodCall): Promise<object> {
  const { plans, registry } = context.services
  const { features = {}, plans: all } = plans
  return Object.fromEntries(
    all.map((plan, rank) => [
      plan.slug,
      {
        ...priced(plan),
        includes: plan.includes,
        features: Object.fromEntries(
          Object.entries(features).map(([name, label]) => [
            name,
            { label, included: plan.features.includes(name) },
          ]),
        ),
        requests_per_minute: plan.requests_per_minute,
        resources: registry.all.filter(
          ({ tier }) => all.findIndex(({ slug }) => slug === tier) <= rank,
        ).length,
      },
    ]),
  )
}

function priced({ label, price_per_user_month, currency, seats }: Plan): object {
  return { label, price_per_user_month, currency, seats }
}

/** The plan as the caller sees it: a demo account its own. */
async function myPlan({ context }: MethodCall): Promise<object> {
  const { services, tier } = context
  const { plans, database } = services
  const plan = planOf(plans, tier)
  const state = await readTierState(database.read, plans)
  return {
    tier,
    tier_label: plan.label,
    seats: tier === state.tier ? seatsOf(plans, state) : plan.seats,
    seats_used: await seatsUsed(services, database.read),
    features: plan.features,
    requests_per_minute: plan.requests_per_minute,
  }
}

/** Plan and readiness of the provider; nothing secret. Throws 403 for all but System Managers and demo accounts. */
async function billingStatus({ context }: MethodCall, { provider }: Billing): Promise<object> {
  assertMayKnow(context)
  const { services, tier } = context
  const { plans, database } = services
  const state = await readTierState(database.read, plans)
  const readiness = {
    configured: provider !== undefined,
    events: provider?.hearsEvents ?? false,
    has_customer: (state.subscription?.customer ?? null) !== null,
  }
  const { subscription } = state
  return {
    tier,
    tier_label: planOf(plans, tier).label,
    source: context.actor.user?.demoTier === undefined ? state.source : 'demo',
    seats: seatsOf(plans, state),
    seats_used: await seatsUsed(services, database.read),
    subscription:
      subscription?.subscription == null
        ? null
        : {
            tier: subscription.tier,
            status: subscription.status,
            seats: subscription.seats,
            current_period_end: subscription.current_period_end,
            cancel_at_period_end: subscription.cancel_at_period_end,
          },
    provider: { name: provider?.name ?? null, ...readiness },
    [provider?.name ?? DEFAULT_PROVIDER]: readiness,
  }
}

/** The provider that could be configured, where none is: clients look for its key (contract §4). */
const DEFAULT_PROVIDER = 'stripe'

function assertMayKnow({ actor }: Context): void {
  if (isManager(actor) || actor.user?.demoTier !== undefined) return
  throw new AppError(
    'FORBIDDEN',
    'the billing status is for System Managers and demo accounts; get_my_plan tells everybody their plan',
  )
}

/** Opens the purchase of a plan. Throws CONFLICT where nothing is to be paid or no provider is configured. */
async function createCheckout(
  { context, args }: MethodCall,
  billing: Billing,
): Promise<{ readonly url: string; readonly plan: string }> {
  const { actor, services } = context
  assertMayBuy(actor)
  const sold = paidTiers(services.plans)
  const { plan, seats } = readFields(known(args), {
    plan: {
      expected: `one of ${sold.join(', ')}`,
      required: true,
      read: (value): string | undefined => sold.find((slug) => slug === value),
    },
    seats: {
      expected: `a whole number from 1 to ${MAX_SEATS}`,
      // A form sends text.
      read: (value) => readSeats(typeof value === 'string' && value !== '' ? Number(value) : value),
    },
  })
  const tier = plan as string
  providerOf(billing)
  const url = await openPurchase(callOf(context, billing), { tier, seats })
  return { url, plan: tier }
}

async function createPortalSession(
  { context }: MethodCall,
  billing: Billing,
): Promise<{ readonly url: string }> {
  assertMayBuy(context.actor)
  return { url: await openPortal(context.services, billing, callKeyOf(context)) }
}

/** Parameters this method knows; Frappe ignores others, and so do its clients expect. */
function known({ plan, seats }: MethodCall['args']): object {
  return { plan, ...(seats === undefined || seats === null ? {} : { seats }) }
}

/** Surface A has no idempotency keys: each call is one of its own. */
function callOf(context: Context, billing: Billing): SubscribeCall {
  const { services, actor } = context
  return { services, billing, actor, callKey: callKeyOf(context), keep: async () => undefined }
}

function callKeyOf({ services }: Context): string {
  return newId('call', services.clock.now())
}
