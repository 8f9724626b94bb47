import { type Plans, paidTiers } from '../../engine/access/plans.ts'
import { DATACENTER_FIELD } from '../../engine/base/brand.ts'
import { PROBLEM_CODES } from '../../engine/base/problem-codes.ts'
import { SUGGESTIONS_SCHEMA } from '../../engine/schema/openapi/openapi-errors.ts'

/** A part of an OpenAPI description. */
export type Json = Readonly<Record<string, unknown>>

const TEXT: Json = { type: 'string' }
const EMAIL: Json = { type: 'string', format: 'email' }
const URL_TEXT: Json = { type: 'string', format: 'uri' }
const PROVIDER = object(['configured'], { configured: { type: 'boolean' } })
const PLAN: Json = { type: 'object', additionalProperties: true }

/** Shapes that are the same whatever the plans are. */
const SCHEMAS: Json = {
  ContactMessage: object(['full_name', 'email', 'message'], {
    full_name: TEXT,
    email: EMAIL,
    message: TEXT,
  }),
  SignUp: object(['email', 'full_name', DATACENTER_FIELD], {
    email: EMAIL,
    full_name: TEXT,
    [DATACENTER_FIELD]: { type: 'string', enum: ['india', 'eu', 'us'] },
    redirect_to: TEXT,
  }),
  BillingStatus: object(['tier', 'provider'], { tier: TEXT, provider: PROVIDER }),
  Checkout: object(['url', 'plan'], { url: URL_TEXT, plan: TEXT }),
  Portal: object(['url'], { url: URL_TEXT }),
  Record: { type: 'object', additionalProperties: true },
  Error: object(['exc_type', 'exception', 'exc', 'message'], {
    exc_type: { type: 'string', description: 'Class of the error, such as PermissionError' },
    exception: TEXT,
    exc: { type: 'string', description: 'JSON list of lines; never empty' },
    message: { type: 'string', description: 'For people' },
    _server_messages: TEXT,
    _error_message: TEXT,
    errors: {
      type: 'array',
      items: object(['field', 'message', 'code'], {
        field: TEXT,
        message: TEXT,
        code: { type: 'string', enum: Object.keys(PROBLEM_CODES) },
        suggestions: SUGGESTIONS_SCHEMA,
      }),
    },
  }),
}

/** The shapes that the description of surface A refers to, by name. */
export function schemasOf(plans: Plans): Json {
  const tiers = plans.plans.map(({ slug }) => slug)
  return {
    ...SCHEMAS,
    Pricing: object(tiers, Object.fromEntries(tiers.map((tier) => [tier, PLAN]))),
    PlanStatus: object(['tier', 'tier_label'], {
      tier: { type: 'string', enum: tiers },
      tier_label: TEXT,
    }),
    CheckoutRequest: object(['plan'], {
      plan: { type: 'string', enum: paidTiers(plans) },
      seats: { type: 'integer', minimum: 1 },
    }),
  }
}

function object(required: readonly string[], properties: Json): Json {
  return { type: 'object', ...(required.length > 0 ? { required } : {}), properties }
}
