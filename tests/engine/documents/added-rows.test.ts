import * as assert from 'uvu/assert'
import { forEachDatabase } from '../../helpers/databases.ts'
import { invalid, openWorkspace, refused, type Workspace } from './workspace.ts'

const DOCTYPES = `
doctype: Statement
module: banking
tier: free
submittable: true
naming: "ST-{####}"
fields:
  deposit: {type: currency, default: given.amount}
  amount: {type: currency, required: true, default: deposit}
  parts:
    type: table
    allow_on_submit: true
    fields:
      what: {type: data}
      code: {type: data, default: 'given.what == "" ? "none" : given.what'}
      share: {type: currency, default: parent.amount, min: 0}
  shared: {type: currency, formula: "parts.sum(p, p.share)"}
  notes: {type: table, fields: {text: {type: data}}}
validate:
  - {check: shared <= amount, field: parts, message: is too much}
actions:
  part:
    input: {what: {type: data}, share: {type: currency, default: 1}}
    steps:
      - update: Statement
        record: name
        rows: {parts: {set: {what: input.what, share: input.share}}}
  note:
    steps:
      - {fill: notes, each: {table: parts, as: p}, set: {text: p.what}}
  keep:
    input: {what: {type: data}}
    steps:
      - fill: parts
        each: {table: parts, as: p, if: p.what == input.what}
        set: {what: p.what, share: p.share}
---
doctype: Bundle
module: banking
tier: free
naming: "BU-{####}"
fields:
  share: {type: currency, default: 2}
actions:
  share_out:
    steps:
      - update: Statement
        each: {from: Statement, as: s, where: docstatus == 1}
        record: s.name
        rows:
          parts:
            - set: {what: name, share: share}
            - if: s.amount > 10
              set: {what: '"more"', share: share}
`

forEachDatabase('rows that steps add, and defaults by what was sent', ({ test, create }) => {
  let workspace: Workspace
  test.before(async () => {
    workspace = await openWorkspace(await create(), DOCTYPES)
  })
  test.after(() => workspace?.close())

  const statement = async (body: object): Promise<string> =>
    (await workspace.submit('Statement', (await workspace.create('Statement', body)).id)).id
  const parts = async (id: string): Promise<unknown> => {
    const { record } = await workspace.get('Statement', id)
    return (record.parts as Record<string, unknown>[]).map(({ what, share }) => [what, share])
  }

  test('two fields stand in for each other', async () => {
    for (const body of [{ deposit: 5 }, { amount: 5 }]) {
      const { record } = await workspace.create('Statement', body)
      assert.equal([record.deposit, record.amount], [5, 5])
    }
    const { record } = await workspace.create('Statement', {
      amount: 3,
      parts: [{ what: 'a' }, { code: 'c' }, {}].map((row) => ({ ...row, share: 1 })),
    })
    assert.equal(
      (record.parts as Record<string, unknown>[]).map(({ code }) => code),
      ['a', 'c', 'none'],
    )
  })

  test('come after those there are, also after the submit, and follow the checks', async () => {
    const id = await statement({ amount: 4, parts: [{ what: 'first', share: 2 }] })
    await workspace.act('Statement', id, 'part', { what: 'second' })
    assert.equal(await parts(id), [
      ['first', 2],
      ['second', 1],
    ])
    await invalid(['parts'], workspace.act('Statement', id, 'part', { what: 'third', share: 2 }))
    await workspace.act('Statement', id, 'keep', { what: 'second' })
    assert.equal(await parts(id), [['second', 1]])
    await refused('CONFLICT', workspace.act('Statement', id, 'note'))
    await workspace.cancel('Statement', id)
    await refused('CONFLICT', workspace.act('Statement', id, 'part', { what: 'late' }))
  })

  test('of other records, for each that is found: all or none', async () => {
    const [small, large] = [await statement({ amount: 3 }), await statement({ amount: 20 })]
    const { id } = await workspace.create('Bundle', {})
    await workspace.act('Bundle', id, 'share_out')
    assert.equal(
      [await parts(small), await parts(large)],
      [
        [[id, 2]],
        [
          [id, 2],
          ['more', 2],
        ],
      ],
    )
    await invalid(['parts'], workspace.act('Bundle', id, 'share_out'))
    assert.equal(await parts(large), [
      [id, 2],
      ['more', 2],
    ])
  })
})
