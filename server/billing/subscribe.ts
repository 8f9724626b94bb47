import type { Actor } from '../../engine/access/actor.ts'
import { isoDateTime } from '../../engine/base/clock.ts'
import { AppError } from '../../engine/base/errors.ts'
import { noteTierChange } from '../../engine/documents/start/tier-change.ts'
import type { Services } from '../../engine/documents/work/context.ts'
import type { Db } from '../../engine/storage/database/database.ts'
import {
  readSubscription,
  type Subscription,
  updateSubscription,
} from '../../engine/storage/workspace/subscription.ts'
import {
  readTierState,
  type TierState,
  writeOverride,
} from '../../engine/storage/workspace/tier.ts'
import { type Billing, providerOf, seatsUsed } from './billing.ts'
import { ensureSubscription, follow } from './follow.ts'
import { type PlanChange, planChange } from './plan-change.ts'
import type { PaymentProvider, ProviderSubscription } from './provider.ts'
import { homeAddress } from './return-address.ts'

/** A wish for a tier, as it was checked. */
export interface SubscribeRequest {
  readonly tier: string
  readonly seats?: number | undefined
  /** Address people come back to; the workspace itself by default. */
  readonly successUrl?: string | undefined
  readonly cancelUrl?: string | undefined
}

/** `tier` is the one the workspace has now: the new one once it is applied (ADR 23). */
export type SubscribeResult =
  | { readonly tier: string; readonly applied: true }
  | { readonly tier: string; readonly applied: false; readonly checkout_url: string }

type OpenedPage = Extract<SubscribeResult, { readonly applied: false }>

/** Call of a purchase: who asks, and how a repeat of the request is known. */
export interface SubscribeCall {
  readonly services: Services
  readonly billing: Billing
  readonly actor: Actor
  /** Key of the request, the same for each repeat of it: the provider answers repeats alike. */
  readonly callKey: string
  /** Runs in the transaction that ends the request. */
  readonly keep: (tx: Db, result: SubscribeResult) => Promise<void>
}

/**
 * Changes the plan of the workspace where nothing is to be paid, else opens the page where it is paid: the tier
 * changes when the provider's signed event arrives. Throws what `planChange` does, and ProviderError: then
 * nothing is changed here.
 */
export async function subscribe(
  call: SubscribeCall,
  request: SubscribeRequest,
): Promise<SubscribeResult> {
  const { state, plan } = await decide(call, request)
  switch (plan.kind) {
    case 'nothing':
      return finish(call, { tier: state.tier, applied: true })
    case 'apply':
      return apply(call, request.tier, plan.seats)
    case 'change':
    case 'cancel':
      return changeNow(call, request.tier, plan, state.subscription)
    default:
      return openPage(call, request, plan, state)
  }
}

/**
 * Opens the page where a plan is bought or a change of it confirmed, and changes nothing by itself; returns its
 * address. Throws as `subscribe` does, and CONFLICT where nothing is to be paid.
 */
export async function openPurchase(
  call: SubscribeCall,
  request: SubscribeRequest,
): Promise<string> {
  const { state, plan } = await decide(call, request)
  const page = plan.kind === 'change' ? ({ ...plan, kind: 'confirm' } as const) : plan
  if (page.kind === 'checkout' || page.kind === 'confirm' || page.kind === 'settle') {
    const { checkout_url } = await openPage(call, request, page, state)
    return checkout_url
  }
  throw new AppError(
    'CONFLICT',
    `nothing is to be paid to be on ${request.tier}: the workspace has tier ${state.tier} with what it asks for; POST /v1/tiers/${request.tier}/subscribe sets it`,
  )
}

async function decide(
  { services, billing }: SubscribeCall,
  { tier, seats }: SubscribeRequest,
): Promise<{ readonly state: TierState; readonly plan: PlanChange }> {
  const { database, plans } = services
  const state = await readTierState(database.read, plans)
  const users = await seatsUsed(services, database.read)
  const hasProvider = billing.provider !== undefined
  return { state, plan: planChange({ plans, state, hasProvider, users }, tier, seats) }
}

async function finish<Result extends SubscribeResult>(
  call: SubscribeCall,
  result: Result,
): Promise<Result> {
  await call.services.database.write((tx) => call.keep(tx, result))
  return result
}

