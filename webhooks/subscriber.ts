import type { Claimed } from './delivery-store.ts'
import type { Lane } from './queue-store.ts'
import { openSecrets, signingSecrets } from './signing/secrets.ts'
import { type SigningKeys, signingKeys } from './signing/signature.ts'
import type { WebhookRow, WebhookStatus } from './store.ts'

/** A subscription as a dispatcher works with it. */
export interface Subscriber {
  readonly id: string
  readonly url: string
  /** Who registered it: what they may not read it is not sent. */
  readonly createdBy: string
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
    createdBy: row.created_by,
    status: row.status,
    failingSince: row.failing_since,
    secrets(now) {
      secrets ??= openSecrets(secretKey, row.id, row.secrets)
      return signingSecrets(secrets, now).map(keysOf)
    },
  }
}

/** The lanes that may be sent in: of a subscription that is not active only what somebody asked for. */
export function lanesOf(subscribers: ReadonlyMap<string, Subscriber>): Lane[] {
  return [...subscribers.values()].flatMap(({ id, status }): Lane[] => {
    const manual: Lane = { webhookId: id, manual: 1 }
    return status === 'active' ? [manual, { webhookId: id, manual: 0 }] : [manual]
  })
}

/** The same of one delivery, by how its subscription is now. */
export function mayBeSent({ manual }: Claimed, { status }: Subscriber): boolean {
  return manual === 1 || status === 'active'
}
