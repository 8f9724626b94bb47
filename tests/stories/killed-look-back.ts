import { sql } from 'kysely'
import { JOB_KINDS } from '../../server/jobs/job-kinds.ts'
import { startJobWorker } from '../../server/jobs/job-worker.ts'
import { createLogger } from '../../server/observe/logger.ts'
import { openAgain } from './story.ts'

/**
 * A process that works on the jobs of a workspace, and dies of SIGKILL as soon as it sees that so many difference rows are there,
 * in the middle of the next; without a number it works on to the end. The moment is the second argument.
 */
const [database = '', now = '', most = ''] = process.argv.slice(2)

const { engine, clock } = await openAgain(JSON.parse(database))
clock.time = Number(now)
const worker = startJobWorker({
  engine,
  kinds: JOB_KINDS,
  logger: createLogger({ level: 'silent' }),
})
if (most !== '') void dieAt(Number(most))
await worker.settled()
await worker.stop()
await engine.close()

async function dieAt(rows: number): Promise<void> {
  for (;;) {
    const counted = await sql<{ count: unknown }>`
      select count(*) as count from stock_ledger_entries where adjusts is not null`.execute(
      engine.services.database.read,
    )
    if (Number(counted.rows[0]!.count) >= rows) process.kill(process.pid, 'SIGKILL')
    await new Promise((resolve) => setImmediate(resolve))
  }
}
