import type { ErrorCode } from '../../base/errors.ts'
import type { JsonSchema } from '../../fields/field-type.ts'
import { answer } from './openapi-answer.ts'
import { query, READ_HEADERS } from './openapi-components.ts'
import { failures } from './openapi-errors.ts'
import { type Paths, pageExample, pageOf, parameter, ref } from './openapi-paths.ts'
import { ATTEMPT_EXAMPLE, EVENT_EXAMPLE, WEBHOOK_EXAMPLE } from './openapi-webhook-shapes.ts'

const PAGING = ['limit', 'offset', 'cursor'].map(parameter)
const TEXT = { type: 'string' }
const KEYED = [...READ_HEADERS, 'Idempotent-Replayed']
const OF_CHANGE: readonly ErrorCode[] = ['CONFLICT', 'NOT_FOUND', 'VALIDATION_ERROR']

/** The routes of the event log, of subscriptions and of their deliveries. */
export function webhookPaths(): Paths {
  return { ...eventPaths(), ...subscriptionPaths(), ...deliveryPaths() }
}

function eventPaths(): Paths {
  return {
    '/v1/events': {
      get: {
        tags: ['Webhooks'],
        operationId: 'listEvents',
        summary: 'What happened, in the order of the changes; the newest first',
        description:
          'A walk with `order=asc` or `after` never skips an event, whoever writes meanwhile: to follow the log, keep the `id` of the last event seen and send it as `after`.',
        parameters: [
          ...PAGING,
          query('event', 'Full name, e.g. `sales-invoices.paid`'),
          query('resource', 'Slug or alias'),
          query('kind', '`created`, `updated`, `submitted`, `paid`, `cancelled`, …'),
          query('record_id', 'Id of the record'),
          query('actor', 'Who did it'),
          query('since', 'Day or moment (UTC) from which on'),
          query('until', 'Day or moment (UTC) before which'),
          query('after', 'Id of an event: those that followed, oldest first'),
          query('order', 'Direction', { ...TEXT, enum: ['asc', 'desc'], default: 'desc' }),
        ],
        responses: {
          '200': answer({
            description: 'The events',
            schema: pageOf('Event'),
            example: pageExample(EVENT_EXAMPLE),
          }),
          ...failures(['VALIDATION_ERROR', 'GONE']),
        },
      },
    },
    '/v1/events/{id}': {
      parameters: [parameter('Id')],
      get: {
        tags: ['Webhooks'],
        operationId: 'getEvent',
        summary: 'One event',
        responses: {
          '200': answer({ description: 'The event', schema: ref('schemas', 'Event') }),
          ...failures(['NOT_FOUND', 'GONE']),
        },
      },
    },
  }
}

function subscriptionPaths(): Paths {
  const shown = answer({
    description: 'The subscription',
    schema: ref('schemas', 'Webhook'),
    example: WEBHOOK_EXAMPLE,
  })
  const withSecret = answer({
    description: 'The subscription with its secret, once',
    schema: ref('schemas', 'WebhookCreated'),
    example: { ...WEBHOOK_EXAMPLE, secret: 'whsec_EXAMPLE' },
    headers: KEYED,
  })
  return {
    '/v1/webhooks': {
      get: {
        tags: ['Webhooks'],
        operationId: 'listWebhooks',
        summary: 'List the subscriptions; their secrets are not among it',
        parameters: PAGING,
        responses: {
          '200': answer({
            description: 'The subscriptions',
            schema: pageOf('Webhook'),
            example: pageExample(WEBHOOK_EXAMPLE),
          }),
          ...failures(['VALIDATION_ERROR']),
        },
      },
      post: {
        ...change('createWebhook', 'Subscribe an endpoint to events', {
          schema: ref('schemas', 'WebhookCreate'),
          example: { url: WEBHOOK_EXAMPLE.url, events: WEBHOOK_EXAMPLE.events },
          required: true,
        }),
        responses: { '201': withSecret, ...failures(['CONFLICT', 'VALIDATION_ERROR']) },
      },
    },
    '/v1/webhooks/{id}': {
      parameters: [parameter('Id')],
      get: {
        tags: ['Webhooks'],
        operationId: 'getWebhook',
        summary: 'One subscription',
        responses: { '200': shown, ...failures(['NOT_FOUND']) },
      },
      patch: {
        ...change('updateWebhook', 'Change a subscription, pause it or let it go on', {
          schema: ref('schemas', 'WebhookUpdate'),
          example: { status: 'paused' },
          required: true,
        }),
        responses: { '200': shown, ...failures(OF_CHANGE) },
      },
      delete: {
        tags: ['Webhooks'],
        operationId: 'deleteWebhook',
        summary: 'Remove a subscription: nothing more is sent to it',
        responses: { '204': ref('responses', 'NoContent'), ...failures(['NOT_FOUND']) },
      },
    },
    '/v1/webhooks/{id}/rotate': {
      parameters: [parameter('Id')],
      post: {
        ...change(
          'rotateWebhookSecret',
          'Give it a new secret; the old one signs too for a while',
          {
            schema: ref('schemas', 'WebhookRotation'),
            example: { grace_seconds: 3600 },
          },
        ),
        responses: { '200': withSecret, ...failures(OF_CHANGE) },
      },
    },
  }
}

