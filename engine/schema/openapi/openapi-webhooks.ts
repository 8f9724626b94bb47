import type { ErrorCode } from '../../base/errors.ts'
import type { JsonSchema } from '../../fields/field-type.ts'
import {
  A_SLUG,
  AN_EVENT,
  ATTEMPT_EXAMPLE,
  DAY_OR_MOMENT,
  EVENT_EXAMPLE,
  WEBHOOK_EXAMPLE,
} from '../shapes/webhook-shapes.ts'
import { answer } from './openapi-answer.ts'
import { query, READ_HEADERS } from './openapi-components.ts'
import { failures } from './openapi-errors.ts'
import { type Paths, pageExample, pageOf, parameter, ref } from './openapi-paths.ts'

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
          query('event', 'Full name, e.g. `sales-invoices.paid`', AN_EVENT),
          query('resource', 'Slug or alias', A_SLUG),
          query('kind', '`created`, `updated`, `submitted`, `paid`, `cancelled`, …'),
          query('record_id', 'Id of the record'),
          query('actor', 'Who did it'),
          query('since', 'Day or moment (UTC) from which on', DAY_OR_MOMENT),
          query('until', 'Day or moment (UTC) before which', DAY_OR_MOMENT),
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
        description:
          'With the record as it was after the change, as far as the caller may read it.',
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
        description: 'Of each its address, its events, its state and its last delivery.',
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
        ...change(
          'createWebhook',
          'Subscribe an endpoint to events',
          'The secret is in this answer only. An event is named whole, `resource.*` or `*`.',
          {
            schema: ref('schemas', 'WebhookCreate'),
            example: { url: WEBHOOK_EXAMPLE.url, events: WEBHOOK_EXAMPLE.events },
            required: true,
          },
        ),
        responses: { '201': withSecret, ...failures(['CONFLICT', 'VALIDATION_ERROR']) },
      },
    },
    '/v1/webhooks/{id}': {
      parameters: [parameter('Id')],
      get: {
        tags: ['Webhooks'],
        operationId: 'getWebhook',
        summary: 'One subscription',
        description: 'With its state and its last delivery; never its secret.',
        responses: { '200': shown, ...failures(['NOT_FOUND']) },
      },
      patch: {
        ...change(
          'updateWebhook',
          'Change a subscription, pause it or let it go on',
          'What the body names; `active` lets one that was disabled go on.',
          {
            schema: ref('schemas', 'WebhookUpdate'),
            example: { status: 'paused' },
            required: true,
          },
        ),
        responses: { '200': shown, ...failures(OF_CHANGE) },
      },
      delete: {
        tags: ['Webhooks'],
        operationId: 'deleteWebhook',
        summary: 'Remove a subscription: nothing more is sent to it',
        description: 'It is 404 from then on.',
        responses: { '204': ref('responses', 'NoContent'), ...failures(['NOT_FOUND']) },
      },
    },
    ...rotationPath(withSecret),
  }
}

function rotationPath(withSecret: JsonSchema): Paths {
  return {
    '/v1/webhooks/{id}/rotate': {
      parameters: [parameter('Id')],
      post: {
        ...change(
          'rotateWebhookSecret',
          'Give it a new secret; the old one signs too for a while',
          'Both sign until the grace has passed, so that no delivery is refused meanwhile. The new one is shown in this answer only.',
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

function deliveryPath(): Paths {
  return {
    '/v1/webhooks/{id}/deliveries/{delivery}': {
      parameters: [
        parameter('Id'),
        {
          name: 'delivery',
          in: 'path',
          required: true,
          description: 'The `delivery_id` of an attempt',
          schema: TEXT,
        },
      ],
      get: {
        tags: ['Webhooks'],
        operationId: 'getDelivery',
        summary: 'One delivery with the body it sends',
        description: 'As it is sent at the next attempt, or was at the last one.',
        responses: {
          '200': answer({
            description: 'The delivery',
            schema: {
              type: 'object',
              required: ['delivery_id', 'event', 'state', 'body'],
              properties: {
                delivery_id: TEXT,
                event: TEXT,
                state: { ...TEXT, enum: ['pending', 'delivered', 'exhausted'] },
                body: {
                  type: ['object', 'null'],
                  description: 'The JSON that is sent; null once the event is no longer in the log',
                  additionalProperties: true,
                },
              },
            },
          }),
          ...failures(['NOT_FOUND']),
        },
      },
    },
  }
}

const A_DELIVERY = { delivery_id: TEXT }

const queued = (properties: JsonSchema): JsonSchema =>
  answer({
    description: 'It is stored, and sent at once',
    schema: { type: 'object', required: Object.keys(properties), properties },
    headers: KEYED,
  })

function deliveryPaths(): Paths {
  return {
    '/v1/webhooks/{id}/deliveries': {
      parameters: [parameter('Id')],
      get: {
        tags: ['Webhooks'],
        operationId: 'listDeliveries',
        summary: 'The delivery log: every attempt of the last 30 days, the newest first',
        description: 'With status, time, the beginning of the answer and the error of each.',
        parameters: [
          ...PAGING,
          query('event', 'Full name of the event', AN_EVENT),
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
    ...deliveryPath(),
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
        ...change(
          'resendDelivery',
          'Send one delivery again, under the same id',
          'At once, besides the schedule; receivers know it by `delivery_id`.',
        ),
        responses: { '202': queued(A_DELIVERY), ...failures(OF_CHANGE) },
      },
    },
    ...trialPaths(),
  }
}

function trialPaths(): Paths {
  return {
    '/v1/webhooks/{id}/test': {
      parameters: [parameter('Id')],
      post: {
        ...change(
          'testWebhook',
          'Send something to try the endpoint, once',
          'A real delivery with an example of an event.',
          {
            schema: {
              type: 'object',
              properties: { event: { ...AN_EVENT, description: 'The example of this event' } },
              additionalProperties: false,
            },
            example: { event: 'webhooks.test' },
          },
        ),
        responses: { '202': queued({ event: TEXT, ...A_DELIVERY }), ...failures(OF_CHANGE) },
      },
    },
    '/v1/webhooks/{id}/recover': {
      parameters: [parameter('Id')],
      post: {
        ...change(
          'recoverDeliveries',
          'Send what was missed or given up since a moment',
          'Each event of the span that the subscription has not been delivered is queued again.',
          {
            schema: ref('schemas', 'WebhookRecovery'),
            example: { since: '2026-01-15T00:00:00Z' },
            required: true,
          },
        ),
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
  description: string,
  body?: { readonly schema: JsonSchema; readonly example: unknown; readonly required?: boolean },
): JsonSchema {
  const { required = false, ...content } = body ?? {}
  return {
    tags: ['Webhooks'],
    operationId,
    summary,
    description,
    parameters: [parameter('IdempotencyKey')],
    ...(body ? { requestBody: { required, content: { 'application/json': content } } } : {}),
  }
}
