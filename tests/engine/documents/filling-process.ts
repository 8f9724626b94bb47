import { setTimeout as sleep } from 'node:timers/promises'
import { FILL } from '../../../engine/storage/workspace/fill-jobs.ts'
import { fillJob } from '../../../server/jobs/fill-job.ts'
import type { JobRun } from '../../../server/jobs/job-run.ts'
import { startJobWorker } from '../../../server/jobs/job-worker.ts'
import { createLogger } from '../../../server/observe/logger.ts'
import type { TestDatabase } from '../../helpers/databases.ts'
import { openWorkspace } from './workspace.ts'

/**
 * A process that gives fields their values while it writes, and dies of SIGKILL in its n-th page: `within` its transaction,
 * or `after` it. Prints the id of each job it has submitted, `page` for each page, and `filled` once no field waits.
 */
const [place = '', doctypes = '', people = '1', last = '', when = 'within'] = process.argv.slice(2)

let pages = 0
const workspace = await openWorkspace(JSON.parse(place) as TestDatabase, doctypes, {
  fillsBeside: true,
})
const fill = fillJob({ pageSize: 3 })
const worker = startJobWorker({
  engine: workspace.engine,
  logger: createLogger({ level: 'warn' }),
  kinds: { [FILL]: (run) => fill({ ...run, piece: (work) => page(run, work) }) },
})

async function page(run: JobRun, work: Parameters<JobRun['piece']>[0]): Promise<void> {
  await run.piece(async (tx) => {
    const reached = await work(tx)
    pages += 1
    if (pages === Number(last) && when === 'within') process.kill(process.pid, 'SIGKILL')
    return reached
  })
  console.log('page')
  if (pages >= Number(last)) process.kill(process.pid, 'SIGKILL')
}

for (let turn = 0; await workspace.engine.filling(); turn += 1) {
  const person = `P${(turn * 7) % Number(people)}`
  const { id } = await workspace.create('Job', { person, hours: 1 })
  await workspace.submit('Job', id)
  console.log(`job ${id}`)
  await sleep(5)
}
console.log('filled')
await worker.settled()
await worker.stop()
await workspace.close()
