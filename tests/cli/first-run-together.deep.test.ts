import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { type Folder, readFirstRun, serve, temporaryFolder } from './process.ts'

forEachDatabaseWhenDeep(
  'two processes that start an empty workspace together',
  ({ kind, test, create }) => {
    let folder: Folder

    test.before(() => {
      folder = temporaryFolder()
    })
    test.after(() => folder.remove())

    test('set it up once, and both serve it where they may', async () => {
      const database = await create()
      // On SQLite they share the data folder; on PostgreSQL they may be on different machines.
      const first = join(folder.path, 'a')
      const second = kind === 'sqlite' ? first : join(folder.path, 'b')
      const args = database.kind === 'postgres' ? ['--database', database.url] : []
      const env = { SVC_SECRET_KEY: Buffer.alloc(32, 1).toString('base64') }
      const started = await Promise.allSettled(
        [first, second].map((data) => serve(data, args, env)),
      )
      const running = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
      try {
        assert.is(running.length, kind === 'sqlite' ? 1 : 2)
        for (const one of started)
          if (one.status === 'rejected') assert.match(String(one.reason), /is served already by/)
        const written = [...new Set([first, second])].filter((data) =>
          existsSync(join(data, 'first-run.json')),
        )
        assert.is(written.length, 1)
        const notes = running.filter(({ output }) =>
          output().stderr.includes('set up a new workspace'),
        )
        assert.is(notes.length, 1)
        const [data = ''] = written
        assert.equal(
          readdirSync(data).filter((name) => name.startsWith('first-run')),
          ['first-run.json'],
        )
        const headers = { authorization: `Bearer ${readFirstRun(data).admin_key}` }
        for (const { url } of running) {
          const companies = await fetch(`${url}/v1/companies`, { headers })
          assert.is(companies.status, 200)
          const { meta } = (await companies.json()) as { meta: { total: number } }
          assert.is(meta.total, 1)
        }
      } finally {
        for (const { code } of await Promise.all(running.map(({ end }) => end())))
          assert.is(code, 0)
      }
    })
  },
)
