import { WEBHOOK_EXAMPLE, WEBHOOK_SCHEMAS } from '../openapi/openapi-webhook-shapes.ts'
import type { EventEntry } from './event-entry.ts'

const KEY_FIELDS = ['id', 'url', 'status']
const TIER_KEY_FIELDS = ['id', 'tier', 'previous_tier']
const TIER = { type: 'string' }

/**
 * Events of the workspace itself, beside those of its records. `webhooks` and `tiers` are reserved slugs (contract
 * §1), so no DocType has events of that name.
 */
export const WORKSPACE_EVENTS: readonly EventEntry[] = [
  {
    event: 'webhooks.disabled',
    resource: 'webhooks',
    kind: 'disabled',
    group: 'Webhooks',
    description:
      'An endpoint was disabled, because every delivery to it was given up for five days.',
    key_fields: KEY_FIELDS,
    schema: { ...WEBHOOK_SCHEMAS.Webhook, required: KEY_FIELDS },
    example: { ...WEBHOOK_EXAMPLE, status: 'disabled', failing_since: '2026-01-10T09:30:00.000Z' },
  },
  {
    event: 'tiers.changed',
    resource: 'tiers',
    kind: 'changed',
    group: 'Workspace',
    description: 'The tier (plan) of the workspace changed.',
    key_fields: TIER_KEY_FIELDS,
    schema: {
      type: 'object',
      required: TIER_KEY_FIELDS,
      properties: {
        id: { ...TIER, description: 'The tier, again' },
        tier: TIER,
        previous_tier: TIER,
      },
    },
    example: { id: 'pro', tier: 'pro', previous_tier: 'free' },
  },
]
