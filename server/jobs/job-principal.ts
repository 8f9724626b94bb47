import { type Actor, type Scope, SYSTEM_ACTOR, workerOf } from '../../engine/access/actor.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import type { Engine } from '../../engine/index.ts'
import { readTierState } from '../../engine/storage/workspace/tier.ts'
import { actorOf, findPerson, userOf } from '../auth/people.ts'
import { findKey } from '../auth/store.ts'

/** As whom a job acts: what is kept of who asked for it. What they may is read anew each time it is gone on with. */
interface Principal {
  readonly kind: Actor['kind']
  readonly id: string
  readonly name: string
  readonly scope: Scope | null
  readonly login: string | null
  readonly address: string | null
}

/** Whose a job of this actor is. */
export function ownerOf(actor: Actor): string {
  return workerOf(actor)
}

/** Text of as whom a job of this actor acts. */
export function principalText(actor: Actor): string {
  const { kind, id, name, scope = null, user, address = null } = actor
  const kept: Principal = { kind, id, name, scope, login: user?.login ?? null, address }
  return JSON.stringify(kept)
}

/**
 * Context in which a job goes on: that of who asked for it, as they are now. Undefined where they may not sign in any
 * more, or their key was revoked.
 */
export async function contextOfJob(
  engine: Engine,
  principal: string,
): Promise<Context | undefined> {
  const kept = JSON.parse(principal) as Principal
  const actor = kept.kind === 'system' ? SYSTEM_ACTOR : await livingActor(engine, kept)
  if (!actor) return undefined
  const { database, plans } = engine.services
  const { override, tier } = await readTierState(database.read, plans)
  const own = override === undefined ? actor.user?.demoTier : undefined
  return { ...engine.context(actor, own ?? tier), isLongWork: true }
}

async function livingActor(
  { services }: Engine,
  { kind, id, name, scope, login, address }: Principal,
): Promise<Actor | undefined> {
  const known = { ...(scope === null ? {} : { scope }), ...(address === null ? {} : { address }) }
  if (kind === 'key' && !(await isKeyValid(services, id))) return undefined
  if (login === null)
    return { kind, id, name, scope: undefined, roles: SYSTEM_ACTOR.roles, ...known }
  const person = await findPerson(services, login)
  if (!person?.enabled) return undefined
  return { ...actorOf(person), kind, id, name, user: userOf(person), ...known }
}

async function isKeyValid(
  { database, clock }: Pick<Engine['services'], 'database' | 'clock'>,
  id: string,
): Promise<boolean> {
  const key = await findKey(database.read, id)
  if (!key || key.revoked !== null) return false
  return key.expires === null || Date.parse(key.expires) > clock.now()
}
