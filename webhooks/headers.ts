import { BRAND } from '../engine/base/brand.ts'
import { HEADER_NAMES } from './header-names.ts'
import { type Signing, signatureHeaders } from './signature.ts'

/** What one attempt to deliver needs to know for its headers. */
export interface AttemptToSend extends Signing {
  /** `<resource>.<verb>`. */
  readonly event: string
}

/**
 * All headers of one attempt, except those of the connection (spec §6). They are made anew for each attempt:
 * id, event and body stay, the timestamp and with it the signatures are those of the attempt. Throws
 * RangeError without a secret.
 */
export function deliveryHeaders({ event, ...signing }: AttemptToSend): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'User-Agent': `${BRAND}-Webhooks/1.0`,
    [HEADER_NAMES.event]: event,
    [HEADER_NAMES.delivery]: signing.deliveryId,
    ...signatureHeaders(signing),
  }
}
