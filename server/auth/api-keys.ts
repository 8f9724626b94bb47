import { type Actor, hasScope, SCOPES, type Scope } from '../../engine/access/actor.ts'
import { hasFeature, type Plans } from '../../engine/access/plans.ts'
import { type Clock, isoDateTime } from '../../engine/base/clock.ts'
import { AppError, type Detail, validationError } from '../../engine/base/errors.ts'
import { newId } from '../../engine/base/ids.ts'
import type { ProblemCode } from '../../engine/base/problem-codes.ts'
import { shown } from '../../engine/base/shown.ts'
import type { Db } from '../../engine/storage/database/database.ts'
import { allowEntryProblem } from './allow-list.ts'
import {
  KEY_ENVIRONMENTS,
  type KeyEnvironment,
  keyHash,
  newKeyText,
  shownParts,
} from './key-text.ts'
import { insertKey, type KeyRow } from './store.ts'

/** The feature of a plan that allow lists need (contract §3, Credentials). */
export const ALLOW_LIST_FEATURE = 'ip_allowlist'

const MAX_LABEL = 140
const MAX_ALLOW_IPS = 100

/** Properties of a key that is to be made. */
export interface KeyRequest {
  readonly scope: Scope
  readonly env: KeyEnvironment
  readonly label: string | null
  readonly allow_ips: readonly string[]
  /** ISO 8601, UTC; null never expires. */
  readonly expires: string | null
}

/** What a credential is: one text, or two halves as Frappe's clients send them. */
export const KEY_TYPES = ['key', 'pair'] as const
export type KeyType = (typeof KEY_TYPES)[number]

/** Wish for a key or a pair: what it shall be, and for a pair whose. */
export interface KeyWish {
  readonly type: KeyType
  /** Login of the person a pair is for; undefined = whoever asks. */
  readonly user: string | undefined
  readonly request: KeyRequest
}

/** A key, or a pair, as lists show it: nothing of it can be used. `prefix` of a pair is its open half. */
export interface ShownKey extends KeyRequest {
  readonly id: string
  readonly type: KeyType
  /** Login of the person whose roles it has; null for the workspace's own. */
  readonly user: string | null
  readonly prefix: string
  readonly last4: string
  readonly created: string
  readonly created_by: string
  readonly last_used: string | null
}

/** The answer of a creation: the only time the key itself is seen. */
export interface CreatedKey extends ShownKey {
  readonly key: string
}

const FIELDS = ['type', 'user', 'scope', 'env', 'label', 'allow_ips', 'expires']

/**
 * Reads the body of POST /v1/api-keys. `env` is what a key gets that names none; `clock` tells which
 * expiry is already over. Throws 422 with all problems.
 */
export function readKeyRequest(body: unknown, env: KeyEnvironment, clock: Clock): KeyWish {
  const details: Detail[] = []
  const given = new Map(Object.entries(typeof body === 'object' && body !== null ? body : {}))
  for (const field of given.keys()) {
    if (!FIELDS.includes(field))
      details.push({
        field,
        message: `unknown field; expected ${FIELDS.join(', ')}`,
        code: 'unknown_field',
      })
  }
  const refuse = (field: string, expected: string, wrong: ProblemCode): undefined => {
    const got = given.get(field)
    const code = got === undefined ? 'required' : wrong
    details.push({ field, message: `expected ${expected}, got ${shown(got)}`, code })
  }
  const type =
    KEY_TYPES.find((known) => known === (given.get('type') ?? 'key')) ??
    refuse('type', `one of ${KEY_TYPES.join(', ')}`, 'not_an_option')
  const user = given.get('user') ?? undefined
  if (user !== undefined && (type !== 'pair' || typeof user !== 'string'))
    refuse('user', 'nothing, or the login of the person a pair is for', 'wrong_type')
  const scope =
    SCOPES.find((known) => known === given.get('scope')) ??
    refuse('scope', `one of ${SCOPES.join(', ')}`, 'not_an_option')
  const wantedEnv = given.get('env') ?? env
  const keyEnv =
    KEY_ENVIRONMENTS.find((known) => known === wantedEnv) ??
    refuse('env', `one of ${KEY_ENVIRONMENTS.join(', ')}`, 'not_an_option')
  const label = given.get('label') ?? null
  if (label !== null && (typeof label !== 'string' || label.length > MAX_LABEL)) {
    const isText = typeof label === 'string'
    const code = isText ? 'out_of_range' : 'wrong_type'
    refuse('label', `a text of at most ${MAX_LABEL} characters`, code)
  }
  // The one pair without a label is that of generate_keys.
  if (type === 'pair' && (label === null || label === ''))
    refuse('label', 'what the pair is for', 'required')
  const allowIps = readAllowIps(given.get('allow_ips') ?? [], details)
  const expires =
    readExpires(given.get('expires') ?? null, clock) ??
    refuse('expires', 'a moment to come as YYYY-MM-DDTHH:MM:SSZ', 'wrong_type')
  if (!type || !scope || !keyEnv || !expires || details.length > 0) throw validationError(details)
  const request = {
    scope,
    env: keyEnv,
    label: label as string | null,
    allow_ips: allowIps,
    expires: expires.at,
  }
  return { type, user: user as string | undefined, request }
}

