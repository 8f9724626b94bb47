import type { JsonSchema } from '../../fields/field-type.ts'
import { answer } from './openapi-answer.ts'
import { READ_HEADERS } from './openapi-components.ts'
import { failures } from './openapi-errors.ts'
import { type Paths, ref, wholeList } from './openapi-paths.ts'

const TEXT = { type: 'string' }

/** Stand-ins, as `records` is one for a resource. */
const LOWER_TIER = 'basic'
const HIGHER_TIER = 'plus'

const TIER_EXAMPLE = {
  slug: HIGHER_TIER,
  label: 'Plus',
  price_per_user_month: 15,
  currency: 'USD',
  seats: null,
  includes: ['As many users as you need'],
  current: true,
}

const ADDON_EXAMPLE = {
  slug: 'archive',
  label: 'Archive',
  description: 'Records in folders.',
  tier: HIGHER_TIER,
  price: 15,
  currency: 'USD',
  billing_state: 'included',
  resources: ['records', 'folders'],
}

/** Shapes of the routes about plans. */
export const TIER_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Tier: {
    type: 'object',
    required: Object.keys(TIER_EXAMPLE),
    properties: {
      slug: TEXT,
      label: TEXT,
      price_per_user_month: { type: 'number', format: 'double' },
      currency: TEXT,
      seats: { type: ['integer', 'null'], description: 'Users included; null is no limit' },
      includes: { type: 'array', items: TEXT },
      current: { type: 'boolean', description: 'Whether the workspace has it' },
    },
  },
  Addon: {
    type: 'object',
    required: Object.keys(ADDON_EXAMPLE),
    properties: {
      slug: TEXT,
      label: TEXT,
      description: TEXT,
      tier: { ...TEXT, description: 'Lowest tier that has all of it' },
      price: {
        type: 'number',
        format: 'double',
        description: 'Per user and month: what that tier costs',
      },
      currency: { type: ['string', 'null'] },
      billing_state: {
        ...TEXT,
        enum: ['included', 'requires_upgrade'],
        description: 'Whether the tier of the workspace has all of it',
      },
      resources: { type: 'array', items: TEXT, description: 'Slugs of its resources' },
    },
  },
  SubscribeRequest: {
    type: 'object',
    properties: {
      seats: {
        type: 'integer',
        minimum: 1,
        maximum: 100_000,
        description:
          'Users to pay for; by itself those that are paid for, else all that are enabled',
      },
      success_url: {
        ...TEXT,
        description: 'Where people come back to: an address or path of this workspace',
      },
      cancel_url: { ...TEXT, description: 'The same, for who does not buy' },
    },
    additionalProperties: false,
  },
  SubscribeResult: {
    type: 'object',
    required: ['tier', 'applied'],
    properties: {
      tier: { ...TEXT, description: 'The tier the workspace has now' },
      applied: { type: 'boolean', description: 'Whether it is the one that was asked for' },
      checkout_url: { ...TEXT, description: 'Where to pay or confirm, when it is not' },
    },
  },
}

/** The routes about plans, by path. */
export function tierPaths(): Paths {
  return {
    '/v1/tiers': listOfTiers(),
    '/v1/tiers/{slug}/subscribe': subscribing(),
    '/v1/addons': listOfAddons(),
  }
}

function listOfTiers(): JsonSchema {
  return {
    get: {
      tags: ['Plans'],
      operationId: 'listTiers',
      summary: 'List the tiers, what each includes, and which one the workspace has',
      description: '`current` is the tier that holds now.',
      responses: {
        '200': answer({
          description: 'All tiers, the lowest first',
          schema: {
            type: 'object',
            required: ['data', 'current'],
            properties: {
              data: { type: 'array', items: ref('schemas', 'Tier') },
              current: { ...TEXT, description: 'Slug of the tier the workspace has' },
            },
          },
          example: { data: [TIER_EXAMPLE], current: HIGHER_TIER },
        }),
        ...failures([]),
      },
    },
  }
}

function subscribing(): JsonSchema {
  return {
    parameters: [
      {
        name: 'slug',
        in: 'path',
        required: true,
        description: 'Slug of the tier',
        schema: TEXT,
      },
    ],
    post: {
      tags: ['Plans'],
      operationId: 'subscribeToTier',
      summary: 'Change the tier of the workspace; for System Managers and keys of scope admin',
      description:
        'Where nothing is to be paid it applies at once. Else the answer has the address of a page to pay or confirm at, and the tier changes when the payment provider tells of it.',
      parameters: [ref('parameters', 'IdempotencyKey')],
      requestBody: {
        required: false,
        content: {
          'application/json': {
            schema: ref('schemas', 'SubscribeRequest'),
            example: { seats: 5 },
          },
        },
      },
      responses: {
        '200': answer({
          description: 'Applied, or where to pay',
          schema: ref('schemas', 'SubscribeResult'),
          example: {
            tier: LOWER_TIER,
            applied: false,
            checkout_url: 'https://checkout.stripe.com/c/pay/cs_live_a1b2',
          },
          headers: [...READ_HEADERS, 'Idempotent-Replayed'],
        }),
        ...failures(['NOT_FOUND', 'CONFLICT', 'VALIDATION_ERROR']),
      },
    },
  }
}

function listOfAddons(): JsonSchema {
  return {
    get: {
      tags: ['Plans'],
      operationId: 'listAddons',
      summary: 'List bundles of resources, with their price and whether the workspace has them',
      description: '`billing_state` is `included` or `requires_upgrade`.',
      responses: {
        '200': answer({
          description: 'All add-ons',
          schema: wholeList('Addon'),
          example: { data: [ADDON_EXAMPLE] },
        }),
        ...failures([]),
      },
    },
  }
}
