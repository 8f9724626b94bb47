import type { Scope } from '../../engine/access/actor.ts'
import type { Random } from '../helpers/random.ts'

/*
 * Who may do what, said a second time and as plainly as possible: by looping over roles and records in memory.
 * It knows nothing of the engine; the fuzz compares the two.
 */

export const ACTIONS = ['read', 'create', 'update', 'submit', 'cancel', 'delete', 'amend'] as const
export type Action = (typeof ACTIONS)[number]

/** What the model keeps of a record; unset values are `null`. */
export interface Kept {
  readonly id: string
  readonly owner: string
  readonly docstatus: 0 | 1 | 2
  readonly title: string
  readonly region: string | null
  readonly assignee: string | null
  readonly amount: number | null
  readonly due: string | null
  readonly urgent: boolean
  /** Id of what it was amended to. */
  readonly amendment: string | null
}

export interface Caller {
  /** Who they are, or who made their key. */
  readonly login: string
  /** What becomes the owner of their records: the login, also with a key of theirs. */
  readonly name: string
  readonly roles: readonly string[]
  readonly scope: Scope
}

/** A condition of `permissions.rows`: as YAML has it, and what it means. */
export interface RowRule {
  readonly text: string
  holds(record: Kept, caller: Caller): boolean
}

export const TODAY = '2026-03-01'

export const ROW_RULES: readonly RowRule[] = [
  { text: 'owner == user.email', holds: ({ owner }, { login }) => owner === login },
  { text: 'owner != user.name', holds: ({ owner }, { name }) => owner !== name },
  { text: 'assignee == user.email', holds: ({ assignee }, { login }) => assignee === login },
  {
    text: 'assignee == "" || assignee == user.email',
    holds: ({ assignee }, { login }) => (assignee ?? '') === '' || assignee === login,
  },
  { text: 'region == "North"', holds: ({ region }) => region === 'North' },
  { text: 'region != "North"', holds: ({ region }) => region !== 'North' },
  {
    text: 'region in ["North", "South"]',
    holds: ({ region }) => ['North', 'South'].includes(region ?? ''),
  },
  { text: 'amount > 100', holds: ({ amount }) => (amount ?? 0) > 100 },
  { text: 'amount <= 99.99', holds: ({ amount }) => (amount ?? 0) <= 99.99 },
  {
    text: 'urgent && amount * 2 >= 200 || region == ""',
    holds: ({ urgent, amount, region }) => (urgent && (amount ?? 0) * 2 >= 200) || region === null,
  },
  { text: '!urgent', holds: ({ urgent }) => !urgent },
  { text: 'has(due) && due <= today()', holds: ({ due }) => due !== null && due <= TODAY },
  { text: 'due == "" || due > today()', holds: ({ due }) => due === null || due > TODAY },
  { text: 'docstatus == 0', holds: ({ docstatus }) => docstatus === 0 },
  {
    text: 'docstatus > 0 || owner == user.email',
    holds: ({ docstatus, owner }, { login }) => docstatus > 0 || owner === login,
  },
  { text: 'title.startsWith("a")', holds: ({ title }) => title.startsWith('a') },
  { text: 'title.contains("_") || title.contains("%")', holds: ({ title }) => /[_%]/.test(title) },
  {
    text: 'size(coalesce(assignee, title)) > 6',
    holds: ({ assignee, title }) => [...(assignee ?? title)].length > 6,
  },
]

/** The rights of a DocType: role → what it may, and which records only. */
export interface Permissions {
  readonly tier: 'free' | 'business'
  readonly grants: ReadonlyMap<string, ReadonlySet<Action | 'all'>>
  readonly rows: ReadonlyMap<string, RowRule>
}

const SCOPE_FOR: Readonly<Record<Action, Scope>> = {
  read: 'read',
  create: 'draft',
  update: 'draft',
  submit: 'write',
  cancel: 'write',
  amend: 'write',
  delete: 'admin',
}

const SCOPES: readonly Scope[] = ['read', 'draft', 'write', 'admin']

/** Whether the caller may do this with records at all: scope, tier and role. */
export function mayAtAll({ tier, grants }: Permissions, caller: Caller, action: Action): boolean {
  if (SCOPES.indexOf(caller.scope) < SCOPES.indexOf(SCOPE_FOR[action])) return false
  if (tier === 'business') return false
  if (caller.roles.includes('System Manager')) return true
  return grantingRoles(grants, caller, action).length > 0
}

/** Whether the caller may do this with this very record. */
export function may(
  permissions: Permissions,
  caller: Caller,
  action: Action,
  record: Kept,
): boolean {
  if (!mayAtAll(permissions, caller, action)) return false
  if (caller.scope === 'draft' && action === 'update' && record.docstatus !== 0) return false
  if (caller.roles.includes('System Manager')) return true
  const { grants, rows } = permissions
  return grantingRoles(grants, caller, action).some((role) => {
    const rule = rows.get(role)
    return rule === undefined || rule.holds(record, caller)
  })
}

function grantingRoles(grants: Permissions['grants'], caller: Caller, action: Action): string[] {
  return [...grants].flatMap(([role, given]) => {
    const isTheirs = role === 'All' || caller.roles.includes(role)
    return isTheirs && (given.has('all') || given.has(action)) ? [role] : []
  })
}

/** Rights of a DocType at random.  */
export function randomPermissions(random: Random, roles: readonly string[]): Permissions {
  const grants = new Map<string, ReadonlySet<Action | 'all'>>()
  const rows = new Map<string, RowRule>()
  for (const role of roles) {
    if (random.chance(0.35)) continue
    const given = random.chance(0.2)
      ? (['all'] as const)
      : ACTIONS.filter((action) => random.chance(action === 'read' ? 0.9 : 0.5))
    grants.set(role, new Set(given))
    if (random.chance(0.65)) rows.set(role, random.one(ROW_RULES))
  }
  return { tier: random.chance(0.12) ? 'business' : 'free', grants, rows }
}

/** `permissions:` as YAML has it. */
export function permissionsYaml({ grants, rows }: Permissions): string {
  const roles = [...grants].map(([role, given]) => `    ${role}: [${[...given].join(', ')}]`)
  if (roles.length === 0) roles.push('    System Manager: [all]')
  const lines = ['  roles:', ...roles]
  if (rows.size > 0)
    lines.push('  rows:', ...[...rows].map(([role, { text }]) => `    ${role}: '${text}'`))
  return ['permissions:', ...lines].join('\n')
}
