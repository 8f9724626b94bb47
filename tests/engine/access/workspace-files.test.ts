import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadPlans } from '../../../engine/access/load-plans.ts'
import { loadRoles } from '../../../engine/access/load-roles.ts'
import type { Roles } from '../../../engine/access/roles.ts'

const files = suite('plans.yaml and roles.yaml')
let folder: string

files.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-files-'))
})
files.after.each(() => rmSync(folder, { recursive: true, force: true }))

function messageOf(load: (folders: readonly string[]) => unknown, name: string, text: string) {
  writeFileSync(join(folder, name), text)
  try {
    load([folder])
  } catch (error) {
    return (error as Error).message.replace(folder, '')
  }
  return undefined
}

function rolesIn(folders: readonly string[]): Roles {
  return loadRoles(
    folders,
    new Map([
      ['stock', 'Stock'],
      ['crm', 'CRM'],
    ]),
  )
}

files('that are no YAML are named with the place', () => {
  for (const [load, name] of [
    [loadPlans, 'plans.yaml'],
    [rolesIn, 'roles.yaml'],
  ] as const) {
    assert.match(messageOf(load, name, 'a: 1\na: 2')!, new RegExp(`^/${name}:2:1: `))
    assert.match(messageOf(load, name, '')!, `/${name}:1:1: `)
  }
})

files('of roles name every mistake', () => {
  const text = `
roles:
  System Manager: Runs it
  Clerk: 3
modules:
  stock:
    Clerk: [read, fly]
    Nobody: [read]
    All: read
  moon: {}
`
  assert.is(
    messageOf(rolesIn, 'roles.yaml', text),
    '/roles.yaml: roles.Clerk: expected a text that says what it is for; roles: expected the role All; ' +
      'modules.stock.Clerk: unknown right "fly"; modules.stock.Nobody: is none of the roles above; ' +
      `modules.stock.All: is none of the roles above; modules.moon: expected one of stock crm (declared in modules.yaml)`,
  )
})

files('of roles may be missing: System Managers alone have rights then', () => {
  assert.equal(Object.keys(rolesIn([folder]).roles), ['System Manager', 'All', 'Website User'])
  assert.equal(rolesIn([folder]).modules, {})
})

files('of plans must be there', () => {
  assert.throws(() => loadPlans([folder]), /^expected plans\.yaml in one of /)
})

files.run()