function readAllowIps(value: unknown, details: Detail[]): readonly string[] {
  if (!Array.isArray(value) || value.length > MAX_ALLOW_IPS) {
    details.push({
      field: 'allow_ips',
      message: `expected a list of at most ${MAX_ALLOW_IPS} addresses or ranges`,
      code: Array.isArray(value) ? 'out_of_range' : 'wrong_type',
    })
    return []
  }
  value.forEach((entry: unknown, index) => {
    const message = allowEntryProblem(entry)
    if (message !== undefined)
      details.push({ field: `allow_ips[${index}]`, message, code: 'wrong_type' })
  })
  return value as string[]
}

const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/

function readExpires(value: unknown, clock: Clock): { readonly at: string | null } | undefined {
  if (value === null) return { at: null }
  const time = typeof value === 'string' && MOMENT.test(value) ? Date.parse(value) : Number.NaN
  return time > clock.now() ? { at: new Date(time).toISOString() } : undefined
}

/**
 * Refuses what the creator may not hand out: a scope above its own (reliability.md M9), an allow list on a
 * plan without them. Throws 403.
 */
export function assertMayCreate(
  actor: Actor,
  plans: Plans,
  tier: string,
  request: KeyRequest,
): void {
  if (!hasScope(actor, request.scope)) {
    throw new AppError(
      'FORBIDDEN',
      `a key of scope ${actor.scope} may not create one of scope ${request.scope}`,
    )
  }
  if (request.allow_ips.length > 0 && !hasFeature(plans, tier, ALLOW_LIST_FEATURE)) {
    const having = plans.plans.filter(({ slug }) => hasFeature(plans, slug, ALLOW_LIST_FEATURE))
    const names = having.map(({ label, slug }) => `${label} (tier ${slug})`).join(', ')
    throw new AppError(
      'FORBIDDEN',
      `IP allow lists need the plan ${names}; this workspace is on tier ${tier}`,
    )
  }
}

/** Makes a key, which has the roles of who made it, and keeps its hash. The caller has checked `assertMayCreate`. */
export async function createKey(
  tx: Db,
  clock: Clock,
  { name, user }: Pick<Actor, 'name' | 'user'>,
  request: KeyRequest,
): Promise<CreatedKey> {
  const key = newKeyText(request.env)
  const row: KeyRow = {
    ...request,
    id: newId('key', clock.now()),
    hash: keyHash(key),
    ...shownParts(key),
    allow_ips: JSON.stringify(request.allow_ips),
    created: isoDateTime(clock),
    created_by: name,
    last_used: null,
    revoked: null,
    login: user?.login ?? null,
    pair: null,
  }
  await insertKey(tx, row)
  const { id, ...shown } = shownKey(row)
  return { id, key, ...shown }
}

/** A row without its hash. */
export function shownKey(row: KeyRow): ShownKey {
  return {
    id: row.id,
    type: row.pair === null ? 'key' : 'pair',
    user: row.login,
    prefix: row.prefix,
    last4: row.last4,
    scope: row.scope as Scope,
    env: row.env as KeyEnvironment,
    label: row.label,
    allow_ips: JSON.parse(row.allow_ips) as string[],
    created: row.created,
    created_by: row.created_by,
    expires: row.expires,
    last_used: row.last_used,
  }
}
