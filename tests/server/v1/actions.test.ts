import supertest from 'supertest'
import * as assert from 'uvu/assert'
import { forEachDatabase } from '../../helpers/databases.ts'
import { bearer, openTestApp, type TestApp } from '../test-app.ts'

/** Tickets with one action of each kind, the ledger that one of them posts to, and its balances. */
const DOCTYPES = {
  ticket: `
doctype: Ticket
module: support
tier: free
submittable: true
aliases: [calls]
naming: TIC-{#####}
fields:
  title: {type: data, required: true, length: 20}
  minutes: {type: int, default: 0, readOnly: true}
  closed: {type: check, default: false, readOnly: true}
  follow_up: {type: link, options: Ticket, readOnly: true}
actions:
  close: {when: docstatus == 1 && !closed, steps: [{set: {closed: "true"}}]}
  clock: {steps: [{set: {minutes: minutes + 1}}]}
  follow_up:
    when: follow_up == ""
    input:
      title: {type: data, required: true}
      weight: {type: int, min: 1, default: 1}
      day: {type: date}
    steps:
      - {create: Ticket, as: next, set: {title: input.title}}
      - {set: {follow_up: next.name}}
  pack:
    input:
      thing: {type: data, required: true}
      qty: {type: float, required: true}
    steps:
      - post: Tally
        rows: [{set: {thing: input.thing, qty: input.qty}}]
  sweep: {system: true, steps: [{set: {closed: "true"}}]}
`,
  tally: `
doctype: Tally
module: support
tier: free
naming: uuid
ledger: {negate: [qty]}
fields:
  posting_date: {type: date}
  thing: {type: data, required: true, filterable: true}
  qty: {type: float}
`,
  'tally-sum': `
doctype: Tally Sum
module: support
tier: free
naming: "{thing}"
upsert_from: Tally
fields:
  thing: {type: data}
  qty: {type: float, rollup: {from: Tally, match: thing, sum: qty}}
`,
}

interface Created {
  readonly as: string
  readonly resource: string
  readonly doctype: string
  readonly id: string
}