/** Writes the tier where there is no provider. The override goes: an administrator decides after the operator. */
async function apply(
  call: SubscribeCall,
  tier: string,
  seats: number | null,
): Promise<SubscribeResult> {
  const { services, actor, keep } = call
  const { version } = await ensureSubscription(services)
  const result = { tier, applied: true } as const
  await services.database.write(async (tx) => {
    const isChanged = await noteTierChange(tx, services, actor, async () => {
      await writeOverride(tx, undefined)
      return updateSubscription(
        tx,
        version,
        { ...FREE_OF_CHARGE, tier, seats },
        isoDateTime(services.clock),
      )
    })
    if (!isChanged) throw changedMeanwhile()
    await keep(tx, result)
  })
  services.eventsCommitted()
  return result
}

const FREE_OF_CHARGE = {
  status: 'active',
  subscription: null,
  current_period_end: null,
  cancel_at_period_end: false,
} as const

async function changeNow(
  call: SubscribeCall,
  tier: string,
  plan: Extract<PlanChange, { readonly kind: 'change' | 'cancel' }>,
  row: Subscription | undefined,
): Promise<SubscribeResult> {
  const { services, billing, actor, callKey, keep } = call
  const provider = providerOf(billing)
  if (!row?.customer) throw changedMeanwhile()
  const found: ProviderSubscription =
    plan.kind === 'cancel'
      ? await provider.cancel(plan.subscription, callKey)
      : await provider.change(plan.subscription, { tier, seats: plan.seats }, callKey)
  const result = { tier, applied: true } as const
  await follow(services, provider, row.customer, {
    first: { version: row.version, found },
    actor,
    within: (tx) => keep(tx, result),
  })
  return result
}

async function openPage(
  call: SubscribeCall,
  request: SubscribeRequest,
  plan: Extract<PlanChange, { readonly kind: 'checkout' | 'confirm' | 'settle' }>,
  { tier, subscription: row }: TierState,
): Promise<OpenedPage> {
  const { services, billing, callKey } = call
  const provider = providerOf(billing)
  if (!provider.hearsEvents) throw hearsNothing()
  const addresses = billing.addresses()
  const successUrl = request.successUrl ?? homeAddress(addresses, 'success')
  const cancelUrl = request.cancelUrl ?? homeAddress(addresses, 'cancelled')
  const wanted = request.tier
  if (plan.kind === 'checkout') {
    const { seats } = plan
    const customer = await ensureCustomer(services, provider)
    const purchase = { ...customer, tier: wanted, seats, successUrl, cancelUrl }
    return opened(await provider.checkout(purchase, callKey))
  }
  const customer = row?.customer
  if (!customer) throw changedMeanwhile()
  const change =
    plan.kind === 'confirm'
      ? { change: { subscription: plan.subscription, tier: wanted, seats: plan.seats } }
      : {}
  return opened(await provider.portal({ customer, returnUrl: successUrl, ...change }, callKey))

  function opened(checkout_url: string): Promise<OpenedPage> {
    return finish(call, { tier, applied: false, checkout_url })
  }
}

/** Page where the customer sees invoices, changes card, plan and seats. Throws CONFLICT for who has never bought. */
export async function openPortal(
  services: Services,
  billing: Billing,
  callKey: string,
): Promise<string> {
  const provider = providerOf(billing)
  const row = await readSubscription(services.database.read)
  if (!row?.customer) {
    throw new AppError(
      'CONFLICT',
      'this workspace is no customer of the payment provider yet; choose a plan first',
    )
  }
  return provider.portal(
    { customer: row.customer, returnUrl: homeAddress(billing.addresses()) },
    callKey,
  )
}

/** The provider's id of this workspace is kept before anything is bought: its events are known by it. */
async function ensureCustomer(
  services: Services,
  provider: PaymentProvider,
): Promise<{ readonly customer: string; readonly reference: string }> {
  const row = await ensureSubscription(services)
  const customer = await provider.customer(row.reference, row.customer)
  if (customer === row.customer) return { customer, reference: row.reference }
  const now = isoDateTime(services.clock)
  await services.database.write(async (tx) => {
    if (await updateSubscription(tx, row.version, { customer }, now)) return
    // Another request may have kept the same one.
    if ((await readSubscription(tx))?.customer !== customer) throw changedMeanwhile()
  })
  return { customer, reference: row.reference }
}

function changedMeanwhile(): AppError {
  return new AppError(
    'CONFLICT',
    'the plan of the workspace changed at this very moment; try again',
    {
      headers: { 'Retry-After': '1' },
    },
  )
}

function hearsNothing(): AppError {
  return new AppError(
    'CONFLICT',
    'the payment provider is only half configured: without the secret that signs its events a payment would never be noticed, so nothing can be bought; docs/billing.md says how to set it',
  )
}
