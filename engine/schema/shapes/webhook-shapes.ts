import type { JsonSchema } from '../../fields/field-type.ts'
import { anyObject } from './json-schema.ts'

/** A line of the event log. */
export const EVENT_EXAMPLE = {
  id: 'evt_0mbx3k2qa7r1c9d8e7f6g5h4i',
  event: 'sales-invoices.paid',
  resource: 'sales-invoices',
  kind: 'paid',
  record_id: 'SINV-2026-00001',
  timestamp: '2026-01-15T09:30:00.000Z',
  actor: 'Administrator',
  data: { id: 'SINV-2026-00001' },
}

/** A subscription as lists show it. */
export const WEBHOOK_EXAMPLE = {
  id: 'whk_0mbx3k2qa7r1c9d8e7f6g5h4i',
  url: 'https://example.com/hooks/svc',
  events: ['sales-invoices.paid', 'customers.*'],
  label: 'Web shop',
  status: 'active',
  failing_since: null,
  created: '2026-01-15T09:30:00.000Z',
  created_by: 'ann@example.com',
  user: 'ann@example.com',
  paused_because: null,
  modified: '2026-01-15T09:30:00.000Z',
  last_delivery: { status_code: 204, at: '2026-01-15T09:31:00.000Z' },
}

/** A line of the delivery log. */
export const ATTEMPT_EXAMPLE = {
  id: 'att_0mbx3k2qa7r1c9d8e7f6g5h4i',
  delivery_id: 'dlv_0mbx3k2qa7r1c9d8e7f6g5h4i',
  event: 'sales-invoices.paid',
  attempt: 1,
  trigger: 'auto',
  url: 'https://example.com/hooks/svc',
  status_code: 503,
  latency_ms: 41,
  response_preview: 'try later',
  error: 'the receiver answered 503, expected a 2xx status',
  attempted_at: '2026-01-15T09:31:00.000Z',
  next_attempt_at: '2026-01-15T09:31:05.000Z',
  request_headers: { 'X-Svc-Event': 'sales-invoices.paid' },
}

const TEXT = { type: 'string' }
const TEXT_OR_NULL = { type: ['string', 'null'] }
const WHOLE = { type: 'integer' }
const MOMENT = { ...TEXT, format: 'date-time' }
const MOMENT_OR_NULL = { ...TEXT_OR_NULL, format: 'date-time' }
const URL = { ...TEXT, format: 'uri', maxLength: 2048 }

/** Slug of a resource, or another name of it. */
export const A_SLUG = { ...TEXT, pattern: '^[a-z0-9-]+$' }
/** Full name of an event. */
export const AN_EVENT = { ...TEXT, pattern: '^[a-z0-9-]+\\.[a-z0-9_]+$' }
/** A day, which is its beginning, or a moment. A format would be one of the two. */
export const DAY_OR_MOMENT = {
  ...TEXT,
  pattern: '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}.*)?$',
  examples: ['2026-01-15', '2026-01-15T09:30:00Z'],
}
const EVENTS = {
  type: 'array',
  minItems: 1,
  maxItems: 500,
  items: { ...TEXT, pattern: '^(\\*|[a-z0-9-]+\\.(\\*|[a-z0-9_]+))$' },
  description: 'Names of events, `<resource>.*`, or `*`',
}
const LABEL = { ...TEXT_OR_NULL, maxLength: 140 }

function object(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = [],
) {
  return { type: 'object', ...(required.length > 0 ? { required } : {}), properties }
}

/** An object of these keys and no others, as bodies are. */
function closed(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = [],
): JsonSchema {
  return { ...object(properties, required), additionalProperties: false }
}

/** Shapes of the event log, of subscriptions and of the delivery log. */
export const WEBHOOK_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Event: object(
    {
      id: TEXT,
      event: TEXT,
      resource: TEXT,
      kind: TEXT,
      record_id: TEXT,
      timestamp: MOMENT,
      actor: TEXT,
      data: anyObject('The record as GET shows it'),
    },
    Object.keys(EVENT_EXAMPLE),
  ),
  Webhook: object(
    {
      id: TEXT,
      url: URL,
      events: EVENTS,
      label: LABEL,
      status: {
        ...TEXT,
        enum: ['active', 'paused', 'disabled'],
        description: 'Disabled: every delivery was given up for five days',
      },
      failing_since: MOMENT_OR_NULL,
      created: MOMENT,
      created_by: TEXT,
      user: { ...TEXT_OR_NULL, description: "Whose it is; null = the workspace's own" },
      paused_because: {
        ...TEXT_OR_NULL,
        description:
          'Why it was paused with the rights of its person; who sets it to active takes it over',
      },
      modified: MOMENT,
      last_delivery: {
        ...object({ status_code: { type: ['integer', 'null'] }, at: MOMENT }, [
          'status_code',
          'at',
        ]),
        type: ['object', 'null'],
      },
    },
    Object.keys(WEBHOOK_EXAMPLE),
  ),
  WebhookCreate: closed(
    {
      url: URL,
      events: EVENTS,
      secret: { ...TEXT_OR_NULL, description: 'What signs; generated when not sent' },
      label: LABEL,
    },
    ['url', 'events'],
  ),
  WebhookUpdate: closed({
    url: URL,
    events: EVENTS,
    label: LABEL,
    status: { ...TEXT, enum: ['active', 'paused'] },
  }),
  WebhookCreated: {
    allOf: [{ $ref: '#/components/schemas/Webhook' }, object({ secret: TEXT }, ['secret'])],
  },
  WebhookRotation: closed({
    grace_seconds: {
      ...WHOLE,
      minimum: 0,
      maximum: 604_800,
      default: 86_400,
      description: 'How long the old secret signs beside the new one',
    },
  }),
  WebhookRecovery: closed({ since: DAY_OR_MOMENT, until: DAY_OR_MOMENT }, ['since']),
  DeliveryAttempt: object(
    {
      id: TEXT,
      delivery_id: { ...TEXT, description: 'The same for every attempt: de-duplicate by it' },
      event: TEXT,
      attempt: WHOLE,
      trigger: { ...TEXT, enum: ['auto', 'manual'] },
      url: TEXT,
      status_code: { type: ['integer', 'null'] },
      latency_ms: WHOLE,
      response_preview: TEXT_OR_NULL,
      error: { ...TEXT_OR_NULL, description: 'null when it was delivered' },
      attempted_at: MOMENT,
      next_attempt_at: MOMENT_OR_NULL,
      request_headers: anyObject('Without the signatures'),
    },
    Object.keys(ATTEMPT_EXAMPLE),
  ),
}
