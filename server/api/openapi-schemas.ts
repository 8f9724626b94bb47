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

const PROOF: Json = {
  type: 'string',
  description: 'Your password, a code of your app, or a recovery code',
}
const CODES: Json = {
  type: 'array',
  items: TEXT,
  description: 'Recovery codes, seen this once',
}
const PASSKEY: Json = {
  type: 'object',
  description: '`PublicKeyCredential.toJSON()` of the browser',
  additionalProperties: true,
}
const PASSKEY_OPTIONS: Json = {
  type: 'object',
  description: 'Options for `navigator.credentials`, as JSON',
  additionalProperties: true,
}
const MOMENT: Json = { type: 'string', format: 'date-time' }

/** Shapes of sign-in and second factors. */
const SIGN_IN_SCHEMAS: Json = {
  Login: object([], {
    usr: { type: 'string', description: 'With `pwd`: the first step' },
    pwd: TEXT,
    tmp_id: {
      type: 'string',
      description: 'The ticket: the second step, with one of the next two',
    },
    otp: { type: 'string', description: 'Code of an app, or a recovery code' },
    passkey: PASSKEY,
  }),
  LoggedIn: object(['message', 'home_page', 'full_name'], {
    message: { type: 'string', const: 'Logged In' },
    home_page: TEXT,
    full_name: TEXT,
  }),
  SecondStep: object(['message', 'verification', 'tmp_id'], {
    message: { type: 'string', const: 'Second factor needed' },
    verification: object(['methods'], {
      methods: { type: 'array', items: { type: 'string', enum: ['totp', 'passkey', 'recovery'] } },
      passkey: PASSKEY_OPTIONS,
    }),
    tmp_id: { type: 'string', description: 'Ticket for ten minutes; it is no session' },
  }),
  SecondFactors: object(['factors', 'recovery_codes', 'required'], {
    factors: {
      type: 'array',
      items: object(['id', 'kind', 'name', 'created', 'last_used'], {
        id: TEXT,
        kind: { type: 'string', enum: ['totp', 'passkey'] },
        name: TEXT,
        created: MOMENT,
        last_used: { type: ['string', 'null'], format: 'date-time' },
      }),
    },
    recovery_codes: { type: 'integer', description: 'Recovery codes that are left' },
    required: { type: 'boolean', description: 'Whether a role of yours asks for one' },
    new_recovery_codes: CODES,
  }),
  BeginSecondFactor: object(['kind', 'proof'], {
    kind: { type: 'string', enum: ['totp', 'passkey'] },
    proof: PROOF,
  }),
  BegunSecondFactor: object(['kind', 'ticket'], {
    kind: { type: 'string', enum: ['totp', 'passkey'] },
    ticket: TEXT,
    secret: { type: 'string', description: 'Of an app, in base32' },
    uri: { type: 'string', description: '`otpauth://…`, to be shown as a QR code' },
    options: PASSKEY_OPTIONS,
  }),
  ConfirmSecondFactor: object(['ticket'], {
    ticket: TEXT,
    name: TEXT,
    code: { type: 'string', description: 'That the app shows' },
    passkey: PASSKEY,
  }),
  RemoveSecondFactor: object(['id', 'proof'], { id: TEXT, proof: PROOF }),
  Proof: object(['proof'], { proof: PROOF }),
  RecoveryCodes: object(['new_recovery_codes'], { new_recovery_codes: CODES }),
}

/** Shapes that are the same whatever the plans are. */
const SCHEMAS: Json = {
  ...SIGN_IN_SCHEMAS,
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
