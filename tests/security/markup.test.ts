import supertest from 'supertest'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { bearer, openTestApp, type TestApp } from '../server/test-app.ts'

const SENT = '<p onclick=x()>Fish &amp; <b>chips</b><script>alert(1)</script></p>'
const KEPT = '<p>Fish &amp; <b>chips</b></p>'
const PLAIN = 'Fish & Chips, 1 < 2 > 0\r\n"x"\t\u00a0'

const markup = suite('D24: HTML that people write')
let app: TestApp
let auth: string

markup.before(async () => {
  app = await openTestApp()
  auth = bearer(app.keys.admin)
})
markup.after(() => app.close())

markup(
  'is cleaned when it is written, on both surfaces, and what is plain stays as it is',
  async () => {
    const item = { item_name: 'Fish', description: SENT }
    const made = await supertest(app.app)
      .post('/v1/items')
      .set('Authorization', auth)
      .send({ ...item, item_code: 'B' })
    assert.is(made.status, 201, made.text)
    assert.is(made.body.description, KEPT)
    const changed = await supertest(app.app)
      .patch('/v1/items/B')
      .set('Authorization', auth)
      .send({ description: PLAIN })
    assert.is(changed.body.description, PLAIN)

    const onA = await supertest(app.app)
      .post('/api/resource/Item')
      .set('Authorization', auth)
      .send({ ...item, item_code: 'A' })
    assert.is(onA.status, 200, onA.text)
    assert.is(onA.body.data.description, KEPT)

    const events = await supertest(app.app)
      .get('/v1/events?resource=items')
      .set('Authorization', auth)
    assert.ok(events.body.data.length >= 3)
    assert.not.match(JSON.stringify(events.body), /onclick|alert/)
  },
)

markup.run()
