import { type DatabaseOptions, openEngine } from '../../engine/index.ts'
import { hooks } from '../../hooks/index.ts'
import { startScheduler } from '../../server/jobs/scheduler.ts'
import { createLogger } from '../../server/observe/logger.ts'

/**
 * A process of its own that runs one daily job, as its arguments say: `dies` is killed (SIGKILL) while it is
 * at it; `ends` has nothing else to do, so only what the scheduler holds could keep it alive.
 */
const [database = '', doctypes = '', moment = '', now = ''] = process.argv.slice(2)

const engine = await openEngine({
  hooks,
  database: JSON.parse(database) as DatabaseOptions,
  doctypes: [doctypes],
  secretKey: Buffer.alloc(32, 7),
  clock: { now: () => Date.parse(now) },
})
// The scheduler's own timers keep no process alive, so this one waits for the first run by itself.
const waiting = setInterval(() => undefined, 1000)
startScheduler(engine, createLogger({ level: 'info' }), {
  firstLook: 1,
  jobs: [
    {
      name: 'test',
      async run() {
        console.log('running')
        if (moment === 'dies') process.kill(process.pid, 'SIGKILL')
        clearInterval(waiting)
        return {}
      },
    },
  ],
})
