import type { PaymentProvider } from './provider.ts'
import { stripeProvider } from './stripe.ts'

/** The settings that say who takes the money (docs/configuration.md). */
export interface ProviderSettings {
  readonly stripeSecretKey: string | undefined
  readonly stripeWebhookSecret: string | undefined
  readonly stripeApiBase: string | undefined
}

/** The payment provider that is configured; undefined where none is, and plans change without payment. */
export function providerFor({
  stripeSecretKey,
  stripeWebhookSecret,
  stripeApiBase,
}: Partial<ProviderSettings>): PaymentProvider | undefined {
  if (stripeSecretKey === undefined) return undefined
  return stripeProvider({
    secretKey: stripeSecretKey,
    webhookSecret: stripeWebhookSecret,
    apiBase: stripeApiBase,
  })
}
