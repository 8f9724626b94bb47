import type { Plan } from '../../engine/access/plans.ts'
import { AppError, type ErrorCode } from '../../engine/base/errors.ts'

/** A subscription as the payment provider has it. */
export interface ProviderSubscription {
  readonly id: string
  /** `active`, `trialing`, `past_due`, … (subscription-states.ts). */
  readonly status: string
  /** The tier whose price it charges. */
  readonly tier: string
  readonly seats: number
  /** ISO 8601, UTC; null where the provider says none. */
  readonly currentPeriodEnd: string | null
  readonly cancelAtPeriodEnd: boolean
}

/** Order that is paid for: a number of seats of a tier. */
export interface Purchase {
  readonly tier: string
  readonly seats: number
}

export interface CheckoutRequest extends Purchase {
  readonly customer: string
  readonly reference: string
  readonly successUrl: string
  readonly cancelUrl: string
}

export interface PortalRequest {
  readonly customer: string
  /** Address the customer comes back to. */
  readonly returnUrl: string
  /** A change of a subscription that the customer only has to confirm. */
  readonly change?: Purchase & { readonly subscription: string }
}

/** A signed message of the provider. */
export interface ProviderEvent {
  readonly id: string
  readonly type: string
  /** Customer whose subscription may have changed; undefined for an event that is about something else. */
  readonly customer: string | undefined
}

/** One thing `setUp` found or did. */
export interface SetUpStep {
  readonly what: 'product' | 'price' | 'portal'
  readonly id: string
  readonly label: string
  readonly result: 'kept' | 'created' | 'changed'
}

/**
 * Payment provider: takes the money. Each call either answers or throws ProviderError, and then nothing is to be
 * changed here. `callKey` makes a repeat of a call the same call: the provider answers both alike.
 */
export interface PaymentProvider {
  /** Its name on the wire, e.g. of its object in the billing status. */
  readonly name: string
  /** Whether its signed events can be read: without them no payment is ever noticed. */
  readonly hearsEvents: boolean
  /** The customer of this workspace: the known one, or a new one where that is gone. */
  customer(reference: string, known: string | null): Promise<string>
  /** Starts a purchase; returns the address where it is paid. */
  checkout(request: CheckoutRequest, callKey: string): Promise<string>
  /** Opens the customer's own pages; returns their address. */
  portal(request: PortalRequest, callKey: string): Promise<string>
  /** Changes a subscription at once, with credit for what was paid and not used. */
  change(subscription: string, to: Purchase, callKey: string): Promise<ProviderSubscription>
  /** Ends a subscription at once, with credit for what was paid and not used. */
  cancel(subscription: string, callKey: string): Promise<ProviderSubscription>
  /** The subscription that counts, as it is now; undefined when the customer never had one. */
  subscriptionOf(customer: string): Promise<ProviderSubscription | undefined>
  /** Reads a signed event. Throws BAD_REQUEST for one that is not genuine or not of now (ms). */
  readEvent(body: Buffer, signature: string | undefined, now: number): Promise<ProviderEvent>
  /** Brings the provider's products and prices to the plans; `dryRun` only says what it would do. */
  setUp(
    plans: readonly Plan[],
    options: { readonly dryRun: boolean; readonly onStep: (step: SetUpStep) => void },
  ): Promise<void>
}

/** A call of the provider that failed. */
export class ProviderError extends AppError {
  /** Whether the provider answered: it then answers a call of the same key alike. */
  readonly answered: boolean

  constructor(
    code: ErrorCode,
    message: string,
    { answered, cause }: { readonly answered: boolean; readonly cause?: Error },
  ) {
    super(code, message, { cause, ...(code === 'UNAVAILABLE' ? { headers: RETRY_LATER } : {}) })
    this.name = 'ProviderError'
    this.answered = answered
    // The log shows the stack and nothing else of an error (server/observe/logger.ts).
    if (cause) this.stack = `${this.stack}\ncaused by ${cause.message}`
  }
}

/**
 * True for a failure after which nobody knows whether the provider did what it was asked: a repeat has to be the
 * same call. What was refused for a reason is over.
 */
export function isUnanswered(error: unknown): boolean {
  if (error instanceof ProviderError) return !error.answered
  return !(error instanceof AppError)
}

const RETRY_LATER = { 'Retry-After': '5' }
