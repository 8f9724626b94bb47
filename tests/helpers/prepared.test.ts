import { rmSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import { createDocument } from '../../engine/documents/operations/create.ts'
import { type Engine, openEngine } from '../../engine/index.ts'
import { migrate } from '../../engine/storage/migration/migrate.ts'
import { docTable, tableShapes } from '../../engine/storage/records/tables.ts'
import { hooks } from '../../hooks/index.ts'
import { writeDoctypes } from '../engine/documents/workspace.ts'
import { forEachDatabase, type TestDatabase } from './databases.ts'
import { type Furniture, openPrepared } from './prepared.ts'

const PEBBLE = `
doctype: Pebble
module: stock
tier: free
naming: field:code
search: [code]
fields:
  code: {type: data, required: true}
`

async function add(engine: Engine, code: string): Promise<void> {
  const { registry } = engine.services
  await createDocument(engine.context(SYSTEM_ACTOR, 'free'), registry.byDoctype('Pebble')!, {
    code,
  })
}

forEachDatabase('a prepared workspace', ({ test, create, kind }) => {
  const folder = writeDoctypes(PEBBLE)
  let put = 0
  const furniture: Furniture = {
    name: `one pebble for ${kind}`,
    async put(engine) {
      put += 1
      await add(engine, 'first')
    },
  }
  const open = (database: TestDatabase): Promise<Engine> =>
    openPrepared({ database, doctypes: [folder], secretKey: Buffer.alloc(32, 7) }, furniture)
  const codesIn = async ({ services }: Engine): Promise<unknown[]> => {
    const { read } = services.database
    const rows = await read.selectFrom('pebbles').select('code').orderBy('code').execute()
    return rows.map(({ code }) => code)
  }
  test.after(() => rmSync(folder, { recursive: true, force: true }))

  test('is furnished once in a run, and copies have nothing to do with each other', async () => {
    const engines = [await open(await create()), await open(await create())]
    assert.is(put, process.env.TEST_RUN === undefined ? 2 : 1)
    await add(engines[0]!, 'second')
    assert.equal(await Promise.all(engines.map(codesIn)), [['first', 'second'], ['first']])
    for (const engine of engines) await engine.close()
  })

  test('has the tables that the long way makes, and what is in use is opened as it is', async () => {
    const database = await create()
    const copied = await open(database)
    const { registry, database: opened } = copied.services
    const wanted = registry.all.flatMap((one) => tableShapes(docTable(one), kind))
    const { steps } = await migrate(opened, wanted, { dryRun: true })
    assert.equal(steps, [])
    await add(copied, 'kept')
    await copied.close()
    const again = await open(database)
    assert.equal(await codesIn(again), ['first', 'kept'])
    await again.close()
    const long = await openEngine({
      hooks,
      database: await create(),
      doctypes: [folder],
      secretKey: Buffer.alloc(32, 7),
    })
    assert.equal(await codesIn(long), [])
    await long.close()
  })
})
