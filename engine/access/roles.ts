import type { DocTypeDefinition } from '../definition/model/definition.ts'
import { asKnown, type Holds, keptFor } from './known-fields.ts'

/** Role with every right; the spec names it (§4, §5). */
export const SYSTEM_MANAGER = 'System Manager'

/** Role of everybody who is signed in, and of every key; strangers apart. */
export const ALL_ROLE = 'All'

/** Role of who signed up by themselves (contract §7.7). */
export const STRANGER_ROLE = 'Website User'

/**
 * Whether these roles are a stranger's: the one of who signed up, and no other. Strangers are not among "everybody"
 * and take no seat of the plan; whoever gives them a role makes them one of the staff.
 */
export function areStrangers(roles: readonly string[]): boolean {
  return roles.length > 0 && roles.every((role) => role === STRANGER_ROLE)
}

/** Role → rights, as written in YAML. */
export type GrantsDeclaration = Readonly<Record<string, readonly string[]>>

/** Content of `roles.yaml`. */
export interface Roles {
  /** Role → what it is for, in words. */
  readonly roles: Readonly<Record<string, string>>
  /** Module → what each role may do with its DocTypes, unless they say so themselves. */
  readonly modules: Readonly<Record<string, GrantsDeclaration>>
}

/** Rights of the roles on one DocType. */
export interface Grants {
  /** Roles that may do this, System Manager apart. */
  rolesFor(action: string): readonly string[]
  /** The DocType as somebody with these roles knows it (known-fields.ts); each view of it is made once. */
  asKnown(holds: Holds): DocTypeDefinition
}

/** The grants of each DocType; made at the first question about it. */
export type GrantsOf = (definition: DocTypeDefinition) => Grants

/**
 * Permissions of DocTypes: their own `permissions.roles`, else those of their module in `roles.yaml`
 * (docs/doctypes/cookbook/permissions.md). A DocType that only limits rows keeps its module's rights.
 */
export function createGrants(roles: Roles): GrantsOf {
  const known = new Map<DocTypeDefinition, Grants>()
  return (definition) => {
    const made = known.get(definition)
    if (made) return made
    const grants: Grants = {
      ...grantsIn(grantsByRole(roles, definition), rolesOfActions(definition)),
      asKnown: viewsOf(definition),
    }
    known.set(definition, grants)
    return grants
  }
}

/** Role → rights in a DocType: what it declares itself, else what `roles.yaml` says of its module. */
export function grantsByRole(
  { modules }: Pick<Roles, 'modules'>,
  definition: DocTypeDefinition,
): GrantsDeclaration {
  return declaredGrants(definition) ?? modules[definition.module] ?? {}
}

function declaredGrants({ behaviour }: DocTypeDefinition): GrantsDeclaration | undefined {
  return behaviour.permissions?.roles
}

/** Roles of the actions that name theirs: such an action is theirs alone. */
function rolesOfActions({ behaviour }: DocTypeDefinition): [string, readonly string[]][] {
  return Object.entries(behaviour.actions ?? {}).flatMap(([name, { roles }]) =>
    roles ? [[`action:${name}`, roles] as [string, readonly string[]]] : [],
  )
}

/** Views of a DocType, by which of the lists of roles that its fields name somebody is in. */
function viewsOf(definition: DocTypeDefinition): Grants['asKnown'] {
  const lists = keptFor(definition)
  const made = new Map<string, DocTypeDefinition>()
  return (holds) => {
    const key = lists.map((roles) => (holds(roles) ? '1' : '0')).join('')
    const view = made.get(key) ?? asKnown(definition, holds)
    made.set(key, view)
    return view
  }
}

function grantsIn(
  declared: GrantsDeclaration,
  ofActions: [string, readonly string[]][],
): Pick<Grants, 'rolesFor'> {
  const rights = Object.entries(declared).map(([role, list]) => [role, new Set(list)] as const)
  const answers = new Map<string, readonly string[]>(ofActions)
  return {
    rolesFor(action) {
      const known = answers.get(action)
      if (known) return known
      const isUpdate = action === REVISE && !rights.some(([, granted]) => granted.has(REVISE))
      const wanted = isUpdate ? 'update' : action
      const roles = rights.filter(([, granted]) => includes(granted, wanted)).map(([role]) => role)
      // Names of actions come from requests; only those that somebody was given are kept.
      if (roles.length > 0) answers.set(action, roles)
      return roles
    },
  }
}

/** Right to change what still may be changed of a submitted document: whoever may update it, unless some role has it by name. */
const REVISE = 'revise'

/** Whether the granted rights include an action: `action` is every declared action, `all` is everything. */
function includes(granted: ReadonlySet<string>, action: string): boolean {
  if (granted.has('all') || granted.has(action)) return true
  return action.startsWith('action:') && granted.has('action')
}
