import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import request from 'supertest'
import * as assert from 'uvu/assert'
import { chunks } from '../../../engine/base/chunks.ts'
import { JOB_KINDS } from '../../../server/jobs/job-kinds.ts'
import { startJobWorker } from '../../../server/jobs/job-worker.ts'
import { onDatabase } from '../../helpers/databases.ts'
import { addPerson, cookieOf } from '../auth/people.ts'
import { openTestApp, TEST_DOCTYPES, type TestApp } from '../test-app.ts'

const slip = (more = ''): string => `
doctype: Slip
module: stock
tier: free
submittable: true
naming: SLIP-{#####}
unique: [{fields: [code]}]
fields:
  code: {type: data}${more}
  receiver: {type: data, required: true, filterable: true}
`

/** Who may take a submit back, but not make a draft of it. */
const NOTE = `
doctype: Delivery Slip
module: stock
tier: free
submittable: true
naming: DS-{#####}
fields:
  receiver: {type: data, required: true}
permissions:
  roles: {Stock Manager: [read, create, update, submit, cancel, delete]}
`

/* The database itself refuses what these triggers are told to, as one that has gone away does. */
onDatabase('sqlite', 'a job that breaks off', ({ test, fresh }) => {
  let app: TestApp
  let cookie = ''
  test.before(async () => {
    const doctypes = { ...TEST_DOCTYPES, slip: slip(), note: NOTE }
    app = await openTestApp({ database: await fresh(), doctypes })
    const login = await addPerson(app.engine, 'ann', ['Stock Manager'])
    cookie = (await cookieOf(app.engine, login)).cookie
    await run('create table trip (what text)')
    const trips = [
      ['kept', 'update on svc_jobs', "old.state = 'running'"],
      ['total', 'update of total on svc_jobs', 'new.total <> old.total'],
      ['part', 'insert on svc_job_parts', 'new.part = 1'],
    ]
    for (const [what, event, when] of trips)
      await run(`create trigger trip_${what} before ${event}
        when ${when} and exists (select 1 from trip where what = '${what}')
        begin select raise(abort, 'tripped'); end`)
  })
  test.after(() => app.close())

  const run = (text: string): Promise<unknown> =>
    app.engine.services.database.write((tx) => sql.raw(text).execute(tx))
  const as = (method: 'get' | 'post', path: string) =>
    request(app.app)[method](path).set('Cookie', cookie)
  const bulk = async (resource: string, body: object): Promise<string> =>
    (await as('post', `/v1/${resource}/_bulk`).send(body)).body.job.id
  const jobOf = async (id: string) => (await as('get', `/v1/jobs/${id}`)).body.job
  const make = async (resource: string, body: object): Promise<string> =>
    (await as('post', `/v1/${resource}`).send(body)).body.id
  const docstatus = async (path: string) => (await as('get', path)).body.docstatus

  /** Runs jobs while the database refuses something, until one has met that. */
  async function trip(what: string): Promise<void> {
    await run(`insert into trip values ('${what}')`)
    const logger = { info: () => undefined, warn: () => undefined, error: () => (met = true) }
    let met = false
    const worker = startJobWorker({ engine: app.engine, kinds: JOB_KINDS, logger, pollMs: 5 })
    while (!met) await sleep(5)
    await run('delete from trip')
    app.clock.advance(10_000)
    await worker.settled()
    await worker.stop()
  }

  test('goes on when what became of it could not even be written', async () => {
    const code = await make('gadgets', { code: 'G1', title: 'One', price: 1 })
    const id = await bulk('gadgets', { ids: [code], do: 'update', data: { price: 2 } })
    await trip('kept')
    assert.is((await jobOf(id)).state, 'done')
    assert.is((await as('get', '/v1/gadgets/G1')).body.price, 2)
  })

  test('between looking for its records and counting them leaves none out', async () => {
    for (let n = 0; n < 16; n += 1) await make('parcels', { receiver: 'Eve' })
    const id = await bulk('parcels', { filter: { receiver: 'Eve' }, do: 'submit' })
    for (let n = 0; n < 5; n += 1) await make('parcels', { receiver: 'Eve' })
    await trip('total')
    const { state, done, total } = await jobOf(id)
    assert.equal([state, done, total], ['done', 21, 21])
    const left = await as('get', '/v1/parcels?receiver=Eve&docstatus=0')
    assert.is(left.body.meta.total, 0)
  })

  test('in an export begins it anew where its columns are others by then', async () => {
    const receivers = Array.from({ length: 205 }, (_, n) => `R${n}`)
    for (const some of chunks(receivers, 41))
      await Promise.all(some.map((receiver) => make('slips', { receiver })))
    const asked = await as('post', '/v1/slips/_export').send({})
    assert.is(asked.status, 202, asked.text)
    const { id } = asked.body.job
    await run("insert into trip values ('part')")
    await app.runJobs()
    const wider = slip('\n  weight: {type: int, default: 3}')
    writeFileSync(join(app.ownFolder, 'slip.yaml'), wider.trimStart())
    await app.engine.reload()
    await run('delete from trip')
    app.clock.advance(10_000)
    await app.runJobs()
    assert.equal([(await jobOf(id)).state, (await jobOf(id)).done], ['done', 205])
    const { text } = await as('get', `/v1/jobs/${id}/file`)
    const [head = '', ...lines] = text.trim().split('\r\n')
    const at = head.split(',').indexOf('receiver')
    assert.equal(lines.map((line) => line.split(',')[at]).sort(), receivers.sort())
  })

  test('is undone whole or not at all: what cannot be amended stays submitted', async () => {
    const ids = [
      await make('slips', { receiver: 'A', code: 'X' }),
      await make('slips', { receiver: 'B' }),
    ]
    const id = await bulk('slips', { ids, do: 'submit' })
    await app.runJobs()
    const undo = (await as('post', `/v1/jobs/${id}/undo`)).body.job.id
    await app.runJobs()
    const { state, done, failed } = await jobOf(undo)
    assert.equal([state, done, failed.length, failed[0]?.id], ['done', 2, 1, ids[0]])
    assert.equal(
      [await docstatus(`/v1/slips/${ids[0]}`), await docstatus(`/v1/slips/${ids[1]}`)],
      [1, 2],
    )
    assert.is(await docstatus(`/v1/slips/${ids[1]}-1`), 0)
  })

  test('is not undone by who may not amend what it submitted', async () => {
    const made = await make('delivery-slips', { receiver: 'A' })
    const id = await bulk('delivery-slips', { ids: [made], do: 'submit' })
    await app.runJobs()
    assert.is((await as('post', `/v1/jobs/${id}/undo`)).status, 403)
    assert.is(await docstatus(`/v1/delivery-slips/${made}`), 1)
  })

  const send = (key: string, text: string) =>
    as('post', '/v1/imports')
      .set('Idempotency-Key', key)
      .field('resource', 'gadgets')
      .attach('file', Buffer.from(text), 'gadgets.csv')

  test('a key of an import stands for one file', async () => {
    const first = await send('file', 'code,title\nI1,One\n')
    const again = await send('file', 'code,title\nI1,One\n')
    assert.equal([first.status, again.status], [202, 202])
    assert.equal(
      [again.body.job.id, again.headers['idempotent-replayed']],
      [first.body.job.id, 'true'],
    )
    const other = await send('file', 'code,title\nI2,Two\n')
    assert.equal([other.status, other.body.error.code], [422, 'VALIDATION_ERROR'])
  })

  test('an import whose commit nobody has heard of keeps its file', async () => {
    const { database } = app.engine.services
    const { write } = database
    let writes = 0
    // The piece of the file first, then the job: that is committed, and the connection lost.
    const losing: typeof write = async (...args) => {
      const value = await write(...args)
      writes += 1
      if (writes === 2) throw Object.assign(new Error('Connection terminated'), { code: '08006' })
      return value
    }
    Object.assign(database, { write: losing })
    const lost = await send('lost', 'code,title\nL1,One\n')
    Object.assign(database, { write })
    assert.ok(lost.status >= 500, `${lost.status}`)
    assert.is((await send('lost', 'code,title\nL1,One\n')).status, 202)
    await app.runJobs()
    assert.is((await as('get', '/v1/gadgets/L1')).status, 200)
  })
})
