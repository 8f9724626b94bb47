import { join } from 'node:path'
import { JOB_KINDS } from '../../../server/jobs/job-kinds.ts'
import { startJobWorker } from '../../../server/jobs/job-worker.ts'
import { createLogger } from '../../../server/observe/logger.ts'
import { openPrepared } from '../../helpers/prepared.ts'

/**
 * A process that works on the jobs of a workspace and dies of SIGKILL in the transaction of its n-th event, or, with
 * `after`, a moment later; without a number it works on to the end.
 */
const [database = '', at = '', when = 'within'] = process.argv.slice(2)
const most = at === '' ? Number.POSITIVE_INFINITY : Number(at)

let events = 0
const engine = await openPrepared({
  database: JSON.parse(database),
  doctypes: [join(import.meta.dirname, '../../../doctypes')],
  secretKey: Buffer.alloc(32, 7),
  sinks: [
    async (_tx, lines) => {
      events += lines.length
      if (events < most) return
      if (when === 'within') process.kill(process.pid, 'SIGKILL')
      else setImmediate(() => process.kill(process.pid, 'SIGKILL'))
    },
  ],
})
const worker = startJobWorker({
  engine,
  kinds: JOB_KINDS,
  logger: createLogger({ level: 'silent' }),
})
await worker.settled()
await worker.stop()
await engine.close()
