import { BRAND } from '../../engine/base/brand.ts'
import { HEADER_NAMES } from './header-names.ts'
import { type Signing, signatureHeaders } from './signature.ts'

const USER_AGENT = `${BRAND}-Webhooks/1.0`

/** Parts of one attempt that its headers are made of. */
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
  return { ...shownHeaders({ event, ...signing }), ...signatureHeaders(signing) }
}

/** The headers of an attempt that its log shows: those of `deliveryHeaders` without the signatures. */
export function shownHeaders({
  event,
  deliveryId,
  timestamp,
}: Pick<AttemptToSend, 'event' | 'deliveryId' | 'timestamp'>): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'User-Agent': USER_AGENT,
    [HEADER_NAMES.event]: event,
    [HEADER_NAMES.delivery]: deliveryId,
    [HEADER_NAMES.timestamp]: String(timestamp),
    [HEADER_NAMES.standardId]: deliveryId,
    [HEADER_NAMES.standardTimestamp]: String(timestamp),
  }
}
