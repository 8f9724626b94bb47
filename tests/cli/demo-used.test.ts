import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import { createDocument } from '../../engine/documents/create.ts'
import { openDatabase } from '../../engine/index.ts'
import { readSetting } from '../../engine/storage/settings.ts'
import { prepareData } from '../helpers/prepared.ts'
import { companiesOf, demoFolders, rowsOf } from './demo-folders.ts'
import { runHere } from './in-process.ts'
import { eventually, launch } from './process.ts'

const used = suite('svc demo in a workspace that is in use')
const folders = demoFolders()
const SHORT = ['--months', '1'] as const

used('refuses and says why; --force puts a second company beside the first', async () => {
  const where = ['--data', folders.dataOf('used')]
  await prepareData(folders.dataOf('used'))
  const setup = await runHere(['setup', ...where, '--company', 'Acme'])
  assert.is(setup.code, 0, setup.stderr)
  await folders.inside('used', (engine) =>
    createDocument(
      engine.context(SYSTEM_ACTOR, 'business'),
      engine.services.registry.byDoctype('Customer')!,
      { customer_name: 'Ann' },
    ),
  )
  const refused = await runHere(['demo', ...where, ...SHORT])
  assert.is(refused.code, 1)
  assert.match(
    refused.stderr,
    /^svc: this workspace has records of its own \(1 customers\); --force adds a second company .*\n$/,
  )
  const forced = await runHere(['demo', ...where, ...SHORT, '--force', '--json'])
  assert.is(forced.code, 0, forced.stderr)
  await folders.inside('used', async (engine) => {
    assert.equal(await companiesOf(engine), [
      ['Acme', true],
      ['Bergwind Cycles GmbH', false],
    ])
    const entries = await rowsOf(engine, 'GL Entry')
    assert.equal([...new Set(entries.map(({ company }) => company))], ['Bergwind Cycles GmbH'])
  })
})

used('does not go on with what was interrupted', async () => {
  const data = folders.dataOf('interrupted')
  await prepareData(data)
  const running = launch(['demo', '--data', data, ...SHORT])
  await eventually(() => existsSync(join(data, 'workspace.db')) && isBegun())
  const stopped = await running.end('SIGINT')
  assert.is(stopped.code, 1)
  assert.is(stopped.stdout, '')
  assert.match(stopped.stderr, /^svc: interrupted after day \d+ of \d+: .* empty data folder/)
  const again = await runHere(['demo', '--data', data, ...SHORT, '--force'])
  assert.is(again.code, 1)
  assert.match(again.stderr, /^svc: an earlier `svc demo` of this workspace was interrupted/)
})

/** Whether the command has left its mark, which it does before anything else. */
async function isBegun(): Promise<boolean> {
  const database = await openDatabase(folders.sqliteOf('interrupted'))
  try {
    return (await readSetting(database.read, 'demo')) !== undefined
  } catch (error) {
    // Until the migration is through there is no such table.
    assert.match(String(error), 'no such table')
    return false
  } finally {
    await database.close()
  }
}

used.after(() => folders.remove())
used.run()
