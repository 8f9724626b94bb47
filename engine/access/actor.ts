/** What a credential may do at most (spec §5): each scope includes the ones before it. */
export const SCOPES = ['read', 'write', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

/** Who asks. A missing principal is `guest`, never someone with rights (reliability.md K4). */
export interface Actor {
  readonly kind: 'system' | 'user' | 'key' | 'guest'
  /** Stable id of the principal, such as `key_…`; scopes idempotency keys. */
  readonly id: string
  /** Shown as owner and in events. */
  readonly name: string
  readonly scope: Scope | undefined
}

/** The command line and the engine itself (contract §2: the command acts as System Manager). */
export const SYSTEM_ACTOR: Actor = {
  kind: 'system',
  id: 'system',
  name: 'Administrator',
  scope: 'admin',
}

export const GUEST_ACTOR: Actor = { kind: 'guest', id: 'guest', name: 'Guest', scope: undefined }

/** True when the actor's scope includes `needed`. */
export function hasScope(actor: Actor, needed: Scope): boolean {
  return actor.scope !== undefined && SCOPES.indexOf(actor.scope) >= SCOPES.indexOf(needed)
}
