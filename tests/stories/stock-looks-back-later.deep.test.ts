import * as assert from 'uvu/assert'
import { SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import { getWithMore } from '../../engine/documents/lists/record.ts'
import { findJob } from '../../engine/storage/workspace/jobs.ts'
import { startJobWorker } from '../../server/jobs/job-worker.ts'
import { createLogger } from '../../server/observe/logger.ts'
import { forEachDatabase } from '../helpers/databases.ts'
import { openStory, type Story } from './story.ts'

const DOCUMENTS = 11
const ROWS = 100

forEachDatabase('what is told late with more than a thousand rows behind it', ({ test, fresh }) => {
  let story: Story
  test.before(async () => {
    story = await openStory(await fresh())
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

    const worker = startJobWorker({ engine, logger: createLogger({ level: 'silent' }) })
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
})
