import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { yamlLibrary } from '../base/lazy-libraries.ts'
import { RIGHT } from '../definition/meta-schema.ts'
import { MODULES } from '../definition/modules.ts'
import { readPlainYaml } from '../definition/plain-yaml.ts'
import { ALL_ROLE, type Roles, SYSTEM_MANAGER } from './roles.ts'

const FILE = 'roles.yaml'

const ONLY_MANAGERS: Roles = Object.freeze({
  roles: { [SYSTEM_MANAGER]: 'Runs the workspace', [ALL_ROLE]: 'Everybody who is signed in' },
  modules: {},
})

const IS_RIGHT = new RegExp(RIGHT, 'u')

/**
 * The roles of the last of these folders that has a `roles.yaml`; where none has one, System Managers alone
 * have rights. Throws Error naming the file and every mistake in it.
 */
export function loadRoles(folders: readonly string[]): Roles {
  const file = folders.map((folder) => join(folder, FILE)).findLast((path) => existsSync(path))
  if (file === undefined) return ONLY_MANAGERS
  const text = readFileSync(file, 'utf8')
  const data = (readPlainYaml(text) ?? yamlLibrary().parse(text, { maxAliasCount: 0 })) as unknown
  const problems = mistakesOf(data)
  if (problems.length > 0) throw new Error(`${file}: ${problems.join('; ')}`)
  return Object.freeze(data as Roles)
}

type Map = Readonly<Record<string, unknown>>

function mistakesOf(data: unknown): string[] {
  if (!isMap(data) || !isMap(data.roles)) return ['roles: expected a map of role to description']
  const { roles } = data
  const problems = Object.entries(roles)
    .filter(([, description]) => typeof description !== 'string')
    .map(([role]) => `roles.${role}: expected a text that says what it is for`)
  for (const role of [SYSTEM_MANAGER, ALL_ROLE])
    if (!Object.hasOwn(roles, role)) problems.push(`roles: expected the role ${role}`)
  const modules = isMap(data.modules) ? data.modules : {}
  for (const [module, grants] of Object.entries(modules)) {
    if (!MODULES.includes(module))
      problems.push(`modules.${module}: expected one of ${MODULES.join(' ')}`)
    if (!isMap(grants)) problems.push(`modules.${module}: expected a map of role to rights`)
    else problems.push(...grantMistakes(grants, roles, `modules.${module}`))
  }
  return problems
}

function grantMistakes(grants: Map, roles: Map, path: string): string[] {
  return Object.entries(grants).flatMap(([role, rights]) => {
    if (!Object.hasOwn(roles, role)) return [`${path}.${role}: is none of the roles above`]
    if (!Array.isArray(rights)) return [`${path}.${role}: expected a list of rights`]
    return rights
      .filter((right) => typeof right !== 'string' || !IS_RIGHT.test(right))
      .map((right) => `${path}.${role}: unknown right ${JSON.stringify(right)}`)
  })
}

function isMap(value: unknown): value is Map {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
