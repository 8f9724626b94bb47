/** A tier of the workspace as `doctypes/plans.yaml` declares it, lowest first in the file. */
export interface Plan {
  readonly slug: string
  readonly label: string
  readonly price_per_user_month: number
  readonly currency: string
  /** Users included; null is no limit. */
  readonly seats: number | null
  /** API requests a minute of all keys together. */
  readonly requests_per_minute: number
  /** Room for uploads: of the largest file in MB, and of all files together in GB. */
  readonly files: { readonly largest_mb: number; readonly total_gb: number }
  /** Named abilities beside resources, such as `ip_allowlist`. */
  readonly features: readonly string[]
  /** Words for what the plan includes, for pricing pages. */
  readonly includes: readonly string[]
}

export interface Plans {
  /** Abilities that are not resources, with their name on the pricing page. */
  readonly features?: Readonly<Record<string, string>>
  readonly plans: readonly Plan[]
  /** Requests a minute of one signed-in user. */
  readonly signed_in_user_per_minute: number
  /** Contact messages accepted an hour and address. */
  readonly contact_messages_per_hour: number
}

/** The plan of a tier. Throws Error for a tier that plans.yaml does not have: definitions are checked at load. */
export function planOf({ plans }: Plans, slug: string): Plan {
  const plan = plans.find((candidate) => candidate.slug === slug)
  if (!plan)
    throw new Error(
      `unknown tier ${JSON.stringify(slug)}: plans.yaml has ${plans.map((p) => p.slug).join(', ')}`,
    )
  return plan
}

/** The tier of a workspace that nobody has chosen one for (contract §3, Tiers). */
export function lowestTier({ plans }: Plans): string {
  const [lowest] = plans
  if (!lowest) throw new Error('plans.yaml has no plan')
  return lowest.slug
}

/** The tiers that cost something, lowest first. */
export function paidTiers({ plans }: Plans): readonly string[] {
  return plans
    .filter(({ price_per_user_month }) => price_per_user_month > 0)
    .map(({ slug }) => slug)
}

/** True when a workspace of tier `current` has what `needed` asks for: higher plans include the lower ones. */
export function unlocks({ plans }: Plans, current: string, needed: string): boolean {
  const rank = (slug: string): number => plans.findIndex((plan) => plan.slug === slug)
  return rank(needed) >= 0 && rank(current) >= rank(needed)
}

/** Whether the tier's plan has the named feature. */
export function hasFeature(plans: Plans, tier: string, feature: string): boolean {
  return planOf(plans, tier).features.includes(feature)
}
