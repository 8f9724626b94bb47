import { AppError } from '../base/errors.ts'
import type { DocTypeDefinition, Service } from '../definition/model/definition.ts'
import { isDeclared, isKeptByEngine } from '../definition/model/kept.ts'
import { type Actor, hasScope, isManager, type Scope } from './actor.ts'
import { type Plans, planOf, unlocks } from './plans.ts'
import { ALL_ROLE, areStrangers, type GrantsOf, SYSTEM_MANAGER } from './roles.ts'

export type Action =
  | 'read'
  | 'create'
  | 'update'
  | 'revise'
  | 'delete'
  | 'submit'
  | 'cancel'
  | 'amend'
  | 'report'
  | 'export'
  | `action:${string}`

/** Rights of one caller: the actor, what the workspace has paid for, and who may do what. */
export interface Rights {
  readonly actor: Actor
  readonly tier: string
  readonly plans: Plans
  readonly grants: GrantsOf
}

/** Scope of each action, `write` unless named; deleting records is for admin keys alone (spec §5, contract §3). */
const SCOPE_OF_ACTION: Readonly<Record<string, Scope>> = {
  read: 'read',
  report: 'read',
  export: 'read',
  create: 'draft',
  update: 'draft',
  delete: 'admin',
}

/** Scope that an action needs: `draft` for one that does no more than to create drafts. */
function scopeOf(definition: DocTypeDefinition, action: Action): Scope {
  if (!action.startsWith('action:')) return SCOPE_OF_ACTION[action] ?? 'write'
  return createsOnlyDrafts(definition, action.slice('action:'.length)) ? 'draft' : 'write'
}

/** Whether an action of the DocType does no more than to create drafts: it leaves its record as it is. */
export function createsOnlyDrafts({ behaviour }: DocTypeDefinition, name: string): boolean {
  const { steps = [], moves } = behaviour.actions?.[name] ?? {}
  const drafts = steps.length > 0 && steps.every((step) => 'create' in step && !step.submit)
  return drafts && moves === undefined
}

/** Services for admin keys and System Managers only: people, roles and people's limits (contract §3, Credentials). */
const MANAGED: ReadonlySet<Service | undefined> = new Set<Service>([
  'users',
  'roles',
  'user_permissions',
])

/**
 * Refuses what the caller may not do: effective rights = role ∧ tier ∧ scope, the same for every surface.
 * Which of the records a role is limited to is asked at the door of records (documents/rights/door.ts). Throws
 * 401 for a guest, 403 naming the scope, role or tier that is missing.
 */
export function assertCan(rights: Rights, definition: DocTypeDefinition, action: Action): void {
  assertMay(rights, definition, action)
  if (rights.actor.kind !== 'system' && !unlocks(rights.plans, rights.tier, definition.tier))
    throw new AppError('FORBIDDEN', tierMessage(rights, definition))
}

/** Refuses what the caller may not do, whatever the workspace has paid for. */
function assertMay(rights: Rights, definition: DocTypeDefinition, action: Action): void {
  const { actor } = rights
  const what = `${action} ${definition.labelPlural}`
  if (isManaged(definition)) assertManager(actor, 'admin', what)
  assertScope(actor, scopeOf(definition, action), what)
  if (isWrite(action) && isKeptByEngine(definition)) {
    throw new AppError(
      'FORBIDDEN',
      `${definition.labelPlural} are written by the workspace itself, ${isDeclared(definition) ? 'from what the DocTypes declare' : 'when the documents behind them are submitted or cancelled'}`,
    )
  }
  if (!isManager(actor) && grantingRoles(rights, definition, action).length === 0) {
    const verb = action.startsWith('action:') ? `run ${action.slice('action:'.length)} on` : action
    const roles = rights.grants(definition).rolesFor(action)
    throw missingRole(actor, roles, `${verb} ${definition.labelPlural}`)
  }
}

/** Whether a resource is for System Managers and admin keys only. */
export function isManaged({ serves }: DocTypeDefinition): boolean {
  return MANAGED.has(serves)
}

/** Whether `assertCan` lets it pass. */
export function can(rights: Rights, definition: DocTypeDefinition, action: Action): boolean {
  return passes(() => assertCan(rights, definition, action))
}

/** Whether the caller may know of a resource, or do this with it: its records may still need a higher tier (desk.md §4.1). */
export function canSee(
  rights: Rights,
  definition: DocTypeDefinition,
  action: Action = 'read',
): boolean {
  return passes(() => assertMay(rights, definition, action))
}

function passes(assert: () => void): boolean {
  try {
    assert()
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

/** The caller's roles that may do this; a System Manager needs none of them. */
export function grantingRoles(
  { actor, grants }: Pick<Rights, 'actor' | 'grants'>,
  definition: DocTypeDefinition,
  action: Action,
): readonly string[] {
  return grants(definition)
    .rolesFor(action)
    .filter((role) => holdsRole(actor, [role]))
}

/** Whether the caller has one of these roles; everybody who is known has All, strangers apart. */
export function holdsRole(actor: Actor, roles: readonly string[]): boolean {
  const isOneOfAll = actor.kind !== 'guest' && !areStrangers(actor.roles)
  return roles.some((role) => actor.roles.includes(role) || (role === ALL_ROLE && isOneOfAll))
}

/** Error 403 for who has none of these roles; `what` completes "may not …". */
export function missingRole(actor: Actor, roles: readonly string[], what: string): AppError {
  const needed = [...new Set([...roles, SYSTEM_MANAGER])].join(' or ')
  return new AppError(
    'FORBIDDEN',
    `${subjectOf(actor)} may not ${what}; it needs the role ${needed}`,
  )
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
      `a key of scope ${actor.scope} may not ${what}; it needs scope ${needed === 'draft' ? 'draft or write' : needed}`,
    )
  }
}

/** Refuses everybody but System Managers and the keys they made, of at least this scope. */
export function assertManager(actor: Actor, needed: Scope, what: string): void {
  assertScope(actor, needed, what)
  if (isManager(actor)) return
  throw missingRole(actor, [], what)
}

function isWrite(action: Action): boolean {
  return (SCOPE_OF_ACTION[action] ?? 'write') !== 'read'
}

function subjectOf({ kind, roles }: Actor): string {
  const of = kind === 'key' ? 'a key of somebody with' : 'a user with'
  return roles.length === 0 ? `${of} no role` : `${of} ${roles.join(', ')}`
}

function tierMessage({ plans, tier }: Rights, definition: DocTypeDefinition): string {
  const needed = planOf(plans, definition.tier)
  const current = planOf(plans, tier)
  return (
    `${definition.labelPlural} are part of the ${needed.label} plan (tier ${needed.slug}); this workspace is on ` +
    `${current.label} (tier ${current.slug}). Change it with POST /v1/tiers/${needed.slug}/subscribe`
  )
}
