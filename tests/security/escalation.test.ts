import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { knownTo } from '../../engine/access/known-to.ts'
import { loadRoles } from '../../engine/access/load-roles.ts'
import { createGrants, SYSTEM_MANAGER } from '../../engine/access/roles.ts'
import { type Decision, decisionsOf } from '../../engine/definition/check/deciding-fields.ts'
import { createFieldReads, type ReadField } from '../../engine/definition/check/fields-read.ts'
import { loadDefinitions } from '../../engine/definition/load/load.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { isWritable } from '../../engine/schema/shapes/json-schema.ts'
import { hooks } from '../../hooks/index.ts'

const SHIPPED = [join(import.meta.dirname, '../../doctypes')]

const test = suite('setting a field gives nobody rights that they do not have')

const { registry } = loadDefinitions(SHIPPED, hooks)
const roles = loadRoles(SHIPPED, registry.vocabulary.modules)
const grants = createGrants(roles)
const ROLES = Object.keys(roles.roles).filter((role) => role !== SYSTEM_MANAGER)
const reads = createFieldReads({ definitionOf: (doctype) => registry.byDoctype(doctype) })

/** A way to more rights: who sets the field decides who may do what elsewhere, and may not do it all themselves. */
interface Way {
  readonly role: string
  readonly sets: string
  readonly decides: string
}

type View = (role: string, definition: DocTypeDefinition) => DocTypeDefinition

/** Every pair of a role and a field that it sets, by which rights of another DocType are decided that it lacks. */
function ways(view: View): readonly Way[] {
  return registry.all.flatMap((target) =>
    decisionsOf(target).flatMap((decision) =>
      reads
        .readBy(target, decision.text, decision.table)
        .filter(({ isElsewhere, field }) => isElsewhere && !field.child)
        .flatMap((read) =>
          ROLES.filter(
            (role) => sets(role, read, view) && !holdsAlready(role, target, decision),
          ).map((role) => ({
            role,
            sets: `${read.definition.doctype}.${read.field.name}`,
            decides: `${target.doctype} ${decision.path.slice(0, 2).join('.')}`,
          })),
        ),
    ),
  )
}

function sets(role: string, { definition, field }: ReadField, view: View): boolean {
  const mayWrite = (['create', 'update'] as const).some((action) =>
    grants(definition).rolesFor(action).includes(role),
  )
  const known = view(role, definition).fields.find(({ name }) => name === field.name)
  return mayWrite && known !== undefined && isWritable(known, 'create')
}

/** Whether a role reads all records that a condition lets others read some of, or decides by itself what a check is of. */
function holdsAlready(role: string, target: DocTypeDefinition, { path }: Decision): boolean {
  const { rows = {} } = target.behaviour.permissions ?? {}
  const action = path[0] === 'validate' ? 'delete' : 'read'
  return grants(target).rolesFor(action).includes(role) && rows[role] === undefined
}

test('no role of the shipped DocTypes finds a way', () => {
  const found = ways((role, definition) =>
    knownTo(
      { grants, actor: { kind: 'user', id: role, name: role, scope: 'admin', roles: [role] } },
      definition,
    ),
  )
  assert.equal(found, [])
})

test('the search finds the two ways that there were, when fields have no rights', () => {
  const found = ways((_role, definition) => definition).map((way) => Object.values(way).join(' → '))
  for (const known of [
    'HR User → Employee.user_id → Salary Slip permissions.rows',
    'HR User → Employee.expense_approver → Expense Claim validate.0',
  ])
    assert.ok(
      found.some((way) => way.startsWith(known.replace(/\.\d+$/, ''))),
      found.join('\n'),
    )
})

test.run()
