import type Stripe from 'stripe'
import type { Plan } from '../../engine/access/plans.ts'
import { BRAND } from '../../engine/base/brand.ts'
import { minorUnit } from '../../engine/base/currency.ts'
import { ProviderError, type SetUpStep } from './provider.ts'
import { MAX_SEATS } from './seats.ts'
import { isMissing } from './stripe-errors.ts'

const OURS = BRAND.toLowerCase()

/** Metadata of our prices: the slug of the tier. A price outlives its lookup key when the amount changes. */
export const TIER_MARK = `${OURS}_tier`

/** Metadata of our customer portal. */
const PORTAL_MARK = `${OURS}_portal`

/** Key of the current price of a tier, by which it is found, e.g. `svc_pro_monthly`. */
function lookupKey(tier: string): string {
  return `${OURS}_${tier}_monthly`
}

/** The current price of a tier. */
async function findPrice(stripe: Stripe, tier: string): Promise<Stripe.Price | undefined> {
  const { data } = await stripe.prices.list({ lookup_keys: [lookupKey(tier)], active: true })
  return data[0]
}

/** Stripe's id of the price of a tier. Throws ProviderError before `svc billing setup`. */
export async function priceOf(stripe: Stripe, tier: string): Promise<string> {
  const price = await findPrice(stripe, tier)
  if (!price) throw notSetUp(`has no price for the tier ${tier}`)
  return price.id
}

/** The customer portal that is ours; the account may have others. */
export async function findPortal(
  stripe: Stripe,
): Promise<Stripe.BillingPortal.Configuration | undefined> {
  const { data } = await stripe.billingPortal.configurations.list({ active: true, limit: 100 })
  return data.find(({ metadata }) => metadata?.[PORTAL_MARK] !== undefined)
}

/** Error where `svc billing setup` was not run; `problem` completes "the payment provider …". */
export function notSetUp(problem: string): ProviderError {
  return new ProviderError(
    'CONFLICT',
    `the payment provider ${problem} yet; whoever runs the workspace runs \`svc billing setup\` once`,
    { answered: true },
  )
}

type Options = { readonly dryRun: boolean; readonly onStep: (step: SetUpStep) => void }

/** Changes of seats that the customer portal lets a customer make by themselves. */
const SEATS = { enabled: true, minimum: 1, maximum: MAX_SEATS }

/**
 * Brings products, prices and the customer portal to the plans. Amounts of a price cannot change: a new one
 * takes over its lookup key, and who pays the old one goes on doing so. It can be run again at any time.
 */
export async function setUpProducts(
  stripe: Stripe,
  plans: readonly Plan[],
  { dryRun, onStep }: Options,
): Promise<void> {
  const sold: { readonly product: string; readonly prices: string[] }[] = []
  for (const plan of plans.filter(({ price_per_user_month }) => price_per_user_month > 0)) {
    const product = `${OURS}_${plan.slug}`
    const label = `${plan.label}, ${plan.price_per_user_month} ${plan.currency} per user and month`
    const result = await bringProduct(stripe, product, plan, dryRun)
    onStep({ what: 'product', id: product, label: plan.label, result })
    const price = await bringPrice(stripe, product, plan, dryRun)
    onStep({ what: 'price', id: lookupKey(plan.slug), label, result: price.result })
    sold.push({ product, prices: [price.id] })
  }
  const result = await bringPortal(stripe, sold, dryRun)
  onStep({ what: 'portal', id: PORTAL_MARK, label: 'Customer portal', result })
}

async function bringProduct(
  stripe: Stripe,
  id: string,
  { slug, label }: Plan,
  dryRun: boolean,
): Promise<SetUpStep['result']> {
  const found = await stripe.products.retrieve(id).catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw error
  })
  const wanted = { name: label, active: true, metadata: { [TIER_MARK]: slug } }
  if (!found) {
    if (!dryRun) await stripe.products.create({ id, ...wanted, unit_label: 'user' })
    return 'created'
  }
  if (found.name === label && found.active && found.metadata[TIER_MARK] === slug) return 'kept'
  if (!dryRun) await stripe.products.update(id, wanted)
  return 'changed'
}

async function bringPrice(
  stripe: Stripe,
  product: string,
  { slug, price_per_user_month, currency }: Plan,
  dryRun: boolean,
): Promise<{ readonly id: string; readonly result: SetUpStep['result'] }> {
  const found = await findPrice(stripe, slug)
  const wanted = {
    currency: currency.toLowerCase(),
    unit_amount: Math.round(price_per_user_month * 10 ** minorUnit(currency)),
  }
  const isRight =
    found?.unit_amount === wanted.unit_amount &&
    found.currency === wanted.currency &&
    found.recurring?.interval === 'month' &&
    found.metadata[TIER_MARK] === slug
  if (found && isRight) return { id: found.id, result: 'kept' }
  const result = found ? 'changed' : 'created'
  if (dryRun) return { id: '', result }
  const { id } = await stripe.prices.create({
    ...wanted,
    product,
    recurring: { interval: 'month' },
    lookup_key: lookupKey(slug),
    transfer_lookup_key: true,
    metadata: { [TIER_MARK]: slug },
  })
  return { id, result }
}

async function bringPortal(
  stripe: Stripe,
  sold: readonly { readonly product: string; readonly prices: string[] }[],
  dryRun: boolean,
): Promise<SetUpStep['result']> {
  const found = await findPortal(stripe)
  // What is offered, in one text: whether it changed is told by comparing it.
  const offer = sold.map(({ prices }) => prices.join('+')).join(',')
  if (found?.metadata?.[PORTAL_MARK] === offer) return 'kept'
  const result = found ? 'changed' : 'created'
  if (dryRun) return result
  const features: Stripe.BillingPortal.ConfigurationCreateParams.Features = {
    invoice_history: { enabled: true },
    payment_method_update: { enabled: true },
    customer_update: { enabled: true, allowed_updates: ['email', 'name', 'address', 'tax_id'] },
    subscription_cancel: { enabled: true, mode: 'at_period_end' },
    subscription_update: {
      enabled: true,
      default_allowed_updates: ['price', 'quantity'],
      proration_behavior: 'always_invoice',
      products: sold.map((one) => ({ ...one, adjustable_quantity: SEATS })),
    },
  }
  const metadata = { [PORTAL_MARK]: offer }
  if (found) await stripe.billingPortal.configurations.update(found.id, { features, metadata })
  else await stripe.billingPortal.configurations.create({ features, metadata })
  return result
}
