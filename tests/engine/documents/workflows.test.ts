import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { forEachDatabase } from '../../helpers/databases.ts'
import { openWorkspace, refused, type Workspace } from './workspace.ts'

const WORKFLOW = readFileSync(
  join(import.meta.dirname, '../../../doctypes/setup/workflow.yaml'),
  'utf8',
).replace('tier: pro', 'tier: free')

const REQUEST = `
doctype: Holiday Request
module: hr
tier: free
naming: "HOL-{###}"
fields: {person: {type: data}}
status:
  field: state
  initial: Open
  flow:
    Open: {Approved: [Chief, Deputy], Withdrawn: [All]}
    Withdrawn: [Open]
`
const TICKET = `
doctype: Ticket
module: support
tier: free
naming: "T-{###}"
fields: {title: {type: data}}
status:
  field: status
  initial: New
  flow: {New: [Closed]}
`
const DERIVED = `
doctype: Bill
module: billing
tier: free
naming: "B-{###}"
fields: {title: {type: data}}
status: {field: status, derive: {Empty: 'title == ""', Full: "true"}}
`

type Row = Readonly<Record<string, unknown>>

forEachDatabase('workflows', ({ test, create }) => {
  test('tell the declared flows, and follow them from start to start', async () => {
    const database = await create()
    const open = (...doctypes: string[]): Promise<Workspace> =>
      openWorkspace(database, [WORKFLOW, DERIVED, ...doctypes].join('\n---\n'))
    const names = async (workspace: Workspace): Promise<unknown[]> =>
      (await workspace.list('Workflow', { sort: 'id', order: 'asc' })).data.map(({ id }) => id)
    const shown = async (workspace: Workspace, name: string) => {
      const { record } = await workspace.get('Workflow', name)
      const moves = (record.transitions as readonly Row[]).map(
        ({ state, action, next_state, allowed }) => [state, action, next_state, allowed].join(' '),
      )
      const states = (record.states as readonly Row[]).map(({ state }) => state)
      return { record, states, moves }
    }

    const first = await open(REQUEST, TICKET)
    assert.equal(await names(first), ['Holiday Request', 'Ticket'])
    const { record, states, moves } = await shown(first, 'Holiday Request')
    assert.equal(
      [record.document_type, record.workflow_state_field, record.is_active],
      ['Holiday Request', 'state', true],
    )
    assert.equal(states, ['Open', 'Withdrawn', 'Approved'])
    assert.equal(moves, [
      'Open Approved Approved Chief',
      'Open Approved Approved Deputy',
      'Open Withdrawn Withdrawn All',
      'Withdrawn Open Open All',
    ])
    const ticket = (await shown(first, 'Ticket')).record
    await first.close()

    // A start that finds the same flows writes nothing.
    const same = await open(REQUEST, TICKET)
    assert.is((await shown(same, 'Ticket')).record.modified, ticket.modified)
    assert.equal((await same.list('Workflow', { q: 'Ticket' })).data.length, 1)
    await same.close()

    const changed = await open(REQUEST.replace('[Chief, Deputy]', '[Chief]'))
    assert.equal(await names(changed), ['Holiday Request'])
    const after = await shown(changed, 'Holiday Request')
    assert.is(after.moves[0], 'Open Approved Approved Chief')
    assert.is(after.moves.length, 3)
    assert.equal((await changed.list('Workflow', { q: 'Ticket' })).data, [])
    await changed.close()
  })

  test('are written by nobody', async () => {
    const workspace = await openWorkspace(await create(), [WORKFLOW, TICKET].join('\n---\n'))
    const body = { workflow_name: 'X', document_type: 'Ticket', workflow_state_field: 'status' }
    const error = await refused('FORBIDDEN', workspace.create('Workflow', body))
    assert.match(error.message, 'by the workspace itself, from what the DocTypes declare')
    await refused('FORBIDDEN', workspace.update('Workflow', 'Ticket', { is_active: false }))
    await refused('FORBIDDEN', workspace.remove('Workflow', 'Ticket'))
    await workspace.close()
  })
})
