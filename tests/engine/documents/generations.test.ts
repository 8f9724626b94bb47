import * as assert from 'uvu/assert'
import { newestGeneration } from '../../../engine/storage/migration/generations.ts'
import { forEachDatabase } from '../../helpers/databases.ts'
import { openWorkspace, refused, type Workspace } from './workspace.ts'

const BOLT = `
doctype: Bolt
module: stock
tier: free
naming: field:code
fields:
  code: {type: data, required: true}
  title: {type: data}
  colour: {type: data}
  price: {type: currency}
  twice: {type: currency, formula: price * 2}
`

const RENAMED = BOLT.replace('title: {', 'label: {renamed_from: title, ')
const WITHOUT = BOLT.replace('  colour: {type: data}\n', '')
const OTHER_FORMULA = BOLT.replace('price * 2', 'price * 3')

const numberOf = async ({ engine }: Workspace): Promise<number | undefined> => {
  const { read, kind } = engine.services.database
  return (await newestGeneration(read, kind))?.number
}

forEachDatabase('generations of definitions', ({ test, create }) => {
  test('are counted once for each set of definitions, not for each start', async () => {
    const place = await create()
    const numbers: (number | undefined)[] = []
    for (const text of [BOLT, BOLT, OTHER_FORMULA, OTHER_FORMULA]) {
      const workspace = await openWorkspace(place, text)
      numbers.push(await numberOf(workspace))
      await workspace.close()
    }
    assert.equal(numbers, [1, 1, 2, 2])
  })

  test('go back only on purpose, and nothing is lost on the way there and forth', async () => {
    const place = await create()
    const first = await openWorkspace(place, BOLT)
    await first.create('Bolt', { code: 'A', title: 'kept', colour: 'red', price: 2 })
    await first.close()
    const second = await openWorkspace(place, RENAMED)
    await second.close()
    const error = await refused('CONFLICT', openWorkspace(place, BOLT))
    assert.match(error.message, /generation 2 by svc with \S+ on .*, got those of generation 1/)
    assert.match(error.message, /--accept-definitions/)
    const back = await openWorkspace(place, BOLT, { migration: { acceptOlder: true } })
    assert.is(await numberOf(back), 3)
    const { record } = await back.get('Bolt', 'A')
    assert.equal([record.title, record.colour, record.twice], ['kept', 'red', 4])
    await back.close()
    const forth = await refused('CONFLICT', openWorkspace(place, RENAMED))
    assert.match(forth.message, /generation 3 .* got those of generation 2/)
  })

  test('give a field that is back its values, and compute those that others depend on', async () => {
    const place = await create()
    const first = await openWorkspace(place, BOLT)
    await first.create('Bolt', { code: 'A', colour: 'red', price: 2 })
    await first.close()
    const less = WITHOUT.replace(/ {2}twice: .*\n/, '')
    const second = await openWorkspace(place, less)
    await second.update('Bolt', 'A', { price: 5 })
    await second.create('Bolt', { code: 'B', price: 1 })
    await second.close()
    const third = await openWorkspace(place, `${BOLT}  note: {type: data}\n`)
    const shown = async (id: string) => {
      const { record } = await third.get('Bolt', id)
      return [record.colour, record.twice]
    }
    assert.equal(
      [await shown('A'), await shown('B')],
      [
        ['red', 10],
        [null, 2],
      ],
    )
    await third.close()
  })

  test('are left as they are by who is not to bring them anywhere', async () => {
    const place = await create()
    const asItIs = { migration: { when: 'never' } } as const
    const nothing = await refused('CONFLICT', openWorkspace(place, BOLT, asItIs))
    assert.match(nothing.message, /there is no workspace in this database/)
    const begun = await openWorkspace(place, BOLT, { migration: { when: 'new' } })
    await begun.create('Bolt', { code: 'A' })
    const beside = await openWorkspace(place, BOLT, asItIs)
    await beside.create('Bolt', { code: 'B' })
    await beside.close()
    for (const when of ['never', 'new'] as const) {
      const other = await refused(
        'CONFLICT',
        openWorkspace(place, WITHOUT, { migration: { when } }),
      )
      assert.match(other.message, /generation 1 by .*, got others by .*svc migrate/)
    }
    assert.is(await numberOf(begun), 1)
    await begun.close()
  })

  test('are reloaded back and forth by the process that has the newest, and by no other', async () => {
    const { rmSync, writeFileSync } = await import('node:fs')
    const { join } = await import('node:path')
    const place = await create()
    const workspace = await openWorkspace(place, BOLT)
    const { engine } = workspace
    const [folder = ''] = engine.services.folders
    const write = (text: string): void => writeFileSync(join(folder, 'doctype-0.yaml'), text)
    for (const text of [WITHOUT, BOLT]) {
      write(text)
      await engine.reload()
      await workspace.create('Bolt', { code: `after ${await numberOf(workspace)}` })
    }
    assert.is(await numberOf(workspace), 3)
    const newer = await openWorkspace(place, OTHER_FORMULA)
    write(WITHOUT)
    await refused('CONFLICT', engine.reload())
    await refused('UNAVAILABLE', workspace.create('Bolt', { code: 'late' }))
    assert.is((await engine.newer())?.number, 4)
    await newer.close()
    await workspace.close()
    rmSync(folder, { recursive: true, force: true })
  })
})
