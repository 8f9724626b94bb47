import request from 'supertest'
import * as assert from 'uvu/assert'
import type { Explanation } from '../../../engine/documents/explain/explanation.ts'
import { forEachDatabaseWhenDeep } from '../../helpers/databases.ts'
import { addPerson, cookieOf } from '../auth/people.ts'
import { bearer, openTestApp, type TestApp } from '../test-app.ts'

const DOCTYPES = {
  till: `
doctype: Till
module: crm
tier: free
naming: field:code
fields:
  code: {type: data, required: true}
  takings: {type: currency, rollup: {from: Receipt, match: till, sum: amount}}
  receipts: {type: int, rollup: {from: Receipt, match: till, count: true}}
  biggest: {type: currency, rollup: {from: Receipt, match: till, max: amount}}
  share: {type: currency, formula: takings / 2}
  clerk: {type: link, options: Till Clerk}
  clerk_phone: {type: data, fetch: clerk.phone}
  proposed: {type: data, fetch: {from: clerk.phone, when: empty}}
  desk: {type: data, default: clerk.phone}
  pin: {type: password}
  secrets: {type: currency, rollup: {from: Till Secret, match: till, sum: amount}}
  seen: {type: currency, lookup: {from: Receipt, where: till == this.code, sum: amount}}
permissions:
  roles:
    Till Reader: [read]
`,
  'till-clerk': `
doctype: Till Clerk
module: crm
tier: free
naming: field:code
fields:
  code: {type: data, required: true}
  phone: {type: data}
permissions:
  roles:
    Nobody: [read]
`,
  'till-secret': `
doctype: Till Secret
module: crm
tier: free
naming: "TS-{###}"
fields:
  till: {type: link, options: Till}
  amount: {type: currency}
permissions:
  roles:
    Nobody: [read]
`,
  receipt: `
doctype: Receipt
module: crm
tier: free
naming: "RC-{###}"
title: what
fields:
  what: {type: data, filterable: true}
  till: {type: link, options: Till}
  amount: {type: currency}
  team: {type: data, filterable: true}
permissions:
  roles:
    Till Reader: [read]
  rows:
    Till Reader: team == "open"
`,
}

