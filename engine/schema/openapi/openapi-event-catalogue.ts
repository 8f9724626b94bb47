import { brandHeader } from '../../base/brand.ts'
import type { JsonSchema } from '../../fields/field-type.ts'
import { anyObject } from '../shapes/json-schema.ts'
import { answer } from './openapi-answer.ts'
import { READ_HEADERS } from './openapi-components.ts'
import { failures } from './openapi-errors.ts'
import { type Paths, parameter, ref, wholeList } from './openapi-paths.ts'

/** The tag of webhooks. */
export const WEBHOOK_TAG: JsonSchema = {
  name: 'Webhooks',
  description: 'What happened, and having it sent to a server of your own',
}

const TEXT = { type: 'string' } as const

const EVENT_EXAMPLE = {
  event: 'records.created',
  resource: 'records',
  kind: 'created',
  group: 'Setup',
  description: 'A record was created.',
  key_fields: ['id', 'title'],
  schema: {
    type: 'object',
    properties: { id: TEXT, title: { type: ['string', 'null'] } },
    required: ['id', 'title'],
  },
  example: { id: 'R-00042', title: 'Bell' },
}

/** Shapes of the list of events and of a delivery. */
export const EVENT_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  EventType: {
    type: 'object',
    required: Object.keys(EVENT_EXAMPLE),
    properties: {
      event: { ...TEXT, description: '`<resource>.<kind>`' },
      resource: TEXT,
      kind: TEXT,
      group: { ...TEXT, description: 'Heading to list it under' },
      description: TEXT,
      key_fields: { type: 'array', items: TEXT, description: 'Keys of `data` that always come' },
      schema: anyObject('JSON Schema (2020-12) of `data`'),
      example: anyObject('A `data` of it'),
    },
  },
  WebhookEnvelope: {
    type: 'object',
    required: ['event', 'resource', 'delivery_id', 'timestamp', 'data'],
    properties: {
      event: { ...TEXT, description: 'One of `GET /v1/webhooks/events`' },
      resource: TEXT,
      delivery_id: { ...TEXT, description: 'The same on every attempt: take each once' },
      timestamp: { ...TEXT, format: 'date-time' },
      data: anyObject('The record as GET shows it'),
    },
  },
}

/** The path of the list of events. */
export function eventCataloguePaths(): Paths {
  return {
    '/v1/webhooks/events': {
      get: {
        tags: ['Webhooks'],
        operationId: 'listEventTypes',
        summary: 'List every type of event, with the schema of its data and an example',
        description: 'Together the parameters all have to fit; a value that nothing has is a 422.',
        parameters: [...['OneEvent', 'OneSlug', 'OneGroup', 'IfNoneMatch'].map(parameter)],
        responses: {
          '200': answer({
            description: 'The types of event, all at once',
            schema: wholeList('EventType'),
            example: { data: [EVENT_EXAMPLE] },
            headers: [...READ_HEADERS, 'ETag'],
          }),
          '304': ref('responses', 'NotModified'),
          ...failures(['VALIDATION_ERROR']),
        },
      },
    },
  }
}

function signed(name: string, description: string): JsonSchema {
  return { name: brandHeader(name), in: 'header', required: true, description, schema: TEXT }
}

/** The request that a subscriber's server gets, whatever the event (spec §6, Delivery request). */
export const DELIVERY: Readonly<Record<string, JsonSchema>> = {
  delivery: {
    post: {
      tags: ['Webhooks'],
      operationId: 'receiveDelivery',
      summary: 'An event, sent to the address of a subscription',
      description:
        'At least once and in no certain order; repeated for up to 24 hours until a 2xx comes within 10 seconds.',
      security: [],
      parameters: [
        signed('Event', 'Name of the event'),
        signed('Delivery', 'The `delivery_id`'),
        signed('Timestamp', 'When it was sent, in Unix seconds; refuse what is older than 300'),
        signed(
          'Signature',
          '`t=<timestamp>, v1=<hex>`: HMAC-SHA256 over `<timestamp>.<raw body>` with the secret of the subscription; one `v1` for each secret that holds',
        ),
      ],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: ref('schemas', 'WebhookEnvelope'),
            example: {
              event: EVENT_EXAMPLE.event,
              resource: EVENT_EXAMPLE.resource,
              delivery_id: 'dlv_0mbx3k2qa7r1c9d8e7f6g5h4i',
              timestamp: '2026-01-15T09:30:00.000Z',
              data: EVENT_EXAMPLE.example,
            },
          },
        },
      },
      responses: { '2XX': { description: 'Taken' } },
    },
  },
}
