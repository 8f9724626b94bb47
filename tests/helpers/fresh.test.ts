import supertest from 'supertest'
import * as assert from 'uvu/assert'
import { openTestApp } from '../server/test-app.ts'
import { forEachDatabase } from './databases.ts'

forEachDatabase('the database of a suite, asked for again', ({ test, fresh }) => {
  /** What a test makes and finds of its own, and what was there before it. */
  async function work(): Promise<unknown> {
    const app = await openTestApp({ database: await fresh(), settings: { rateLimit: false } })
    try {
      const { read } = app.engine.services.database
      const count = async (table: string): Promise<number> =>
        (await read.selectFrom(table).selectAll().execute()).length
      const before = [await count('gadgets'), await count('svc_events'), await count('roles')]
      for (const code of ['G1', 'G2'])
        await supertest(app.app)
          .post('/v1/gadgets')
          .set('X-API-Key', app.keys.admin)
          .send({ code, title: 'Like the others' })
          .expect(201)
      await app.engine.setTier('business')
      const rows = await read.selectFrom('gadgets').select(['rid', 'name']).orderBy('rid').execute()
      const events = await read.selectFrom('svc_events').select('seq').orderBy('seq').execute()
      const found = await supertest(app.app)
        .get('/v1/gadgets?q=others')
        .set('X-API-Key', app.keys.admin)
      return { before, rows, events, found: found.body.data?.length }
    } finally {
      await app.close()
    }
  }

  test('is as it was the first time, numbers included', async () => {
    const first = await work()
    for (let n = 0; n < 2; n += 1) assert.equal(await work(), first)
  })
})
