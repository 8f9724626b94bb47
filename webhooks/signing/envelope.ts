/** The parts of the envelope, named as they are on the wire (spec §2). */
export interface Envelope {
  /** `<resource>.<verb>`. */
  readonly event: string
  /** Slug of the resource. */
  readonly resource: string
  /** Id by which receivers de-duplicate: the same for every attempt and for a manual resend. */
  readonly delivery_id: string
  /** Moment of the event, ISO 8601; the time of the attempt is in the headers. */
  readonly timestamp: string
  /** The record's GET shape at the event, as the JSON text that is stored. */
  readonly data: string
  /** Marks a delivery that somebody asked for to try the endpoint. */
  readonly test?: boolean
}

/**
 * The body of a delivery. The same parts always give the same text, and `data` goes through as it is stored:
 * a signature is over bytes, so nothing may be rendered anew between two attempts.
 */
export function envelopeText(envelope: Envelope): string {
  const { event, resource, delivery_id, timestamp, data, test = false } = envelope
  const head = JSON.stringify({ event, resource, delivery_id, timestamp, ...(test && { test }) })
  return `${head.slice(0, -1)},"data":${data}}`
}
