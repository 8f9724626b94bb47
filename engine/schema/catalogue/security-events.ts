import type { JsonSchema } from '../../fields/field-type.ts'
import type { EventEntry } from './event-entry.ts'

/** Resource under which a workspace tells of its doors: no DocType can have this slug. */
export const SECURITY = 'security'

const TEXT = { type: 'string' }
const MOMENT = { ...TEXT, format: 'date-time' }
const ROLES = { type: 'array', items: TEXT }
const WHOLE = { type: 'integer' }

const STEP = { ...TEXT, enum: ['password', 'second_factor'] }

const PERSON = 'ann@example.com'
const ADDRESS = '203.0.113.7'

/** Keys that each of them has; `person` and `address` are null where there is none. */
const COMMON: Readonly<Record<string, JsonSchema>> = {
  id: { ...TEXT, description: 'The session, the key, the webhook, or the person' },
  person: { type: ['string', 'null'], description: 'Login of the person it is about' },
  address: { type: ['string', 'null'], description: 'Where the request came from' },
}

interface Told {
  readonly description: string
  /** An id that says what it is of. */
  readonly id: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly example?: Readonly<Record<string, unknown>>
}

const OF_KEY = {
  type: { ...TEXT, enum: ['key', 'pair'] },
  scope: TEXT,
  env: TEXT,
  label: { type: ['string', 'null'] },
}
const KEY = {
  id: 'key_0mbx3k2qa7r1c9d8e7f6g5h4i',
  properties: OF_KEY,
  example: { type: 'key', scope: 'write', env: 'live', label: 'Web shop' },
}
const FACTOR = {
  id: 'fac_0mbx3k2qa7r1c9d8e7f6g5h4i',
  properties: { kind: { ...TEXT, enum: ['totp', 'passkey'] }, name: TEXT },
  example: { kind: 'totp', name: 'Phone' },
}
const SESSION = 'ses_0mbx3k2qa7r1c9d8e7f6g5h4i'

/** Kinds of events at the doors, by their names. */
const TOLD = {
  signed_in: {
    description: 'Somebody signed in.',
    id: SESSION,
    properties: { agent: { type: ['string', 'null'] } },
    example: { agent: 'Mozilla/5.0' },
  },
  sign_in_failed: {
    description: 'A name was tried with wrong passwords, or codes, several times from one network.',
    id: ADDRESS,
    properties: { step: STEP, attempts: WHOLE },
    example: { step: 'password', attempts: 3 },
  },
  locked_out: {
    description:
      'A network, or whoever tries a name, has to wait before the next attempt to sign in.',
    id: ADDRESS,
    properties: {
      step: STEP,
      of: { ...TEXT, enum: ['account', 'device', 'everywhere', 'network'] },
      until: MOMENT,
    },
    example: { step: 'password', of: 'account', until: '2026-01-15T09:35:00.000Z' },
  },
  password_changed: { description: 'Somebody has another password.', id: PERSON },
  roles_changed: {
    description: 'Somebody has other roles, or is new and has some.',
    id: PERSON,
    properties: { before: ROLES, after: ROLES },
    example: { before: [], after: ['Sales User'] },
  },
  session_revoked: { description: 'A session was ended from elsewhere.', id: SESSION },
  factor_added: { description: 'Somebody has set a second factor up.', ...FACTOR },
  factor_removed: { description: 'Somebody has removed a second factor of theirs.', ...FACTOR },
  factors_reset: {
    description: 'All second factors of somebody were taken away by others.',
    id: PERSON,
  },
  recovery_codes_made: { description: 'Somebody has new recovery codes.', id: PERSON },
  recovery_code_used: {
    description: 'Somebody has proven themselves by a recovery code.',
    id: PERSON,
    properties: { left: WHOLE },
    example: { left: 9 },
  },
  key_created: { description: 'An API key, or a pair of key and secret, was made.', ...KEY },
  key_revoked: { description: 'An API key, or a pair of key and secret, was revoked.', ...KEY },
  secret_rotated: {
    description: 'A webhook has a new signing secret.',
    id: 'whk_0mbx3k2qa7r1c9d8e7f6g5h4i',
  },
  exported: {
    description: 'Records or a report left the workspace as a file.',
    id: 'customers',
    properties: { format: TEXT },
    example: { format: 'csv' },
  },
  left: {
    description: 'Somebody left: their sessions, keys and links have ended.',
    id: PERSON,
    properties: {
      sessions: WHOLE,
      pairs: WHOLE,
      keys: ROLES,
      links: WHOLE,
      webhooks: ROLES,
      records: { type: 'object', description: 'Ids of the records handed over, by resource' },
      to: { type: ['string', 'null'] },
    },
    example: { sessions: 1, pairs: 0, keys: [], links: 0, webhooks: [], records: {}, to: null },
  },
} satisfies Readonly<Record<string, Told>>

/** Word for what happened at a door. */
export type SecurityKind = keyof typeof TOLD

/** What a workspace tells of its doors: to System Managers and their admin keys alone. */
export const SECURITY_EVENTS: readonly EventEntry[] = Object.entries<Told>(TOLD).map(
  ([kind, { description, id, properties = {}, example = {} }]) => ({
    event: `${SECURITY}.${kind}`,
    resource: SECURITY,
    kind,
    group: 'Security',
    description,
    key_fields: Object.keys(COMMON),
    schema: {
      type: 'object',
      required: [...Object.keys(COMMON), ...Object.keys(properties)],
      properties: { ...COMMON, ...properties },
    },
    example: { id, person: PERSON, address: ADDRESS, ...example },
  }),
)
