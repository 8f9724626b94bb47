import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { SHIPPED_DOCTYPES } from '../../cli/package.ts'
import { booksProver } from '../../cli/verify/prove-books.ts'
import { lastProof } from '../../engine/documents/verify/proof.ts'
import { openEngine } from '../../engine/index.ts'
import { hooks } from '../../hooks/index.ts'
import { booksJob } from '../../server/jobs/books-job.ts'
import { runDaily } from '../../server/jobs/daily-jobs.ts'
import { readSettings } from '../../server/settings/settings.ts'
import { prepareData } from '../helpers/prepared.ts'
import { temporaryFolder } from './process.ts'

const nightly = suite('the nightly proof of the books')

nightly(
  'is made by a process beside the server, once a day, and tried again where it failed',
  async () => {
    const folder = temporaryFolder()
    await prepareData(folder.path)
    const engine = await openEngine({
      hooks,
      database: { kind: 'sqlite', file: join(folder.path, 'workspace.db') },
      doctypes: [SHIPPED_DOCTYPES, join(folder.path, 'doctypes')],
      cacheFolder: join(folder.path, 'cache'),
      secretKey: Buffer.alloc(32, 7),
    })
    const lines: unknown[] = []
    const logger = {
      info: (line: unknown) => void lines.push(line),
      error: (line: unknown) => void lines.push(line),
    }
    const env = { SVC_DATA: folder.path, SVC_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') }
    Object.assign(process.env, env)
    const run = (settings: Record<string, string>) =>
      runDaily(
        engine,
        booksJob(engine, booksProver(readSettings(settings).settings), logger),
        logger,
      )
    try {
      assert.is(await run({ ...env, SVC_DATA: join(folder.path, 'none') }), 'failed')
      assert.is(await lastProof(engine.services.database.read), undefined)
      assert.is(await run(env), 'done', JSON.stringify(lines))
      assert.is((await lastProof(engine.services.database.read))?.differences, 0)
      assert.is(await run(env), 'done already')
    } finally {
      for (const name of Object.keys(env)) delete process.env[name]
      await engine.close()
      folder.remove()
    }
  },
)

nightly.run()
