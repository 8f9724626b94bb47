import { type Actor, hasScope, type Scope } from '../../engine/access/actor.ts'
import { assertScope } from '../../engine/access/can.ts'
import { AppError } from '../../engine/base/errors.ts'

/**
 * Login of the person who asks, or whose key does. Throws 401/403 below the scope, and 403 for a key of the workspace, which is
 * nobody's.
 */
export function personOf(actor: Actor, needed: Scope, what: string): string {
  assertScope(actor, needed, what)
  if (actor.user && hasScope(actor, needed)) return actor.user.login
  throw new AppError(
    'FORBIDDEN',
    `a key of the workspace has no ${what.split(' ').at(-1)} of its own; sign in, or use a key that a person has made`,
  )
}
