import type { Vocabulary } from '../../definition/model/vocabulary.ts'
import { WEBHOOK_EXAMPLE, WEBHOOK_SCHEMAS } from '../shapes/webhook-shapes.ts'
import type { EventEntry } from './event-entry.ts'
import { JOB_EVENTS, JOBS } from './job-events.ts'
import { SECURITY, SECURITY_EVENTS } from './security-events.ts'

/** Resources of these events that System Managers alone are told of; of the doors only with scope admin. */
export const MANAGED_EVENTS = { webhooks: 'read', [JOBS]: 'read', [SECURITY]: 'admin' } as const

const KEY_FIELDS = ['id', 'url', 'status']
const TIER_KEY_FIELDS = ['id', 'tier', 'previous_tier']
const TIER = { type: 'string' }

/**
 * What a workspace tells of itself, beside what happens to its records. `webhooks` and `tiers` are reserved
 * slugs (contract §1), so no DocType has events of that name. The examples name its two lowest tiers.
 */
export function workspaceEvents({ tiers }: Pick<Vocabulary, 'tiers'>): readonly EventEntry[] {
  const [previous_tier = 'basic', tier = 'plus'] = tiers
  return [
    {
      event: 'webhooks.disabled',
      resource: 'webhooks',
      kind: 'disabled',
      group: 'Webhooks',
      description:
        'An endpoint was disabled, because every delivery to it was given up for five days.',
      key_fields: KEY_FIELDS,
      schema: { ...WEBHOOK_SCHEMAS.Webhook, required: KEY_FIELDS },
      example: {
        ...WEBHOOK_EXAMPLE,
        status: 'disabled',
        failing_since: '2026-01-10T09:30:00.000Z',
      },
    },
    {
      event: 'webhooks.paused',
      resource: 'webhooks',
      kind: 'paused',
      group: 'Webhooks',
      description:
        'A webhook was paused, because its person may have none any more; who sets it to active takes it over.',
      key_fields: KEY_FIELDS,
      schema: { ...WEBHOOK_SCHEMAS.Webhook, required: KEY_FIELDS },
      example: {
        ...WEBHOOK_EXAMPLE,
        status: 'paused',
        paused_because: 'ann@example.com is disabled',
      },
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
      example: { id: tier, tier, previous_tier },
    },
    ...JOB_EVENTS,
    ...SECURITY_EVENTS,
  ]
}
