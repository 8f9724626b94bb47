import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import { SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import { getWithMore } from '../../engine/documents/lists/record.ts'
import { findJob } from '../../engine/storage/workspace/jobs.ts'
import { JOB_KINDS } from '../../server/jobs/job-kinds.ts'
import { startJobWorker } from '../../server/jobs/job-worker.ts'
import { createLogger } from '../../server/observe/logger.ts'
import { forEachDatabase, type TestDatabase } from '../helpers/databases.ts'
import { openAgain, openStory, type Story } from './story.ts'

const WORKER = fileURLToPath(import.meta.resolve('./killed-look-back.ts'))
const DOCUMENTS = 11
const ROWS = 100
/** Difference rows at which a process that posts them is killed, one after the other. */
const KILLED_AT = [1, 300, 700, 1000]

forEachDatabase('what is told late with more than a thousand rows behind it', ({ test, fresh }) => {
  let story: Story
  let database: TestDatabase
  test.before(async () => {
    database = await fresh()
    story = await openStory(database)
    story.clock.time = Date.parse('2026-07-01T12:00:00Z')
    await story.create('Item', { item_code: 'PIN', item_name: 'Pin' })
  })
  test.after(() => story.close())

  const receipt = (posting_date: string, basic_rate: number) =>
    story.create('Stock Entry', {
      stock_entry_type: 'Material Receipt',
      posting_date,
      items: [{ item_code: 'PIN', qty: 2000, basic_rate, t_warehouse: 'Stores' }],
    })

  test('is brought right by a job that the document shows', async () => {
    await story.submit('Stock Entry', (await receipt('2026-01-10', 10)).id)
    const row = { item_code: 'PIN', qty: 1, s_warehouse: 'Stores' }
    for (let day = 1; day <= DOCUMENTS; day += 1) {
      const { id } = await story.create('Stock Entry', {
        stock_entry_type: 'Material Issue',
        posting_date: `2026-03-${String(day).padStart(2, '0')}`,
        items: Array.from({ length: ROWS }, () => row),
      })
      await story.submit('Stock Entry', id)
    }
    const { id } = await receipt('2026-02-01', 30)
    const submitted = await story.submit('Stock Entry', id)
    const [{ id: job }] = submitted._jobs as [{ id: string }]
    const { engine } = story
    const value = async () => (await story.get('Bin', 'PIN::Stores')).stock_value
    // 4000 for 20000 + 60000, less 1100 at 10, as nobody has looked behind yet.
    assert.is(await value(), 80_000 - 11_000)

    const worker = startJobWorker({
      engine,
      kinds: JOB_KINDS,
      logger: createLogger({ level: 'silent' }),
    })
    await worker.settled()
    await worker.stop()
    const done = DOCUMENTS * ROWS
    const kept = (await findJob(engine.services.database.read, job))!
    assert.equal(
      [kept.state, kept.done, kept.total, kept.record],
      ['done', done, done, id],
      kept.result!,
    )
    // Each of the 1100 has left at 20, the average of both receipts.
    assert.is(await value(), 80_000 - 22_000)
    const context = engine.context(SYSTEM_ACTOR, 'business')
    const definition = engine.services.registry.byDoctype('Stock Entry')!
    const { record } = await getWithMore(context, definition, id, { titles: false, can: true })
    assert.equal(record._jobs, [{ id: job, kind: 'look-back', state: 'done', done, total: done }])
    assert.equal(await story.differences(), [])
  })

  test('is brought right by others where a process is killed in the middle, each row once', async () => {
    const { id } = await receipt('2026-02-02', 60)
    const submitted = await story.submit('Stock Entry', id)
    const [{ id: job }] = submitted._jobs as [{ id: string }]
    const now = String(story.clock.time)
    await story.engine.close()
    const work = (most = '') =>
      spawnSync(process.execPath, [WORKER, JSON.stringify(database), now, most], {
        encoding: 'utf8',
      })
    const before = DOCUMENTS * ROWS
    for (const rows of KILLED_AT) {
      const { signal, stderr } = work(String(before + rows))
      assert.is(signal, 'SIGKILL', stderr)
    }
    const { status, stderr } = work()
    assert.is(status, 0, stderr)
    story = await openAgain(database)
    const kept = (await findJob(story.engine.services.database.read, job))!
    assert.is(kept.state, 'done', kept.result!)
    // 2000 at 10, at 30 and at 60 are worth 200,000, 33.333… each. Each of the 11 documents leaves whole cents of them:
    // 196,666.67 of 5900, 193,333.34 of 5800, … 166,666.70 of 5000, 163,333.37 of 4900.
    const { actual_qty, stock_value } = await story.get('Bin', 'PIN::Stores')
    assert.equal([actual_qty, stock_value], [4900, 163_333.37])
    const rows = await story.all('Stock Ledger Entry', { item_code: 'PIN' })
    const adjusted = rows.flatMap(({ adjusts }) => adjusts ?? [])
    assert.is(adjusted.length, 2 * before)
    assert.is(new Set(adjusted).size, before)
    assert.equal(await story.differences(), [])
  })
})
