import { AppError } from '../base/errors.ts'
import type { DocTypeDefinition } from '../definition/definition.ts'
import { isKeptByEngine } from '../definition/kept.ts'
import { type Actor, hasScope, type Scope } from './actor.ts'
import { type Plans, planOf, unlocks } from './plans.ts'

export type Action =
  | 'read'
  | 'create'
  | 'update'
  | 'delete'
  | 'submit'
  | 'cancel'
  | 'amend'
  | `action:${string}`

/** The rights of one caller: who, and what the workspace has paid for. */
export interface Rights {
  readonly actor: Actor
  readonly tier: string
  readonly plans: Plans
}

/** Deleting records is for admin keys alone (spec §5, contract §3). */
const SCOPE_OF_ACTION: Readonly<Record<string, Scope>> = { read: 'read', delete: 'admin' }

/**
 * Refuses what the caller may not do: effective rights = tier ∧ scope (roles join in a later part), the
 * same for every surface. Throws 401 for a guest, 403 naming the scope or tier that is missing.
 */
export function assertCan(rights: Rights, definition: DocTypeDefinition, action: Action): void {
  assertScope(
    rights.actor,
    SCOPE_OF_ACTION[action] ?? 'write',
    `${action} ${definition.labelPlural}`,
  )
  if (action !== 'read' && isKeptByEngine(definition)) {
    throw new AppError(
      'FORBIDDEN',
      `${definition.labelPlural} are written by the workspace itself, when the documents behind them are submitted or cancelled`,
    )
  }
  if (rights.actor.kind !== 'system' && !unlocks(rights.plans, rights.tier, definition.tier)) {
    throw new AppError('FORBIDDEN', tierMessage(rights, definition))
  }
}

/** Refuses a principal whose scope is too low; `what` completes "may not …". */
export function assertScope(actor: Actor, needed: Scope, what: string): void {
  if (actor.kind === 'guest') {
    throw new AppError(
      'UNAUTHORIZED',
      'this needs an API key: send it as "Authorization: Bearer <key>" or "X-API-Key: <key>"',
    )
  }
  if (!hasScope(actor, needed)) {
    throw new AppError(
      'FORBIDDEN',
      `a key of scope ${actor.scope} may not ${what}; it needs scope ${needed}`,
    )
  }
}

function tierMessage({ plans, tier }: Rights, definition: DocTypeDefinition): string {
  const needed = planOf(plans, definition.tier)
  const current = planOf(plans, tier)
  return (
    `${definition.labelPlural} are part of the ${needed.label} plan (tier ${needed.slug}); this workspace is on ` +
    `${current.label} (tier ${current.slug}). Change it with POST /v1/tiers/${needed.slug}/subscribe`
  )
}
