import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createGrants } from '../../../engine/access/roles.ts'
import type { DocTypeDefinition } from '../../../engine/definition/model/definition.ts'

const grantsOf = (roles: Readonly<Record<string, readonly string[]>>) =>
  createGrants({ roles: {}, modules: {} })({
    fields: [],
    behaviour: { permissions: { roles } },
  } as unknown as DocTypeDefinition)

const right = suite('the right to revise a submitted document')

right('is that of who may update it, until a role has it by name', () => {
  const open = grantsOf({ Clerk: ['read', 'update'], Boss: ['all'], Guest: ['read'] })
  assert.equal(open.rolesFor('revise'), ['Clerk', 'Boss'])
  const kept = grantsOf({ Clerk: ['read', 'update'], Boss: ['all'], Lead: ['read', 'revise'] })
  assert.equal(kept.rolesFor('revise'), ['Boss', 'Lead'])
  assert.equal(kept.rolesFor('update'), ['Clerk', 'Boss'])
})

right.run()
