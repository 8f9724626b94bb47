import { RIGHT } from '../definition/grammar/record-schema.ts'
import { readWorkspaceFile } from '../definition/load/workspace-file.ts'
import type { Modules } from '../definition/model/vocabulary.ts'
import { isMap, type YamlMap } from '../definition/yaml/source.ts'
import { ALL_ROLE, type Roles, STRANGER_ROLE, SYSTEM_MANAGER } from './roles.ts'

const ONLY_MANAGERS: Roles = Object.freeze({
  roles: {
    [SYSTEM_MANAGER]: 'Runs the workspace',
    [ALL_ROLE]: 'Everybody who is signed in',
    [STRANGER_ROLE]: 'Who signed up by themselves',
  },
  modules: {},
})

const IS_RIGHT = new RegExp(RIGHT, 'u')

/**
 * The roles of the last of these folders that has a `roles.yaml`; where none has one, System Managers alone
 * have rights. It grants them for `declared` modules. Throws Error naming the file and every mistake in it.
 */
export function loadRoles(folders: readonly string[], declared: Modules): Roles {
  const file = readWorkspaceFile(folders, 'roles.yaml')
  if (!file) return ONLY_MANAGERS
  const problems = mistakesOf(file.data, declared)
  if (problems.length > 0) throw new Error(`${file.path}: ${problems.join('; ')}`)
  return Object.freeze(file.data as Roles)
}

function mistakesOf(data: unknown, declared: Modules): string[] {
  if (!isMap(data) || !isMap(data.roles)) return ['roles: expected a map of role to description']
  const { roles } = data
  const problems = Object.entries(roles)
    .filter(([, description]) => typeof description !== 'string')
    .map(([role]) => `roles.${role}: expected a text that says what it is for`)
  for (const role of [SYSTEM_MANAGER, ALL_ROLE])
    if (!Object.hasOwn(roles, role)) problems.push(`roles: expected the role ${role}`)
  const modules = isMap(data.modules) ? data.modules : {}
  for (const [module, grants] of Object.entries(modules)) {
    if (declared.size > 0 && !declared.has(module)) {
      const names = [...declared.keys()].join(' ')
      problems.push(`modules.${module}: expected one of ${names} (declared in modules.yaml)`)
    }
    if (!isMap(grants)) problems.push(`modules.${module}: expected a map of role to rights`)
    else problems.push(...grantMistakes(grants, roles, `modules.${module}`))
  }
  return problems
}

function grantMistakes(grants: YamlMap, roles: YamlMap, path: string): string[] {
  return Object.entries(grants).flatMap(([role, rights]) => {
    if (!Object.hasOwn(roles, role)) return [`${path}.${role}: is none of the roles above`]
    if (!Array.isArray(rights)) return [`${path}.${role}: expected a list of rights`]
    return rights
      .filter((right) => typeof right !== 'string' || !IS_RIGHT.test(right))
      .map((right) => `${path}.${role}: unknown right ${JSON.stringify(right)}`)
  })
}