function deliveryPaths(): Paths {
  const queued = (properties: JsonSchema): JsonSchema =>
    answer({
      description: 'It is stored, and sent at once',
      schema: { type: 'object', required: Object.keys(properties), properties },
      headers: KEYED,
    })
  const DELIVERY = { delivery_id: TEXT }
  return {
    '/v1/webhooks/{id}/deliveries': {
      parameters: [parameter('Id')],
      get: {
        tags: ['Webhooks'],
        operationId: 'listDeliveries',
        summary: 'The delivery log: every attempt of the last 30 days, the newest first',
        parameters: [
          ...PAGING,
          query('event', 'Full name of the event'),
          query('delivery_id', 'Attempts of one delivery'),
          query('outcome', 'How it ended', { ...TEXT, enum: ['ok', 'failed'] }),
        ],
        responses: {
          '200': answer({
            description: 'The attempts',
            schema: pageOf('DeliveryAttempt'),
            example: pageExample(ATTEMPT_EXAMPLE),
          }),
          ...failures(['NOT_FOUND', 'VALIDATION_ERROR']),
        },
      },
    },
    '/v1/webhooks/{id}/deliveries/{delivery}/resend': {
      parameters: [
        parameter('Id'),
        {
          name: 'delivery',
          in: 'path',
          required: true,
          description: 'An attempt, or a `delivery_id`',
          schema: TEXT,
        },
      ],
      post: {
        ...change('resendDelivery', 'Send one delivery again, under the same id'),
        responses: { '202': queued(DELIVERY), ...failures(OF_CHANGE) },
      },
    },
    '/v1/webhooks/{id}/test': {
      parameters: [parameter('Id')],
      post: {
        ...change('testWebhook', 'Send something to try the endpoint, once', {
          schema: {
            type: 'object',
            properties: { event: { ...TEXT, description: 'The example of this event' } },
          },
          example: { event: 'webhooks.test' },
        }),
        responses: { '202': queued({ event: TEXT, ...DELIVERY }), ...failures(OF_CHANGE) },
      },
    },
    '/v1/webhooks/{id}/recover': {
      parameters: [parameter('Id')],
      post: {
        ...change('recoverDeliveries', 'Send what was missed or given up since a moment', {
          schema: ref('schemas', 'WebhookRecovery'),
          example: { since: '2026-01-15T00:00:00Z' },
          required: true,
        }),
        responses: {
          '202': queued({ queued: { type: 'integer' }, matched: { type: 'integer' } }),
          ...failures(OF_CHANGE),
        },
      },
    },
  }
}

function change(
  operationId: string,
  summary: string,
  body?: { readonly schema: JsonSchema; readonly example: unknown; readonly required?: boolean },
): JsonSchema {
  const { required = false, ...content } = body ?? {}
  return {
    tags: ['Webhooks'],
    operationId,
    summary,
    parameters: [parameter('IdempotencyKey')],
    ...(body ? { requestBody: { required, content: { 'application/json': content } } } : {}),
  }
}
