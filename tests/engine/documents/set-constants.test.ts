import * as assert from 'uvu/assert'
import { forEachDatabase } from '../../helpers/databases.ts'
import { openWorkspace, type Workspace } from './workspace.ts'

const DOCTYPES = `
doctype: Note
module: crm
tier: free
naming: "NOTE-{###}"
fields:
  kind: {type: data, default: Parcel, filterable: true}
  about: {type: dynamic_link, options: kind, filterable: true}
  channel: {type: select, options: [Mail, By Hand]}
  rank: {type: int}
  open: {type: check}
---
doctype: Parcel
module: crm
tier: free
submittable: true
naming: "P-{###}"
fields:
  weight: {type: float}
  heavy: {type: check, formula: weight > 10}
  sent_by: {type: select, options: [Mail, By Hand], readOnly: true}
status: {field: state, derive: {Heavy: heavy, Light: true}}
effects:
  submit:
    - create: Note
      set: {kind: Parcel, about: name, channel: By Hand, rank: 3, open: true}
    - create: Note
      if: true
      set: {about: name, channel: 'heavy ? "Mail" : "By Hand"', open: false}
actions:
  send: {steps: [{set: {sent_by: Mail}}]}
events:
  grown: {when: weight > 20, set: {sent_by: By Hand}}
`

forEachDatabase('values that are set as they are written', ({ test, create }) => {
  let workspace: Workspace
  test.before(async () => {
    workspace = await openWorkspace(await create(), DOCTYPES)
  })
  test.after(() => workspace.close())

  test('are options, names of DocTypes, numbers, true and false', async () => {
    const { id, record } = await workspace.create('Parcel', { weight: 2 })
    assert.is(record.state, 'Light')
    await workspace.submit('Parcel', id)
    const { data } = await workspace.list('Note', { kind: 'Parcel', about: id, sort: 'name' })
    assert.equal(data.map(({ channel, rank, open }) => [channel, rank, open]).toSorted(), [
      ['By Hand', null, false],
      ['By Hand', 3, true],
    ])
  })

  test('of actions and events too', async () => {
    const { id } = await workspace.create('Parcel', { weight: 12 })
    assert.is((await workspace.act('Parcel', id, 'send')).record.sent_by, 'Mail')
    const { record } = await workspace.update('Parcel', id, { weight: 30 })
    assert.equal([record.state, record.sent_by], ['Heavy', 'By Hand'])
  })
})