forEachDatabase('POST …/actions/{name}', ({ test, fresh }) => {
  let app: TestApp
  test.before(async () => {
    app = await openTestApp({
      database: await fresh(),
      doctypes: DOCTYPES,
      settings: { rateLimit: false },
    })
  })
  test.after(() => app.close())

  const as = (scope: 'read' | 'write' | 'admin', method: string, path: string): supertest.Test => {
    const agent = supertest(app.app) as unknown as Record<string, (path: string) => supertest.Test>
    return agent[method]!(path).set('Authorization', bearer(app.keys[scope]))
  }
  const run = (id: string, action: string): supertest.Test =>
    as('write', 'post', `/v1/tickets/${id}/actions/${action}`)
  const get = (path: string): supertest.Test => as('read', 'get', path)

  async function ticket(): Promise<string> {
    const made = await as('write', 'post', '/v1/tickets').send({ title: 'Printer' })
    assert.is(made.status, 201, made.text)
    return made.body.id as string
  }

  async function countOf(slug: string): Promise<number> {
    return (await get(`/v1/${slug}?limit=1`)).body.meta.total as number
  }

  test('answers 200 with the record as GET shows it, with or without a body', async () => {
    const id = await ticket()
    await as('write', 'post', `/v1/tickets/${id}/submit`)
    const closed = await run(id, 'close')
    assert.is(closed.status, 200, closed.text)
    assert.equal([closed.body.closed, closed.body.docstatus], [true, 1])
    assert.not('_created' in closed.body)
    assert.not('location' in closed.headers)
    const shown = await get(`/v1/tickets/${id}`)
    assert.equal([shown.text, shown.headers.etag], [closed.text, closed.headers.etag])
    assert.is((await run(id, 'clock').send({})).body.minutes, 1)
    const { body } = await as('write', 'post', `/v1/calls/${id}/actions/clock`)
    assert.is(body.minutes, 2, 'under the alias too')
  })

  test('names what it created in _created', async () => {
    const id = await ticket()
    const answer = await run(id, 'follow_up').send({ title: 'Call back' })
    assert.is(answer.status, 200, answer.text)
    const { _created, ...record } = answer.body as { _created: Created[]; follow_up: string }
    const next = record.follow_up
    assert.equal(_created, [{ as: 'next', resource: 'tickets', doctype: 'Ticket', id: next }])
    const shown = await get(`/v1/tickets/${id}`)
    assert.equal([shown.body, shown.headers.etag], [record, answer.headers.etag])
    assert.is((await get(`/v1/tickets/${next}`)).body.title, 'Call back')
  })

  test('is 404 for an unknown action, naming those there are, for a record and a resource', async () => {
    const id = await ticket()
    const unknown = await run(id, 'explode')
    assert.equal([unknown.status, unknown.body.error.code], [404, 'NOT_FOUND'])
    assert.match(unknown.body.error.message, /"explode"; they have close, clock, follow_up, pack$/)
    assert.is((await run('TIC-99999', 'close')).status, 404)
    assert.is((await run('TIC%00', 'close')).status, 404)
    assert.is((await run(id, '__proto__')).status, 404)
    assert.is((await as('write', 'post', '/v1/nonsense/x/actions/close')).status, 404)
  })

  test('is 409 while its condition does not hold, and changes nothing', async () => {
    const id = await ticket()
    const before = await get(`/v1/tickets/${id}`)
    const early = await run(id, 'close')
    assert.equal([early.status, early.body.error.code], [409, 'CONFLICT'])
    assert.match(early.body.error.message, 'it is a draft, and has to be submitted')
    assert.not.match(early.body.error.message, '==')
    assert.not('retry-after' in early.headers)
    assert.is((await get(`/v1/tickets/${id}`)).text, before.text)
  })

  test('is 422 with every problem of the input, and leaves nothing behind', async () => {
    const id = await ticket()
    const before = await countOf('tickets')
    const bad = await run(id, 'follow_up').send({ weight: 0, day: 'soon', nonsense: 1 })
    assert.equal([bad.status, bad.body.error.code], [422, 'VALIDATION_ERROR'])
    const details = bad.body.error.details as { field: string }[]
    assert.equal(details.map(({ field }) => field).sort(), ['day', 'nonsense', 'title', 'weight'])
    const tooLong = await run(id, 'follow_up').send({ title: 'a title of more than twenty' })
    assert.is(tooLong.status, 422, 'what it creates is checked like what callers create')
    assert.match(tooLong.text, 'at most 20')
    assert.equal([(await run(id, 'clock').send({ by: 2 })).status], [422], 'it takes nothing')
    assert.is(await countOf('tickets'), before)
    assert.is((await get(`/v1/tickets/${id}`)).body.follow_up, null)
  })

  test('is 400 for a body that is no object', async () => {
    const id = await ticket()
    for (const body of ['[1]', '"x"', '1', 'null', '{"title":']) {
      const answer = await run(id, 'clock').set('Content-Type', 'application/json').send(body)
      assert.equal([body, answer.status, answer.body.error?.code], [body, 400, 'BAD_REQUEST'])
    }
    assert.is((await get(`/v1/tickets/${id}`)).body.minutes, 0)
  })

  test('under an Idempotency-Key runs once and answers the same bytes again', async () => {
    const id = await ticket()
    const before = await countOf('tickets')
    const send = (title: string) =>
      run(id, 'follow_up').set('Idempotency-Key', `follow-${id}`).send({ title })
    const first = await send('Once')
    assert.is(first.status, 200, first.text)
    const again = await send('Once')
    assert.equal(
      [again.status, again.text, again.headers.etag, again.headers['idempotent-replayed']],
      [200, first.text, first.headers.etag, 'true'],
    )
    assert.match(again.text, '_created')
    assert.is(await countOf('tickets'), before + 1)
    assert.is((await send('Twice')).status, 422, 'another request under the same key')
    const other = await run(id, 'clock').set('Idempotency-Key', `follow-${id}`)
    assert.is(other.status, 422, 'another action under the same key')
    assert.is((await get(`/v1/tickets/${id}`)).body.minutes, 0)
  })

  test('a refused one leaves its Idempotency-Key free', async () => {
    const id = await ticket()
    const close = () => run(id, 'close').set('Idempotency-Key', `close-${id}`)
    assert.is((await close()).status, 409)
    await as('write', 'post', `/v1/tickets/${id}/submit`)
    assert.is((await close()).status, 200)
  })

  test('with a stale If-Match is 412, with the right one 200', async () => {
    const id = await ticket()
    const { etag } = (await get(`/v1/tickets/${id}`)).headers as { etag: string }
    assert.is((await run(id, 'clock').set('If-Match', etag)).status, 200)
    const stale = await run(id, 'clock').set('If-Match', etag)
    assert.equal([stale.status, stale.body.error.code], [412, 'PRECONDITION_FAILED'])
    assert.is((await get(`/v1/tickets/${id}`)).body.minutes, 1)
  })

  test('needs a key that may write, and is POST', async () => {
    const id = await ticket()
    const path = `/v1/tickets/${id}/actions/clock`
    assert.is((await supertest(app.app).post(path)).status, 401)
    const denied = await as('read', 'post', path)
    assert.equal([denied.status, denied.body.error.code], [403, 'FORBIDDEN'])
    const system = await as('admin', 'post', `/v1/tickets/${id}/actions/sweep`)
    assert.equal([system.status, system.body.error.code], [403, 'FORBIDDEN'])
    for (const method of ['get', 'put', 'patch', 'delete']) {
      const wrong = await as('admin', method, path)
      assert.equal([wrong.status, wrong.headers.allow], [405, 'POST'], method)
    }
    assert.is((await get(`/v1/tickets/${id}`)).body.minutes, 0)
  })

  test('sent many times at once loses nothing', async () => {
    const id = await ticket()
    const answers = await Promise.all(Array.from({ length: 8 }, () => run(id, 'clock')))
    assert.equal(
      answers.map(({ body }) => body.minutes as number).sort((a, b) => a - b),
      [1, 2, 3, 4, 5, 6, 7, 8],
    )
  })

  test('that ends its own condition happens once, however many ask at once', async () => {
    const id = await ticket()
    const before = await countOf('tickets')
    const answers = await Promise.all(
      ['A', 'B', 'C', 'D'].map((title) => run(id, 'follow_up').send({ title })),
    )
    assert.equal(answers.map(({ status }) => status).sort(), [200, 409, 409, 409])
    assert.is(await countOf('tickets'), before + 1)
  })

  test('posts to a ledger that no caller writes, and its balances follow', async () => {
    const id = await ticket()
    for (const qty of [2.5, -1]) {
      const packed = await run(id, 'pack').send({ thing: 'Rope', qty })
      assert.is(packed.status, 200, packed.text)
    }
    const rows = (await get('/v1/tallies?thing=Rope&sort=created&order=asc')).body.data
    assert.equal(
      rows.map(({ qty, voucher_type, voucher_no }: Record<string, unknown>) => [
        qty,
        voucher_type,
        voucher_no,
      ]),
      [
        [2.5, 'Ticket', id],
        [-1, 'Ticket', id],
      ],
    )
    assert.is((await get('/v1/tally-sums/Rope')).body.qty, 1.5)
  })

  test('ledgers and balances refuse every write, whatever the key', async () => {
    await run(await ticket(), 'pack').send({ thing: 'Tape', qty: 1 })
    const [row] = (await get('/v1/tallies?thing=Tape')).body.data
    for (const [slug, id] of [
      ['tallies', row.id],
      ['tally-sums', 'Tape'],
    ]) {
      const shown = await get(`/v1/${slug}/${id}`)
      assert.is(shown.status, 200)
      for (const [method, path, body] of [
        ['post', `/v1/${slug}`, { thing: 'Tape' }],
        ['patch', `/v1/${slug}/${id}`, { thing: 'Glue' }],
        ['delete', `/v1/${slug}/${id}`, undefined],
        ['post', `/v1/${slug}/${id}/actions/close`, {}],
      ] as const) {
        const refused = await as('admin', method, path).send(body)
        assert.equal(
          [method, path, refused.status, refused.body.error?.code],
          [method, path, 403, 'FORBIDDEN'],
        )
        assert.match(refused.body.error.message, 'written by the workspace itself')
      }
      assert.is((await get(`/v1/${slug}/${id}`)).text, shown.text)
      const { body: entry } = await get(`/v1/resources/${slug}`)
      assert.is(entry.read_only, true)
    }
  })
})
