import { SYSTEM_MANAGER } from './roles.ts'

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
  /** A person's roles; a key has those of who made it. */
  readonly roles: readonly string[]
  /** Records that the person is limited to, read anew for every request; none = all that the roles show. */
  readonly limits?: readonly UserLimit[]
  /** The person: who is signed in, or who made the key. */
  readonly user?: {
    readonly login: string
    readonly email: string
    /** Tier a demo account sees instead of the workspace's. */
    readonly demoTier?: string
  }
}

/** The command line and the engine itself (contract §2: the command acts as System Manager). */
export const SYSTEM_ACTOR: Actor = {
  kind: 'system',
  id: 'system',
  name: 'Administrator',
  scope: 'admin',
  roles: [SYSTEM_MANAGER],
}

export const GUEST_ACTOR: Actor = {
  kind: 'guest',
  id: 'guest',
  name: 'Guest',
  scope: undefined,
  roles: [],
}

/** True when the actor's scope includes `needed`. */
export function hasScope(actor: Actor, needed: Scope): boolean {
  return actor.scope !== undefined && SCOPES.indexOf(actor.scope) >= SCOPES.indexOf(needed)
}

/** True for who may run the workspace: people, keys, billing, and every record. */
export function isManager({ roles }: Actor): boolean {
  return roles.includes(SYSTEM_MANAGER)
}

/** A record that somebody is limited to: of what links to its DocType they see what links to it, or to nothing. */
export interface UserLimit {
  /** Its DocType. */
  readonly allow: string
  readonly value: string
  /** Itself and, in a tree, what is below it. */
  readonly names: readonly string[]
  /** The one DocType it is about; undefined = all that link to `allow`, and that itself. */
  readonly appliesTo?: string
  /** New records of theirs name it where they name nothing. */
  readonly isDefault: boolean
}
