import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import request from 'supertest'
import * as assert from 'uvu/assert'
import { forEachDatabase, type TestDatabase } from '../../helpers/databases.ts'
import { openPrepared } from '../../helpers/prepared.ts'
import { randomOf, rounds } from '../../helpers/random.ts'
import { appOver, bearer, type TestApp, testClock } from '../test-app.ts'

const WORKER = fileURLToPath(import.meta.resolve('./killed-worker.ts'))
const RECORDS = 400
const KILLS = rounds(4)
const secretKey = Buffer.alloc(32, 7)

forEachDatabase('long work whose process is killed', ({ test, create }) => {
  let database: TestDatabase
  test.before(async () => {
    database = await create()
  })

  /** Does something over HTTP; the process that works on jobs has the database alone afterwards. */
  async function over<T>(act: (app: TestApp) => Promise<T>): Promise<T> {
    const doctypes = [join(import.meta.dirname, '../../../doctypes')]
    const engine = await openPrepared({ database, doctypes, secretKey })
    const clock = testClock(Date.now())
    const app = await appOver(engine, { clock, secretKey })
    try {
      return await act(app)
    } finally {
      await app.close()
    }
  }
  const work = (at = '', when = 'within') =>
    spawnSync(process.execPath, [WORKER, JSON.stringify(database), at, when], { encoding: 'utf8' })
  const get = async (app: TestApp, path: string) =>
    (await request(app.app).get(path).set('Authorization', bearer(app.keys.admin))).body

  /** Lets a process after another die in the middle, then one work to the end. */
  function killed(seed: number): void {
    const random = randomOf(seed)
    for (let n = 0; n < KILLS; n += 1) {
      const at = String(1 + random.below(RECORDS / KILLS))
      const { signal, stderr } = work(at, random.chance(0.5) ? 'within' : 'after')
      assert.is(signal, 'SIGKILL', stderr)
    }
    const { status, stderr } = work()
    assert.is(status, 0, stderr)
  }

  test('an import has every row once, and every refused one is told of once', async () => {
    const rows = Array.from({ length: RECORDS }, (_, n) =>
      n % 50 === 7 ? `Customer ${n},not a mail` : `Customer ${n},c${n}@example.com`,
    )
    const id = await over(async (app) => {
      const sent = await request(app.app)
        .post('/v1/imports')
        .set('Authorization', bearer(app.keys.admin))
        .field('resource', 'customers')
        .attach('file', Buffer.from(`customer_name,email_id\n${rows.join('\n')}\n`), 'c.csv')
      assert.is(sent.status, 202, sent.text)
      return sent.body.job.id as string
    })
    killed(1)
    await over(async (app) => {
      const { job } = await get(app, `/v1/jobs/${id}`)
      const refused = RECORDS / 50
      assert.equal(
        [job.state, job.done, job.total, job.failed.length, job.result.created],
        ['done', RECORDS, RECORDS, refused, RECORDS - refused],
        JSON.stringify(job).slice(0, 500),
      )
      const { read } = app.engine.services.database
      const names = await read.selectFrom('customers').select('customer_name').execute()
      assert.is(names.length, RECORDS - refused)
      assert.is(new Set(names.map(({ customer_name }) => customer_name)).size, names.length)
      const events = await get(app, '/v1/events?event=customers.created&limit=1')
      assert.is(events.meta.total, RECORDS - refused)
    })
  })

  test('a change of many records is made once for each', async () => {
    const id = await over(async (app) => {
      const sent = await request(app.app)
        .post('/v1/customers/_bulk')
        .set('Authorization', bearer(app.keys.admin))
        .send({
          filter: { customer_name__like: 'Customer' },
          do: 'update',
          data: { phone: '+43 1' },
        })
      assert.is(sent.status, 202, sent.text)
      return sent.body.job.id as string
    })
    killed(2)
    await over(async (app) => {
      const { job } = await get(app, `/v1/jobs/${id}`)
      const all = RECORDS - RECORDS / 50
      assert.equal([job.state, job.result], ['done', { succeeded: all, failed: 0 }])
      const events = await get(app, '/v1/events?event=customers.updated&limit=1')
      assert.is(events.meta.total, all)
    })
  })

  test('an export has every record once', async () => {
    const id = await over(async (app) => {
      const sent = await request(app.app)
        .post('/v1/customers/_export')
        .set('Authorization', bearer(app.keys.admin))
        .send({ fields: ['customer_name'] })
      assert.is(sent.status, 202, sent.text)
      return sent.body.job.id as string
    })
    // It dies when it tells that a twentieth is through: that page and what it tells go together or stay.
    assert.is(work('1', 'within').signal, 'SIGKILL')
    assert.is(work('1', 'after').signal, 'SIGKILL')
    assert.is(work().status, 0)
    await over(async (app) => {
      const { job } = await get(app, `/v1/jobs/${id}`)
      const all = RECORDS - RECORDS / 50
      assert.equal([job.state, job.result.records], ['done', all])
      const { text } = await request(app.app)
        .get(job.result.file)
        .set('Authorization', bearer(app.keys.admin))
      const lines = text.trim().split('\r\n').slice(1)
      assert.equal([lines.length, new Set(lines).size], [all, all])
    })
  })
})
