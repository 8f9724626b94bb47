import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readSetting } from '../../engine/storage/workspace/settings.ts'
import { scheduledJobs, startScheduler, statusTick } from '../../server/jobs/scheduler.ts'
import { createLogger } from '../../server/observe/logger.ts'
import { startServer } from '../../server/start.ts'
import { prepareStarted } from '../helpers/prepared-start.ts'
import { demoFolders } from './demo-folders.ts'
import { runHere } from './in-process.ts'
import { eventually, launch } from './process.ts'

const beside = suite('svc demo beside a server')
const folders = demoFolders()
/** Never by itself: this test says when the scheduler looks. */
const NEVER = 2 ** 31 - 1

beside(
  'keeps its daily jobs waiting until the history is told, and it goes on answering',
  async () => {
    const data = folders.dataOf('beside')
    await prepareStarted(data)
    const engine = await folders.open('beside')
    const lines: Record<string, unknown>[] = []
    const logger = createLogger({
      level: 'info',
      destination: { write: (line) => void lines.push(JSON.parse(line)) },
    })
    const said = (message: string) =>
      lines.filter(({ msg }) => msg === message).map(({ job }) => job)
    const server = await startServer({
      engine,
      settings: {
        port: 0,
        host: '127.0.0.1',
        env: 'live',
        corsOrigins: [],
        trustProxy: [],
        rateLimit: false,
      },
      secretKey: Buffer.alloc(32, 7),
      logger,
      firstLook: NEVER,
    })
    const jobs = [statusTick(engine, logger), ...scheduledJobs(engine, logger)]
    const scheduler = startScheduler(engine, logger, {
      jobs,
      firstLook: NEVER,
      retryHeldAfter: NEVER,
    })
    try {
      const demo = launch(['demo', '--data', data, '--months', '1'])
      const isHeld = () => readSetting(engine.services.database.read, 'daily-hold')
      await eventually(async () => (await isHeld()) !== undefined)
      await scheduler.look()
      const names = jobs.map(({ name }) => name)
      assert.equal(said('daily job waits for a command that holds it'), names)
      assert.equal(said('daily job done'), [])
      assert.is((await fetch(`${server.url}/readyz`)).status, 200)
      const { code, stderr } = await demo.ended
      assert.is(code, 0, stderr)
      assert.is(await isHeld(), undefined)
      await scheduler.look()
      assert.equal(said('daily job done'), names)
      assert.is((await fetch(`${server.url}/readyz`)).status, 200)
      assert.equal(
        lines.filter(({ level }) => Number(level) > 30),
        [],
      )
    } finally {
      await scheduler.stop()
      await server.close()
    }
    const proof = await runHere(['verify', '--data', data])
    assert.is(proof.code, 0, proof.stdout)
  },
)

beside.after(() => folders.remove())
beside.run()
