import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openDatabase } from '../../engine/index.ts'
import { readSetting } from '../../engine/storage/workspace/settings.ts'
import { prepareData } from '../helpers/prepared.ts'
import { demoFolders } from './demo-folders.ts'
import { runHere } from './in-process.ts'
import { eventually, launch } from './process.ts'

const interrupted = suite('svc demo that is interrupted')
const folders = demoFolders()
const SHORT = ['--months', '1'] as const

interrupted('does not go on with what was interrupted', async () => {
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

interrupted.after(() => folders.remove())
interrupted.run()
