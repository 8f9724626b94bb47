import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { forEachDatabase, type TestDatabase } from '../helpers/databases.ts'
import { prepareStarted } from '../helpers/prepared-start.ts'
import { runHere } from './in-process.ts'
import { type Folder, temporaryFolder } from './process.ts'

const ENV = { SVC_SECRET_KEY: Buffer.alloc(32, 9).toString('base64') }

forEachDatabase('a backup with a passphrase', ({ test, create, kind }) => {
  let folder: Folder
  test.before(() => {
    folder = temporaryFolder()
  })
  test.after(() => folder.remove())

  test('is opened by that passphrase alone, on another machine', async () => {
    const placeOf = async (name: string): Promise<{ data: string; place: TestDatabase }> => {
      const data = join(folder.path, name)
      mkdirSync(data)
      const own = await create()
      const place = own.kind === 'sqlite' ? { ...own, file: join(data, 'workspace.db') } : own
      return { data, place }
    }
    const flagsOf = ({ data, place }: Awaited<ReturnType<typeof placeOf>>): string[] => [
      ...['--data', data],
      ...(place.kind === 'sqlite' ? [] : ['--database', place.url]),
    ]
    const there = await placeOf('from')
    await prepareStarted(there.data, there.place)
    const [from, to] = [flagsOf(there), flagsOf(await placeOf('to'))]
    const passphrase = (name: string, text: string): string[] => {
      const path = join(folder.path, name)
      writeFileSync(path, text)
      return ['--passphrase-file', path]
    }
    const right = passphrase('right', 'four words and a number 7\n')
    const file = join(folder.path, 'sealed')
    const made = await runHere(['backup', file, ...from, '--encrypt', ...right, '--json'], ENV)
    assert.is(made.code, 0, made.stderr)
    const { encrypted, kind: said } = JSON.parse(made.stdout) as Record<string, unknown>
    assert.equal([encrypted, said], [true, kind])

    const asked = await runHere(['restore', file, ...to], ENV)
    assert.equal(
      [asked.code, /passphrase: expected --passphrase-file/.test(asked.stderr)],
      [2, true],
    )
    const wrong = await runHere(['restore', file, ...to, ...passphrase('wrong', 'x')], ENV)
    assert.equal([wrong.code, /is not the passphrase of the backup/.test(wrong.stderr)], [1, true])
    const restored = await runHere(['restore', file, ...to, ...right], ENV)
    assert.is(restored.code, 0, restored.stderr)
    assert.not.ok(existsSync(join(folder.path, 'to/backup.plain')))
  })
})
