import type { JsonSchema } from '../../fields/field-type.ts'

/** Type of event that subscribers can receive, with the form of its `data`. */
export interface EventEntry {
  /** Name of the event, `<resource>.<kind>`: `sales-orders.submitted`. */
  readonly event: string
  readonly resource: string
  readonly kind: string
  /** The heading people find it under (spec §6, Event catalog). */
  readonly group: string
  readonly description: string
  /** Keys of `data` to rely on; the rest of the record is there too. */
  readonly key_fields: readonly string[]
  /** JSON Schema (2020-12) of `data`; it refers to nothing outside itself. */
  readonly schema: JsonSchema
  /** A `data` that the schema takes. */
  readonly example: Readonly<Record<string, unknown>>
}
