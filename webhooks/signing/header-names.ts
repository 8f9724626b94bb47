import { brandHeader } from '../../engine/base/brand.ts'

/** Names of the headers that tell a receiver what a delivery is and who sent it (spec §6, contract §3). */
export const HEADER_NAMES = Object.freeze({
  event: brandHeader('Event'),
  delivery: brandHeader('Delivery'),
  timestamp: brandHeader('Timestamp'),
  signature: brandHeader('Signature'),
  signature256: brandHeader('Signature-256'),
  /** The three of standardwebhooks.com, which the libraries of many languages verify. */
  standardId: 'webhook-id',
  standardTimestamp: 'webhook-timestamp',
  standardSignature: 'webhook-signature',
})
