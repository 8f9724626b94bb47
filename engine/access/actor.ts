import { SYSTEM_MANAGER } from './roles.ts'

/**
 * Scopes of a credential, the most it may do (spec §5): each includes the ones before it. `draft` is what agents are given:
 * it makes and changes drafts and submits none (contract §7.4).
 */
export const SCOPES = ['read', 'draft', 'write', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

/** Principal who asks. A missing one is `guest`, never someone with rights (reliability.md K4). */
export interface Actor {
  readonly kind: 'system' | 'user' | 'key' | 'guest'
  /** Stable id of the principal, such as `key_…`; scopes idempotency keys. */
  readonly id: string
  /** Name shown as owner and in events. */
  readonly name: string
  readonly scope: Scope | undefined
  /** A person's roles; a key has those of who made it. */
  readonly roles: readonly string[]
  /** Records that the person is limited to, read anew for every request; none = all that the roles show. */
  readonly limits?: readonly UserLimit[]
  /** Address the request came from; unset for what the command line and the workspace itself do. */
  readonly address?: string
  /** The person: who is signed in, or who made the key. */
  readonly user?: {
    readonly login: string
    readonly email: string
    /** Tier a demo account sees instead of the workspace's. */
    readonly demoTier?: string
    /** Language they chose, such as `de`. */
    readonly language?: string
  }
}

/** Actor of the command line and the engine itself (contract §2: the command acts as System Manager). */
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

/** Name under which the actor's work is counted: that of the person, whichever of their keys they use. */
export function workerOf({ user, id }: Actor): string {
  return user?.login ?? id
}

/** Whether the actor's scope includes `needed`. */
export function hasScope(actor: Actor, needed: Scope): boolean {
  return actor.scope !== undefined && SCOPES.indexOf(actor.scope) >= SCOPES.indexOf(needed)
}

/** Whether the actor may run the workspace: people, keys, billing, and every record. */
export function isManager({ roles }: Actor): boolean {
  return roles.includes(SYSTEM_MANAGER)
}

/** Record that a person is limited to: of records with a link to its DocType they see those that name it or nothing. */
export interface UserLimit {
  /** Its DocType. */
  readonly allow: string
  readonly value: string
  /** Names of the record itself and, in a tree, of those below it. */
  readonly names: readonly string[]
  /** The one DocType it is about; undefined = all that link to `allow`, and that itself. */
  readonly appliesTo?: string
  /** Whether new records of theirs name it where they name nothing. */
  readonly isDefault: boolean
}
