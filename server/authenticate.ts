import type { Request } from 'express'
import type { Actor, Scope } from '../engine/access/actor.ts'
import { SYSTEM_MANAGER } from '../engine/access/roles.ts'
import { AppError } from '../engine/base/errors.ts'
import type { Engine } from '../engine/index.ts'
import { DEFAULT_TIER } from '../engine/storage/tier.ts'
import type { AddressLimit } from './address-limit.ts'
import { type AllowList, allowList } from './auth/allow-list.ts'
import { readCredential } from './auth/credentials.ts'
import { type KeyEnvironment, keyHash, looksLikeKey } from './auth/key-text.ts'
import type { NoteUse } from './auth/last-used.ts'
import { type FoundKey, keyFinder } from './auth/store.ts'
import { assertTaken } from './rate-limit.ts'
import type { Handler, RequestState } from './request-state.ts'

export interface IdentifierOptions {
  readonly engine: Engine
  /** Keys of the other environment are unknown. */
  readonly env: KeyEnvironment
  readonly noteUse: NoteUse
}

/** Who a request's key belongs to. */
export type Principal = Pick<RequestState, 'actor' | 'tier'>

export type Identify = (request: Request) => Promise<Principal>

/** Read allow lists kept at hand; a list is keyed by its own text. */
const MAX_ALLOW_LISTS = 1000

/**
 * Makes the check of a request's key. It throws 401 with one and the same body for a key that is missing,
 * unknown, revoked, expired or of the other environment (reliability.md K3), and 403 for an address that
 * is not on the key's list.
 */
export function identifier({ engine, env, noteUse }: IdentifierOptions): Identify {
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

  return async function identify(request) {
    const credential = readCredential(request.headers)
    if (credential.kind === 'differing') {
      throw unauthorized('Authorization and X-API-Key carry different keys; send one of them')
    }
    if (credential.kind === 'none' || !looksLikeKey(credential.key)) throw unauthorized()
    const { database, clock } = engine.services
    const key = await findKey(keyHash(credential.key))
    if (!key || !isValid(key, env, clock.now())) throw unauthorized()
    const tier = key.tier ?? DEFAULT_TIER
    // A plan is needed to make a list; one that was made holds on every plan, or a downgrade would open it.
    if (key.allow_ips !== '[]') {
      assertAddress(listOf(key.allow_ips), request.ip ?? '')
    }
    noteUse(database, key)
    const { id } = key
    const actor: Actor = {
      kind: 'key',
      id,
      name: id,
      scope: key.scope as Scope,
      roles: [SYSTEM_MANAGER],
    }
    return { actor, tier }
  }
}

/** The stage that lets only known keys on, and slows down addresses that guess. */
export function authenticate(engine: Engine, identify: Identify, failures: AddressLimit): Handler {
  return async function authenticateStage(request, response, next) {
    try {
      const { actor, tier } = await identify(request)
      response.locals.actor = actor
      response.locals.tier = tier
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      assertTaken(response, failures.take(request.ip ?? ''), engine.services.clock)
      throw error
    }
    next()
  }
}

function isValid(key: FoundKey, env: KeyEnvironment, now: number): boolean {
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
