import { type Detail, validationError } from '../engine/base/errors.ts'
import { shown } from '../engine/base/shown.ts'
import type { Registry } from '../engine/definition/model/registry.ts'
import { eventNames, knownEvents } from './known-events.ts'
import { patternProblem } from './match.ts'
import { type Resolve, resolvedProblem } from './sending/resolve.ts'
import type { TargetPolicy } from './sending/target.ts'
import { secretProblem } from './signing/signature.ts'

/** Properties of a subscription that a caller may send; what was not sent is undefined. */
export interface WebhookInput {
  readonly url?: string
  /** Patterns, aliases already replaced by slugs. */
  readonly events?: readonly string[]
  readonly label?: string | null
  readonly secret?: string
  readonly status?: 'active' | 'paused'
}

export type InputOf = 'create' | 'update'

export interface InputRules {
  readonly registry: Registry
  readonly policy: TargetPolicy
  readonly resolve: Resolve
}

const FIELDS: Readonly<Record<InputOf, readonly string[]>> = {
  create: ['url', 'events', 'secret', 'label'],
  update: ['url', 'events', 'label', 'status'],
}

const MAX_LABEL = 140
const MAX_PATTERNS = 500
/** Wrong patterns that are told of: each is compared with every event there is, to say which was meant. */
const MAX_WRONG_PATTERNS = 20

/**
 * Reads the body of POST and PATCH /v1/webhooks (spec §2, webhook registration). Throws 422 with all problems:
 * an address that may not be called, an event that does not exist, a field that may not be sent.
 */
export async function readWebhookInput(
  body: unknown,
  mode: InputOf,
  rules: InputRules,
): Promise<WebhookInput> {
  const details: Detail[] = []
  const given = new Map(Object.entries(typeof body === 'object' && body !== null ? body : {}))
  for (const field of given.keys())
    if (!FIELDS[mode].includes(field)) details.push(strange(field, mode))
  const required = mode === 'create'
  const refuse = (field: string, expected: string): undefined => {
    const got = given.get(field)
    const code = got === undefined ? 'required' : 'wrong_type'
    details.push({ field, message: `expected ${expected}, got ${shown(got)}`, code })
  }
  const read = <T>(
    field: string,
    isNeeded: boolean,
    expected: string,
    is: (value: unknown) => value is T,
  ): T | undefined => {
    if (!given.has(field) && !isNeeded) return undefined
    const value = given.get(field)
    return is(value) ? value : refuse(field, expected)
  }

  const url = read('url', required, 'an http:// or https:// URL', isText)
  // Each delivery judges it again (contract §3, Receivers).
  const problem =
    url === undefined ? undefined : await resolvedProblem(url, rules.policy, rules.resolve)
  if (problem !== undefined) details.push({ field: 'url', message: problem, code: 'wrong_type' })
  const patterns = read(
    'events',
    required,
    `a list of 1 to ${MAX_PATTERNS} events such as ["sales-orders.*"]`,
    isPatterns,
  )
  const events = patterns && readPatterns(patterns, rules.registry, details)
  const label = read('label', false, `a text of at most ${MAX_LABEL} characters, or null`, isLabel)
  const status = read('status', false, 'active or paused', isStatus)
  const secret = mode === 'create' ? readSecret(given.get('secret'), details) : undefined
  if (details.length > 0) throw validationError(details)
  return {
    ...(url === undefined ? {} : { url }),
    ...(events === undefined ? {} : { events }),
    ...(label === undefined ? {} : { label }),
    ...(status === undefined ? {} : { status }),
    ...(secret === undefined ? {} : { secret }),
  }
}

function strange(field: string, mode: InputOf): Detail {
  if (field === 'secret') {
    const message = 'is changed by POST /v1/webhooks/{id}/rotate'
    return { field, message, code: 'create_only' }
  }
  const message = `unknown field; expected ${FIELDS[mode].join(', ')}`
  return { field, message, code: 'unknown_field' }
}

function readPatterns(
  patterns: readonly string[],
  registry: Registry,
  details: Detail[],
): string[] {
  const known = knownEvents(registry)
  const normal = patterns.map(eventNames(registry))
  let wrong = 0
  for (const [index, pattern] of normal.entries()) {
    const problem = patternProblem(pattern, known)
    if (problem === undefined) continue
    details.push({ field: `events[${index}]`, message: problem, code: 'not_an_option' })
    wrong += 1
    if (wrong === MAX_WRONG_PATTERNS) break
  }
  return [...new Set(normal)]
}

function readSecret(value: unknown, details: Detail[]): string | undefined {
  if (value === undefined || value === null) return undefined
  const problem = isText(value) ? secretProblem(value) : 'expected a text, got something else'
  if (problem !== undefined) details.push({ field: 'secret', message: problem, code: 'wrong_type' })
  return isText(value) ? value : undefined
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isPatterns(value: unknown): value is readonly string[] {
  return (
    Array.isArray(value) && value.length >= 1 && value.length <= MAX_PATTERNS && value.every(isText)
  )
}

function isLabel(value: unknown): value is string | null {
  return value === null || (isText(value) && value.length <= MAX_LABEL)
}

function isStatus(value: unknown): value is 'active' | 'paused' {
  return value === 'active' || value === 'paused'
}
