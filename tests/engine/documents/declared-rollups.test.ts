import { rmSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { SYSTEM_ACTOR } from '../../../engine/access/actor.ts'
import { getDocument } from '../../../engine/documents/operations/get.ts'
import { verifyWorkspace } from '../../../engine/documents/verify/verify.ts'
import { openEngine } from '../../../engine/index.ts'
import { hooks } from '../../../hooks/index.ts'
import { forEachDatabase } from '../../helpers/databases.ts'
import { openWorkspace, writeDoctypes } from './workspace.ts'

const OWER = `
doctype: Ower
module: crm
tier: free
naming: field:title
fields:
  title: {type: data, required: true}
  owed: {type: currency, rollup: {declaring: debt, match: ower, sum: left, where: docstatus == 1}}
  debts: {type: int, rollup: {declaring: debt, match: ower, count: true}}
  half: {type: currency, formula: owed / 2}
  list: {type: table, fields: {kind: {type: data}, of: {type: data}, left: {type: currency}}}
validate:
  - {check: owed <= 1000, field: title, message: owes too much}
actions:
  gather:
    steps:
      - fill: list
        each: {declaring: debt, as: d, where: ower == this.title && left > 10, order: -left}
        set: {kind: d.kind, of: d.name, left: d.left}
`
const debt = (doctype: string, party: string): string => `
doctype: ${doctype}
module: crm
tier: free
submittable: true
declares: [debt]
naming: "${doctype}-{##}"
fields:
  ${party}: {type: link, options: Ower}
  left: {type: currency}
  kind: {type: data, internal: true, formula: '"${doctype}"'}
  ower: {type: data, internal: true, formula: ${party}}
`
const ONE = `${OWER}---${debt('Note', 'who')}`
const TWO = `${ONE}---${debt('Bond', 'holder')}`

forEachDatabase('a rollup over all DocTypes that declare something', ({ test, create }) => {
  test('is kept from the one there is, is the sum of several, and is filled when one joins', async () => {
    const database = await create()
    const before = await openWorkspace(database, ONE)
    for (const title of ['Ann', 'Bob']) await before.create('Ower', { title })
    const { id } = await before.create('Note', { who: 'Ann', left: 40 })
    await before.submit('Note', id)
    const { owed, debts, half } = (await before.get('Ower', 'Ann')).record
    assert.equal([owed, debts, half], [40, 1, 20])
    assert.equal(
      before.definition('Ower').fields.filter(({ internal }) => internal),
      [],
    )
    await before.close()

    const workspace = await openWorkspace(database, TWO)
    const shown = async (title: string): Promise<unknown[]> => {
      const { record } = await workspace.get('Ower', title)
      return [record.owed, record.debts, record.half]
    }
    assert.equal(await shown('Ann'), [40, 1, 20])
    const bond = await workspace.create('Bond', { holder: 'Ann', left: 2.5 })
    assert.equal(await shown('Ann'), [40, 2, 20])
    await workspace.submit('Bond', bond.id)
    assert.equal(await shown('Ann'), [42.5, 2, 21.25])
    await workspace.create('Bond', { holder: 'Bob', left: 7 })
    assert.equal(await shown('Bob'), [0, 1, 0])
    const large = await workspace.create('Bond', { holder: 'Ann', left: 990 })
    const refused = await workspace.submit('Bond', large.id).then(
      () => undefined,
      (error: Error) => error.message,
    )
    assert.match(refused ?? '', 'owes too much')
    const { record } = await workspace.act('Ower', 'Ann', 'gather')
    assert.equal(
      (record.list as { kind: string; left: number }[]).map(({ kind, left }) => [kind, left]),
      [
        ['Bond', 990],
        ['Note', 40],
      ],
    )
    await workspace.cancel('Note', id)
    assert.equal(await shown('Ann'), [2.5, 3, 1.25])
    const { checks } = await verifyWorkspace(workspace.engine.services)
    assert.equal(
      checks.filter(({ differences }) => differences > 0),
      [],
    )
    await workspace.close()
  })
})

forEachDatabase(
  'a rollup over all DocTypes that declare something, with mistakes',
  ({ test, create }) => {
    const mistake = async (doctypes: string): Promise<string> => {
      const folder = writeDoctypes(doctypes)
      const database = await create()
      const secretKey = Buffer.alloc(32, 7)
      try {
        const engine = await openEngine({ hooks, database, doctypes: [folder], secretKey })
        const ower = engine.services.registry.byDoctype('Ower')!
        await getDocument(engine.context(SYSTEM_ACTOR, 'free'), ower, 'x').catch(() => undefined)
        await engine.close()
        return 'none'
      } catch (error) {
        return (error as Error).message.replaceAll(`${folder}/`, '')
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    }

    test('says so at its own line', async () => {
      const summed = 'sum: left, where: docstatus == 1'
      assert.match(await mistake(TWO.replace(summed, 'sum: rest')), /doctype-0.yaml:7:70: .*'rest'/)
      assert.match(
        await mistake(TWO.replace(summed, 'max: left')),
        /doctype-0.yaml:7:65: only a sum or count is kept over several/,
      )
      assert.match(
        await mistake(TWO.replace('declaring: debt, match', 'match')),
        /doctype-0.yaml:7:26: needs either from or declaring/,
      )
      assert.match(
        await mistake(
          TWO.replace('each: {declaring: debt,', 'each: {from: Note, declaring: debt,'),
        ),
        /doctype-0.yaml:\d+:\d+: needs either from or declaring/,
      )
    })
  },
)
