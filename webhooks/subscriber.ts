import { openSecrets, signingSecrets } from './secrets.ts'
import { type SigningKeys, signingKeys } from './signature.ts'
import type { WebhookRow, WebhookStatus } from './store.ts'

/** A subscription as a dispatcher works with it. */
export interface Subscriber {
  readonly id: string
  readonly url: string
  readonly status: WebhookStatus
  readonly failingSince: string | null
  /** Keys that sign at a moment (ms), newest first. Throws when the secret key of the workspace is another one. */
  secrets(now: number): readonly SigningKeys[]
}

/** Subscriber of a row; its secrets are opened when they are first needed, once. */
export function subscriberOf(row: WebhookRow, secretKey: Buffer): Subscriber {
  let secrets: ReturnType<typeof openSecrets> | undefined
  const keys = new Map<string, SigningKeys>()

  function keysOf(secret: string): SigningKeys {
    const known = keys.get(secret)
    if (known) return known
    const made = signingKeys(secret)
    keys.set(secret, made)
    return made
  }

  return {
    id: row.id,
    url: row.url,
    status: row.status,
    failingSince: row.failing_since,
    secrets(now) {
      secrets ??= openSecrets(secretKey, row.id, row.secrets)
      return signingSecrets(secrets, now).map(keysOf)
    },
  }
}
