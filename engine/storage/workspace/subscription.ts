import type { Db } from '../database/database.ts'

/** The one row of `svc_subscription`: one process serves one workspace. */
export const SUBSCRIPTION_ID = 'workspace'

/** The plan a workspace chose, or pays for. */
export interface Subscription {
  readonly tier: string
  /**
   * Status in the provider's words (docs/billing.md); `active` for a plan that was chosen without payment, empty
   * until one is chosen.
   */
  readonly status: string
  /** Users that are paid for; null is what the plan has. */
  readonly seats: number | null
  /** The payment provider's ids; `subscription` is null for a plan nobody is charged for. */
  readonly customer: string | null
  readonly subscription: string | null
  /** ISO 8601, UTC. */
  readonly current_period_end: string | null
  readonly cancel_at_period_end: boolean
  /** Name by which the provider knows the workspace: made once, never changed. */
  readonly reference: string
  /** Number of changes of the row, so that who read it can tell whether it is still so. */
  readonly version: number
}

/** Columns that a change of the subscription sets. */
export type SubscriptionChange = Partial<Omit<Subscription, 'reference' | 'version'>>

export async function readSubscription(db: Db): Promise<Subscription | undefined> {
  const row = await db
    .selectFrom('svc_subscription')
    .selectAll()
    .where('id', '=', SUBSCRIPTION_ID)
    .executeTakeFirst()
  if (!row) return undefined
  return {
    tier: String(row.tier),
    status: String(row.status),
    seats: row.seats === null ? null : Number(row.seats),
    customer: row.customer as string | null,
    subscription: row.subscription as string | null,
    current_period_end: row.current_period_end as string | null,
    cancel_at_period_end: Number(row.cancel_at_period_end) === 1,
    reference: String(row.reference),
    version: Number(row.version),
  }
}

/** Makes the row of a workspace that has none; one that is there stays as it is. */
export async function insertSubscription(
  tx: Db,
  {
    tier,
    reference,
    now,
  }: { readonly tier: string; readonly reference: string; readonly now: string },
): Promise<void> {
  await tx
    .insertInto('svc_subscription')
    .values({
      id: SUBSCRIPTION_ID,
      tier,
      status: '',
      reference,
      cancel_at_period_end: 0,
      version: 1,
      modified: now,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** Changes the row, if it still has this version; false when it has not. `now` is ISO. */
export async function updateSubscription(
  tx: Db,
  version: number,
  { cancel_at_period_end, ...change }: SubscriptionChange,
  now: string,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('svc_subscription')
    .set({
      ...change,
      ...(cancel_at_period_end === undefined
        ? {}
        : { cancel_at_period_end: cancel_at_period_end ? 1 : 0 }),
      version: version + 1,
      modified: now,
    })
    .where('id', '=', SUBSCRIPTION_ID)
    .where('version', '=', version)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
