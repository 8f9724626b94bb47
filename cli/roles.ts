import { can } from '../engine/access/can.ts'
import { ALL_ROLE, areStrangers } from '../engine/access/roles.ts'
import { suggest } from '../engine/base/suggest.ts'
import type { Engine } from '../engine/index.ts'
import { allNames, columnOfAll } from '../engine/storage/finding/record-names.ts'
import { peopleOf } from '../server/auth/people.ts'
import { listPeople } from '../server/auth/person-store.ts'
import { UsageError } from './failure.ts'

/** A role that can be given, and how many who can sign in have it. */
export interface ListedRole {
  readonly role: string
  readonly description: string | null
  readonly people: number
}

/** All roles there are, by name. */
export async function listRoles({ services }: Engine): Promise<readonly ListedRole[]> {
  const definition = services.registry.serving('roles')
  if (!definition) return []
  const hasDescription = definition.fields.some(({ name }) => name === 'description')
  const { read } = services.database
  const descriptions: ReadonlyMap<string, unknown> = hasDescription
    ? await columnOfAll(read, definition, 'description')
    : new Map((await allNames(read, definition)).map((role) => [role, null]))
  const everybody = await listPeople(read, peopleOf(services))
  const enabled = everybody.filter((person) => person.enabled)
  return [...descriptions]
    .map(([role, description]) => ({
      role,
      description: textOf(description),
      people: enabled.filter(({ roles }) =>
        role === ALL_ROLE ? !areStrangers(roles) : roles.includes(role),
      ).length,
    }))
    .sort((a, b) => (a.role < b.role ? -1 : 1))
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** Throws UsageError for a role that is not there, with the nearest one and all there are. */
export async function assertRoles(engine: Engine, roles: readonly string[]): Promise<void> {
  if (roles.length === 0) return
  const there = (await listRoles(engine)).map(({ role }) => role)
  const unknown = roles.find((role) => !there.includes(role))
  if (unknown === undefined) return
  const near = suggest(unknown, there)
  throw new UsageError(
    `--role: there is no role ${JSON.stringify(unknown)}${near === undefined ? '' : `; did you mean ${near}?`} There are ${there.join(', ')}`,
  )
}

/** Message about what somebody without a role can see and how they get one, to be told when they are added. */
export async function withoutRole(engine: Engine, login: string): Promise<string> {
  const { registry, plans, grants } = engine.services
  const nobody = { kind: 'user', id: login, name: login, scope: 'admin', roles: [] } as const
  const rights = { actor: nobody, tier: await engine.tier(), plans, grants }
  const seen = registry.all
    .filter((definition) => can(rights, definition, 'read'))
    .map(({ labelPlural }) => labelPlural)
    .sort()
  const there = (await listRoles(engine))
    .map(({ role }) => role)
    .filter((role) => role !== ALL_ROLE)
  return `${login} has no role: signed in they see ${seen.length === 0 ? 'nothing' : `only ${seen.join(', ')}`}.
\`svc user add ${login} --role ROLE\` gives one of: ${there.join(', ')}
(\`svc role list\` says what each is for)`
}