forEachDatabaseWhenDeep('GET /v1/{resource}/{id}/explain/{field}', ({ test, create }) => {
  let app: TestApp
  let cookie: string

  test.before(async () => {
    app = await openTestApp({ database: await create(), doctypes: DOCTYPES })
    await post('/v1/till-clerks', { code: 'ann', phone: '+43 1 1' })
    await post('/v1/tills', { code: 'T1', clerk: 'ann', pin: '1234' })
    for (const [what, amount, team] of [
      ['bell', 10, 'open'],
      ['hidden horn', 20, 'closed'],
      ['lamp', 5, 'open'],
      ['hidden lock', 7, 'closed'],
    ] as const)
      await post('/v1/receipts', { what, amount, team, till: 'T1' })
    await post('/v1/till-secrets', { till: 'T1', amount: 3 })
    await request(app.app)
      .patch('/v1/tills/T1')
      .set('Authorization', bearer(app.keys.admin))
      .send({ proposed: '+43 1 1' })
      .expect(200)
    const person = await addPerson(app.engine, 'reader@example.com', ['Till Reader'])
    cookie = (await cookieOf(app.engine, person)).cookie
  })
  test.after(() => app?.close())

  const post = (path: string, body: object) =>
    request(app.app).post(path).set('Authorization', bearer(app.keys.admin)).send(body).expect(201)
  const asAdmin = (path: string) =>
    request(app.app).get(`/v1/${path}`).set('Authorization', bearer(app.keys.admin))
  const asReader = (path: string) => request(app.app).get(`/v1/${path}`).set('Cookie', cookie)

  test('answers the field, its value, how it came, where that is said, and of what', async () => {
    const { body } = await asAdmin('tills/T1/explain/share').expect(200)
    assert.equal(body, {
      field: 'share',
      label: 'Share',
      value: 21,
      how: 'formula',
      where: { file: 'till.yaml', line: 10, text: 'takings / 2' },
      inputs: [{ field: 'takings', label: 'Takings', value: 42 }],
    })
    const deep = await asAdmin('tills/T1/explain/share?depth=2').expect(200)
    assert.is(deep.body.inputs[0].explain.records.length, 4)
  })

  test('names only records that the caller may read; the others are one line', async () => {
    const { body } = await asReader('tills/T1/explain/takings').expect(200)
    assert.equal(body.records, [
      { resource: 'receipts', id: 'RC-001', title: 'bell', value: 10 },
      { resource: 'receipts', id: 'RC-003', title: 'lamp', value: 5 },
      { resource: null, id: null, title: 'others', value: 27 },
    ])
    const pages: unknown[] = []
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const path: string = `tills/T1/explain/takings?limit=1&cursor=${encodeURIComponent(cursor)}`
      const { body: page }: { body: Explanation } = await asReader(path).expect(200)
      pages.push(...(page.records ?? []))
      cursor = page.next_cursor
    }
    assert.equal(pages, body.records)
    const biggest = await asReader('tills/T1/explain/biggest').expect(200)
    assert.equal(biggest.body.records, [{ resource: null, id: null, title: 'others', value: 20 }])
    const found = await asReader('tills/T1/explain/seen').expect(200)
    for (const { text } of [biggest, found, await asReader('tills/T1/explain/share?depth=5')])
      for (const told of ['RC-002', 'RC-004', 'hidden']) assert.not(text.includes(told), told)
  })

  test('tells nothing of DocTypes that the caller may not read', async () => {
    const secrets = await asReader('tills/T1/explain/secrets').expect(200)
    assert.equal(secrets.body.records, [{ resource: null, id: null, title: 'others', value: 3 }])
    const phone = await asReader('tills/T1/explain/clerk_phone').expect(200)
    assert.equal([phone.body.how, phone.body.value, phone.body.records], ['fetch', '+43 1 1', []])
    // Whether a hidden record says the same is not told: it might be guessed.
    for (const field of ['proposed', 'desk']) {
      const { body } = await asReader(`tills/T1/explain/${field}`).expect(200)
      assert.is(body.how, 'entered', field)
    }
    assert.is((await asAdmin('tills/T1/explain/proposed')).body.how, 'fetch')
  })

  test('tells no secret', async () => {
    const { body, text } = await asAdmin('tills/T1/explain/pin').expect(200)
    assert.is(body.value, null)
    assert.not(text.includes('1234'))
  })

  test('is for who may read the record', async () => {
    await asReader('receipts/RC-001/explain/amount').expect(200)
    await asReader('receipts/RC-002/explain/amount').expect(404)
    await asReader('till-secrets/TS-001/explain/amount').expect(403)
    await asAdmin('tills/T9/explain/share').expect(404)
    await asAdmin('tillz/T1/explain/share').expect(404)
    await request(app.app).get('/v1/tills/T1/explain/share').expect(401)
    const { body } = await asAdmin('tills/T1/explain/shares').expect(404)
    assert.match(body.error.message, 'did you mean share?')
  })

  test('refuses parameters that are unknown or out of range', async () => {
    for (const [query, field, code] of [
      ['depht=2', 'depht', 'unknown_field'],
      ['depth=6', 'depth', 'out_of_range'],
      ['depth=x', 'depth', 'wrong_type'],
      ['limit=101', 'limit', 'out_of_range'],
      ['limit=1&limit=2', 'limit', 'wrong_type'],
      ['cursor=nonsense', 'cursor', 'wrong_type'],
    ]) {
      const { body } = await asAdmin(`tills/T1/explain/takings?${query}`).expect(422)
      assert.equal([body.error.details[0].field, body.error.details[0].code], [field, code], query)
    }
    await request(app.app)
      .post('/v1/tills/T1/explain/share')
      .set('Authorization', bearer(app.keys.admin))
      .expect(405)
  })
})
