import * as assert from 'uvu/assert'
import { forEachDatabase } from '../../helpers/databases.ts'
import { openWorkspace, refused, type Workspace } from './workspace.ts'

const TEAM = `
doctype: Member
module: hr
tier: free
naming: prompt
fields:
  boss: {type: link, options: Member, acyclic: true}
  friend: {type: link, options: Member}
  level: {type: int, default: 0}
  waits_for:
    type: table
    fields:
      boss: {type: data}
      member: {type: link, options: Member, acyclic: true}
actions:
  climb:
    input: {top: {type: int, required: true}}
    steps:
      - update: Member
        each: {from: Member, as: m, where: friend != ""}
        record: m.name
        set: {level: "min(record.level + 1, input.top)"}
        repeat: true
`

forEachDatabase('links that never lead back', ({ test, create, kind }) => {
  let workspace: Workspace
  test.before(async () => {
    workspace = await openWorkspace(await create(), TEAM)
    for (const name of ['A', 'B', 'C', 'D', 'E']) await workspace.create('Member', { name })
  })
  test.after(() => workspace.close())

  const set = (name: string, body: object) => workspace.update('Member', name, body)
  const back = async (promise: Promise<unknown>, field: string, message: string) =>
    assert.equal((await refused('VALIDATION_ERROR', promise)).details, [
      { field, message, code: 'rule' },
    ])

  test('may form chains, not circles of any length', async () => {
    for (const [below, above] of ['BA', 'CB', 'DC', 'ED']) await set(below!, { boss: above })
    await back(set('A', { boss: 'A' }), 'boss', 'leads back to A: it is the record itself')
    await back(set('A', { boss: 'B' }), 'boss', 'leads back to A: B comes after it already')
    await back(set('A', { boss: 'E' }), 'boss', 'leads back to A: E comes after it already')
    await set('E', { boss: null })
    await set('A', { boss: 'E' })
    await back(set('E', { boss: 'D' }), 'boss', 'leads back to E: D comes after it already')
    await set('D', { boss: 'B', friend: 'A' })
    await set('A', { friend: 'D' })
  })

  test('may lead back where that is allowed, which a repeated step does not follow for ever', async () => {
    const levels = async () => [
      (await workspace.get('Member', 'A')).record.level,
      (await workspace.get('Member', 'B')).record.level,
    ]
    await workspace.act('Member', 'A', 'climb', { top: 3 })
    assert.equal(await levels(), [3, 0])
    const endless = workspace.act('Member', 'A', 'climb', { top: 1_000_000 })
    assert.match((await refused('VALIDATION_ERROR', endless)).message, /in a circle/)
    assert.equal(await levels(), [3, 0])
  })

  test('the same in the rows of a table, where several are named', async () => {
    const waits = (...members: string[]) => ({ waits_for: members.map((member) => ({ member })) })
    await set('A', waits('B', 'C'))
    await set('B', waits('D'))
    await set('C', waits('D', 'E'))
    await back(
      set('D', waits('E', 'A')),
      'waits_for[1].member',
      'leads back to D: A comes after it already',
    )
    await set('D', waits('E'))
    await back(
      set('E', waits('E')),
      'waits_for[0].member',
      'leads back to E: it is the record itself',
    )
    await set('B', waits())
    await back(
      set('D', waits('A')),
      'waits_for[0].member',
      'leads back to D: A comes after it already',
    )
    await set('C', waits('B'))
    await set('D', waits('E', 'A'))
  })

  if (kind === 'postgres')
    test('nor do two writers close one together', async () => {
      await Promise.all(['A', 'B', 'C', 'D', 'E'].map((name) => set(name, { boss: null })))
      const names = ['A', 'B', 'C', 'D', 'E']
      const results = await Promise.allSettled(
        names.map((name, index) => set(name, { boss: names[(index + 1) % names.length] })),
      )
      assert.is(results.filter(({ status }) => status === 'rejected').length, 1)
    })
})
