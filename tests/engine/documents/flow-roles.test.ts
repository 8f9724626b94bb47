import * as assert from 'uvu/assert'
import type { Actor } from '../../../engine/access/actor.ts'
import { createTogether, updateAndSubmit } from '../../../engine/documents/operations/save.ts'
import { forEachDatabase } from '../../helpers/databases.ts'
import { openWorkspace, refused, type Workspace } from './workspace.ts'

const DOCTYPES = `
doctype: Holiday Request
module: hr
tier: free
submittable: true
naming: "HOL-{###}"
fields:
  person: {type: data}
status:
  field: state
  initial: Open
  flow:
    Open: {Approved: [Chief, Deputy], Rejected: [Chief], Withdrawn: [All]}
    Approved: {Open: [Chief]}
    Rejected: [Appealed]
    Withdrawn: [Open]
actions:
  approve:
    moves: Approved
  wave_through:
    roles: [Clerk]
    moves: Approved
  shelve:
    moves: Shelved
  reject:
    steps: [{set: {state: '"Rejected"'}}]
permissions:
  roles:
    Clerk: [read, create, update, submit, cancel, amend, action]
    Chief: [read, create, update, submit, cancel, amend, action]
    Deputy: [read, update]
---
doctype: Holiday Form
module: hr
tier: free
naming: "HF-{###}"
fields:
  person: {type: data}
  request: {type: link, options: Holiday Request, readOnly: true}
actions:
  file:
    steps:
      - create: Holiday Request
        as: made
        set: {person: person, state: '"Approved"'}
      - {set: {request: made.name}}
permissions:
  roles:
    Clerk: [read, create, update, action]
`

const person = (...roles: string[]): { readonly actor: Actor } => ({
  actor: {
    kind: 'user',
    id: `usr_${roles.join('')}`,
    name: `${roles.join('').toLowerCase()}@example.com`,
    scope: 'write',
    roles,
  },
})
const CLERK = person('Clerk')
const CHIEF = person('Chief')
const DEPUTY = person('Deputy')

forEachDatabase('a flow with roles', ({ test, create }) => {
  let workspace: Workspace
  test.before(async () => {
    workspace = await openWorkspace(await create(), DOCTYPES)
  })
  test.after(() => workspace.close())

  const request = async (body: object = {}, as: object = CLERK): Promise<string> =>
    String((await workspace.create('Holiday Request', body, as)).record.id)
  const move = async (id: string, state: string | null, as: object): Promise<unknown> =>
    (await workspace.update('Holiday Request', id, { state }, as)).record.state
  const stateOf = async (id: string): Promise<unknown> =>
    (await workspace.get('Holiday Request', id)).record.state

  test('lets move who has a role of the arrow, and tells others which roles have', async () => {
    const id = await request()
    const error = await refused('FORBIDDEN', move(id, 'Approved', CLERK))
    assert.is(
      error.message,
      'a user with Clerk may not move Holiday Requests from Open to Approved; it needs the role Chief or Deputy or System Manager',
    )
    assert.is(await stateOf(id), 'Open')
    await refused('FORBIDDEN', move(id, 'Rejected', DEPUTY))
    assert.is(await move(id, 'Approved', DEPUTY), 'Approved')
    await refused('FORBIDDEN', move(id, 'Open', DEPUTY))
    assert.is(await move(id, 'Open', CHIEF), 'Open')
    assert.is(await move(id, 'Approved', {}), 'Approved')
  })

  test('leaves an arrow to everybody where it says All, or nothing', async () => {
    const id = await request()
    assert.is(await move(id, 'Withdrawn', CLERK), 'Withdrawn')
    assert.is(await move(id, 'Open', CLERK), 'Open')
    await move(id, 'Rejected', CHIEF)
    assert.is(await move(id, 'Appealed', CLERK), 'Appealed')
  })

  test('stays a flow: where there is no arrow nobody goes, 422', async () => {
    const id = await request()
    await refused('VALIDATION_ERROR', move(id, 'Appealed', CHIEF))
    await refused('VALIDATION_ERROR', move(id, 'Appealed', {}))
    await refused('VALIDATION_ERROR', move(id, null, CLERK))
  })

  test('lets a record begin where its maker could have moved it', async () => {
    await request({ state: 'Open' })
    await request({ state: 'Withdrawn' })
    await request({ state: 'Approved' }, CHIEF)
    await request({ state: 'Appealed' }, CHIEF)
    const error = await refused('FORBIDDEN', request({ state: 'Approved' }))
    assert.match(error.message, 'may not begin Holiday Requests as Approved instead of Open')
    assert.match(error.message, 'it needs the role Chief or Deputy or System Manager')
    // There is a free arrow to it, but from a state the clerk cannot come to.
    await refused('FORBIDDEN', request({ state: 'Appealed' }))
    // Only an action leads there.
    await refused('FORBIDDEN', request({ state: 'Shelved' }, CHIEF))
    await request({ state: 'Shelved' }, {})
  })

  test('holds for batches and for a change that is submitted at once', async () => {
    const definition = workspace.definition('Holiday Request')
    const context = workspace.context(CLERK)
    const body = { state: 'Approved' }
    await refused('FORBIDDEN', createTogether(context, [{ definition, body, submit: true }]))
    const id = await request()
    await refused('FORBIDDEN', updateAndSubmit(context, definition, id, body))
    assert.is((await workspace.get('Holiday Request', id)).record.docstatus, 0)
  })

  test('holds for actions, unless they name their roles', async () => {
    const id = await request()
    const act = async (name: string, as: object) =>
      (await workspace.act('Holiday Request', id, name, {}, as)).record.state
    await refused('FORBIDDEN', act('approve', CLERK))
    await refused('FORBIDDEN', act('reject', CLERK))
    assert.is(await stateOf(id), 'Open')
    assert.is(await act('wave_through', CLERK), 'Approved')
    await move(id, 'Open', CHIEF)
    assert.is(await act('approve', CHIEF), 'Approved')
    // There is no arrow to it, so whoever may run the action may.
    assert.is(await act('shelve', CLERK), 'Shelved')
  })

  test('does not hold for what the workspace makes for a document', async () => {
    const { record } = await workspace.create('Holiday Form', { person: 'A' }, CLERK)
    await workspace.act('Holiday Form', String(record.id), 'file', {}, CLERK)
    const filed = (await workspace.get('Holiday Form', String(record.id))).record
    assert.is(await stateOf(String(filed.request)), 'Approved')
  })

  test('begins again in an amendment', async () => {
    const id = await request({ state: 'Approved' }, CHIEF)
    await workspace.submit('Holiday Request', id, CHIEF)
    await workspace.cancel('Holiday Request', id, CHIEF)
    assert.is((await workspace.amend('Holiday Request', id, CLERK)).record.state, 'Open')
  })
})
