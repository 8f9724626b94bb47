import type { JSONSchema } from 'json-schema-to-typescript'
import type { Registry } from '../../definition/model/registry.ts'
import type { JsonSchema } from '../../fields/field-type.ts'
import { resourceEvents } from '../catalogue/event-catalogue.ts'
import type { EventEntry } from '../catalogue/event-entry.ts'
import { shownFields } from '../shapes/doctype-schemas.ts'
import type { SchemaNames } from '../shapes/schema-names.ts'

/** The body of a delivery; `switch` on its `event` tells TypeScript what `data` is. */
export const ENVELOPE_TYPE = `/**
 * What a webhook delivers (\`GET /v1/webhooks/events\` describes each event):
 *   const { data } = envelope as WebhookEnvelope<'sales-orders.submitted'>
 */
export type WebhookEnvelope<E extends keyof WebhookEvents = keyof WebhookEvents> = {
  [K in E]: {
    event: K
    resource: string
    /** The same on every attempt: take each once. */
    delivery_id: string
    timestamp: string
    data: WebhookEvents[K]
  }
}[E]
`

/** The interface `WebhookEvents`: name of each event → what its data is, over the types of the records. */
export function webhookEventsSchema(
  registry: Registry,
  names: SchemaNames,
  ofWorkspace: readonly EventEntry[],
): JSONSchema {
  const properties: Record<string, JsonSchema> = {}
  for (const { event, schema, description } of ofWorkspace)
    properties[event] = { ...schema, description }
  for (const definition of registry.all) {
    const record = { tsType: names.record(definition) }
    const fields = new Set(shownFields(definition).map(({ name }) => name))
    for (const entry of resourceEvents(registry, definition)) {
      const own = ownPart(entry, fields)
      const data = own ? { allOf: [record, own] } : record
      properties[entry.event] = { ...data, description: entry.description }
    }
  }
  return {
    title: 'WebhookEvents',
    type: 'object',
    properties,
    required: Object.keys(properties),
  } as JSONSchema
}

/** Part of an event's data beside the record; undefined where it is the record alone. */
function ownPart(
  { schema, key_fields }: EventEntry,
  fields: ReadonlySet<string>,
): JsonSchema | undefined {
  const own = Object.entries(schema.properties as JsonSchema).filter(([name]) => !fields.has(name))
  if (own.length === 0) return undefined
  const required = key_fields.filter((name) => !fields.has(name))
  return { type: 'object', properties: Object.fromEntries(own), required }
}
