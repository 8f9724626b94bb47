import { type Actor, GUEST_ACTOR, type Scope } from '../engine/access/actor.ts'
import { lowestTier } from '../engine/access/plans.ts'
import { SYSTEM_MANAGER } from '../engine/access/roles.ts'
import { AppError } from '../engine/base/errors.ts'
import type { Engine } from '../engine/index.ts'
import { readTierState } from '../engine/storage/workspace/tier.ts'
import { cameFrom } from './auth/address-came-from.ts'
import { type AllowList, allowList } from './auth/allow-list.ts'
import { readCredential } from './auth/credentials.ts'
import { assertNoForgery } from './auth/forgery.ts'
import { findUsedPair } from './auth/key-pairs.ts'
import { type KeyEnvironment, keyHash, looksLikeKey } from './auth/key-text.ts'
import type { NoteUse } from './auth/last-used.ts'
import { actorOf, findPerson, type Person, userOf } from './auth/people.ts'
import { sessionCookie } from './auth/session-cookies.ts'
import { findSession, type Session } from './auth/sessions.ts'
import { type FoundKey, type KeyRow, keyFinder } from './auth/store.ts'
import type { Asked, Identify, Principal, Stage } from './http/request-state.ts'
import type { AddressLimit } from './limits/address-limit.ts'
import { assertTaken } from './limits/rate-limit.ts'

export interface IdentifierOptions {
  readonly engine: Engine
  /** Keys of the other environment are unknown. */
  readonly env: KeyEnvironment
  readonly noteUse: NoteUse
  /** Hears of what failed beside a request. */
  readonly onError: (error: unknown) => void
  readonly secretKey: Buffer
  /** Further origins whose pages may use a session. */
  readonly origins: readonly string[]
}

/** Header by which only the caller's own cache keeps an answer, and asks again with its ETag. */
const OWN_ANSWER = 'private, no-cache'

/** Read allow lists kept at hand; a list is keyed by its own text. */
const MAX_ALLOW_LISTS = 1000

/**
 * Makes the check of a request's credential, the same for every surface: a key, a pair of key and secret, or
 * the cookie of a session. A header goes before the cookie. It throws 401 with one and the same body for a
 * credential that is unknown, revoked, expired, of the other environment or of somebody disabled
 * (reliability.md K3), 403 for an address that is not on a key's list and for a call that another site's page
 * may have made.
 */
export function identifier({
  engine,
  env,
  noteUse,
  onError,
  secretKey,
  origins,
}: IdentifierOptions): Identify {
  const lists = new Map<string, AllowList>()
  const findKey = keyFinder(engine.services.database)

  function listOf(text: string): AllowList {
    let list = lists.get(text)
    if (!list) {
      if (lists.size >= MAX_ALLOW_LISTS) lists.clear()
      list = allowList(JSON.parse(text) as string[])
      lists.set(text, list)
    }
    return list
  }

  async function byKey(request: Asked, text: string): Promise<Principal> {
    if (!looksLikeKey(text)) throw unauthorized()
    const { database, clock, plans } = engine.services
    const key = await findKey(keyHash(text))
    if (!key || !isValid(key, env, clock.now())) throw unauthorized()
    const maker = key.login === null ? undefined : await findPerson(engine.services, key.login)
    if (key.login !== null && !maker?.enabled) throw unauthorized()
    // A plan is needed to make a list; one that was made holds on every plan, or a downgrade would open it.
    if (key.allow_ips !== '[]') assertAddress(listOf(key.allow_ips), request.ip ?? '')
    noteUse(database, key)
    const tier = (await demoTierOf(maker)) ?? key.tier ?? lowestTier(plans)
    return { actor: keyActor(key, maker), tier, session: undefined }
  }

  async function byPair(request: Asked, openHalf: string, secret: string): Promise<Principal> {
    const { services } = engine
    const used = await findUsedPair(services, openHalf, secret)
    if (!used || !isValid(used.pair, env, services.clock.now())) throw unauthorized()
    const { pair, person } = used
    if (pair.allow_ips !== '[]') assertAddress(listOf(pair.allow_ips), request.ip ?? '')
    noteUse(services.database, pair)
    const principal = await ofPerson(person)
    return { ...principal, actor: { ...principal.actor, scope: pair.scope as Scope } }
  }

  async function ofPerson(person: Person, session?: Session): Promise<Principal> {
    const tier = (await demoTierOf(person)) ?? (await engine.tier())
    return { actor: actorOf(person), tier, session }
  }

  /** A demo account sees its own tier (spec §1), unless the operator has set one for everybody. */
  async function demoTierOf(person: Person | undefined): Promise<string | undefined> {
    const demoTier = person?.demoTier ?? undefined
    if (demoTier === undefined) return undefined
    const { database, plans } = engine.services
    const { override } = await readTierState(database.read, plans)
    return override ?? demoTier
  }

  return async function identify(request) {
    const credential = readCredential(request.headers)
    if (credential.kind === 'differing') {
      throw unauthorized('Authorization and X-API-Key carry different keys; send one of them')
    }
    if (credential.kind === 'unknown') throw unauthorized()
    if (credential.kind === 'key') return byKey(request, credential.key)
    if (credential.kind === 'pair') return byPair(request, credential.key, credential.secret)
    const cookie = sessionCookie(request)
    const found = cookie && (await findSession(engine.services, cookie, onError))
    if (!found) return undefined
    assertNoForgery(request, found.session, { secretKey, origins })
    return ofPerson(found.person, found.session)
  }
}

/**
 * The stage that lets only known principals on, and slows down addresses that guess. With `guests`, who
 * brings no credential is a guest.
 */
export function authenticate(
  engine: Engine,
  identify: Identify,
  failures: AddressLimit,
  { guests = false }: { readonly guests?: boolean } = {},
): Stage {
  return async function authenticateStage(request, response, next) {
    // What one caller sees is not for the next: no cache on the way may keep it (reliability.md K7).
    if (!response.hasHeader('Cache-Control')) response.setHeader('Cache-Control', OWN_ANSWER)
    try {
      const principal = await identify(request)
      if (!principal && !guests) throw unauthorized()
      response.locals.actor = cameFrom(request, principal?.actor ?? GUEST_ACTOR)
      response.locals.tier = principal?.tier ?? (await engine.tier())
      response.locals.session = principal?.session
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      assertTaken(response, failures.take(request.ip ?? ''), engine.services.clock)
      throw error
    }
    next()
  }
}

/** Actor of a key: that of the person who made it; a key of the workspace itself acts under its own id. */
function keyActor({ id, scope }: FoundKey, maker: Person | undefined): Actor {
  const key = { kind: 'key', id, scope: scope as Scope } as const
  if (!maker) return { ...key, name: id, roles: [SYSTEM_MANAGER] }
  const { login, limits } = maker
  return { ...key, name: login, roles: maker.roles, limits, user: userOf(maker) }
}

function isValid(
  key: Pick<KeyRow, 'env' | 'revoked' | 'expires'>,
  env: KeyEnvironment,
  now: number,
): boolean {
  if (key.env !== env || key.revoked !== null) return false
  return key.expires === null || Date.parse(key.expires) > now
}

function unauthorized(
  message = 'expected a valid API key: send it as "Authorization: Bearer <key>" or "X-API-Key: <key>"',
): AppError {
  return new AppError('UNAUTHORIZED', message, { headers: { 'WWW-Authenticate': 'Bearer' } })
}

function assertAddress(list: AllowList, address: string): void {
  if (list.includes(address)) return
  throw new AppError(
    'FORBIDDEN',
    `this key may not be used from ${address}; add the address to its allow_ips`,
  )
}
