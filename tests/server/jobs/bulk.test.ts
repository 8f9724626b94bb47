import request from 'supertest'
import * as assert from 'uvu/assert'
import { claimJob } from '../../../engine/storage/workspace/jobs.ts'
import { forEachDatabaseWhenDeep } from '../../helpers/databases.ts'
import { addPerson, cookieOf } from '../auth/people.ts'
import { bearer, openTestApp, TEST_DOCTYPES, type TestApp } from '../test-app.ts'

/** Its action makes drafts and nothing else; the other one leaves something behind. */
const KIT = `
doctype: Kit
module: stock
tier: free
naming: KIT-{##}
fields:
  receiver: {type: data, required: true}
  packed: {type: check}
actions:
  pack: {steps: [{create: Parcel, as: parcel, set: {receiver: receiver}}]}
  close: {steps: [{create: Parcel, set: {receiver: receiver}}, {set: {packed: true}}]}
`

forEachDatabaseWhenDeep('what is done with many records', ({ test, fresh }) => {
  let app: TestApp
  const cookies = new Map<string, string>()
  test.before(async () => {
    app = await openTestApp({ database: await fresh(), doctypes: { ...TEST_DOCTYPES, kit: KIT } })
    for (const [login, roles] of [
      ['ann', ['Stock Manager']],
      ['bob', ['Stock Manager']],
    ] as const)
      cookies.set(
        login,
        (await cookieOf(app.engine, await addPerson(app.engine, login, roles))).cookie,
      )
    for (const code of ['G1', 'G2', 'G3'])
      await as('ann', 'post', '/v1/gadgets').send({ code, title: `Gadget ${code}`, price: 1 })
  })
  test.after(() => app.close())

  const as = (login: string, method: 'get' | 'post', path: string) =>
    request(app.app)[method](path).set('Cookie', cookies.get(login)!)
  const bulk = (body: object, login = 'ann', resource = 'gadgets') =>
    as(login, 'post', `/v1/${resource}/_bulk`).send(body)
  const jobOf = async (id: string) => (await as('ann', 'get', `/v1/jobs/${id}`)).body.job
  const prices = async () =>
    (await as('ann', 'get', '/v1/gadgets?sort=id&order=asc&fields=id,price')).body.data.map(
      ({ price }: { price: number }) => price,
    )

  test('is a job with an answer for each of them, each changed or refused by itself', async () => {
    const asked = { ids: ['G1', 'nothing', 'G3', 'G1'], do: 'update', data: { price: 7 } }
    const taken = await as('ann', 'post', '/v1/gadgets/_bulk')
      .set('Idempotency-Key', 'b1')
      .send(asked)
    const { id } = taken.body.job
    assert.equal(
      [taken.status, taken.headers.location, taken.body],
      [
        202,
        `/v1/jobs/${id}`,
        { job: { id, kind: 'bulk', state: 'queued', done: 0, total: 3, failed: [], result: null } },
      ],
    )
    const again = await as('ann', 'post', '/v1/gadgets/_bulk')
      .set('Idempotency-Key', 'b1')
      .send(asked)
    assert.equal([again.body.job.id, again.headers['idempotent-replayed']], [id, 'true'])
    assert.equal(await prices(), [1, 1, 1])
    await app.runJobs()
    assert.equal(await prices(), [7, 1, 7])
    const message = 'Gadget "nothing" does not exist'
    assert.equal(await jobOf(id), {
      ...{ id, kind: 'bulk', state: 'done', done: 3, total: 3 },
      failed: [{ id: 'nothing', problems: [{ field: '', message, code: 'rule' }] }],
      result: { succeeded: 2, failed: 1 },
    })
    const { data } = (await as('ann', 'get', '/v1/jobs')).body
    assert.equal(
      data.map((job: { id: string }) => job.id),
      [id],
    )
    const [notice] = (await as('ann', 'get', '/v1/notifications')).body.data
    assert.equal(
      [notice.kind, notice.resource, notice.record_id, notice.title, notice.text],
      ['job', 'jobs', id, 'Gadgets', '2 of 3 done, 1 refused'],
    )
    assert.equal((await as('bob', 'get', '/v1/notifications')).body.data, [])
    const told = await request(app.app)
      .get('/v1/events?resource=jobs')
      .set('Authorization', bearer(app.keys.admin))
    assert.equal(
      told.body.data.map(({ event, data }: { event: string; data: object }) => [event, data]),
      [
        [
          'jobs.done',
          {
            ...{ id, kind: 'bulk', owner: 'ann', resource: 'gadgets', state: 'done' },
            ...{ done: 3, total: 3, failed: 1 },
          },
        ],
      ],
    )
  })

  test('is seen and stopped by whose it is and by System Managers', async () => {
    const { id } = (await bulk({ filter: { price__lt: 5 }, do: 'update', data: { price: 5 } })).body
      .job
    assert.is((await as('bob', 'get', `/v1/jobs/${id}`)).status, 404)
    assert.is((await as('bob', 'post', `/v1/jobs/${id}/stop`)).status, 404)
    assert.equal((await as('bob', 'get', '/v1/jobs')).body.meta.total, 0)
    const manager = await request(app.app)
      .get(`/v1/jobs/${id}`)
      .set('Authorization', bearer(app.keys.admin))
    assert.equal([manager.status, manager.body.job.total], [200, 1])
    const read = await request(app.app)
      .post(`/v1/jobs/${id}/stop`)
      .set('Authorization', bearer(app.keys.read))
    assert.is(read.status, 403)
    const stopped = await as('ann', 'post', `/v1/jobs/${id}/stop`)
    assert.equal([stopped.status, stopped.body.job.state], [200, 'stopped'])
    assert.is((await as('ann', 'post', `/v1/jobs/${id}/stop`)).status, 409)
    await app.runJobs()
    assert.equal(await prices(), [7, 1, 7])
  })

  test('finds its records by the filters of a list, and acts as who asked is then', async () => {
    const { id } = (await bulk({ filter: { price__in: [5, 7] }, do: 'update', data: { price: 9 } }))
      .body.job
    await app.runJobs()
    assert.equal(
      [await prices(), (await jobOf(id)).result],
      [[9, 1, 9], { succeeded: 2, failed: 0 }],
    )
    const admin = await app.newKey({ scope: 'admin' })
    const byKey = await request(app.app)
      .post('/v1/gadgets/_bulk')
      .set('Authorization', bearer(admin.key))
      .send({ ids: ['G2'], do: 'delete' })
    await request(app.app)
      .delete(`/v1/api-keys/${admin.id}`)
      .set('Authorization', bearer(app.keys.admin))
    await app.runJobs()
    const seen = await request(app.app)
      .get(`/v1/jobs/${byKey.body.job.id}`)
      .set('Authorization', bearer(app.keys.admin))
    assert.equal([seen.body.job.state, await prices()], ['failed', [9, 1, 9]])
  })

  test('submits, cancels and deletes documents', async () => {
    const made = async () =>
      (await as('ann', 'post', '/v1/parcels').send({ receiver: 'Acme' })).body.id as string
    const ids = [await made(), await made()]
    const run = async (what: string, key = false) => {
      const { job } = key
        ? (
            await request(app.app)
              .post('/v1/parcels/_bulk')
              .set('Authorization', bearer(app.keys.admin))
              .send({ ids, do: what })
          ).body
        : (await bulk({ ids, do: what }, 'ann', 'parcels')).body
      await app.runJobs()
      const { body } = await request(app.app)
        .get(`/v1/jobs/${job.id}`)
        .set('Authorization', bearer(app.keys.admin))
      return body.job.result
    }
    const all = { succeeded: 2, failed: 0 }
    assert.equal([await run('submit'), await run('submit')], [all, { succeeded: 0, failed: 2 }])
    assert.equal([await run('cancel'), await run('delete', true)], [all, all])
    assert.is((await as('ann', 'get', '/v1/parcels')).body.meta.total, 0)
  })

  test('is undone: fields are put back, documents amended, what was deleted is there again', async () => {
    const undo = async (id: string, key = app.keys.admin) => {
      const taken = await request(app.app)
        .post(`/v1/jobs/${id}/undo`)
        .set('Authorization', bearer(key))
      await app.runJobs()
      return taken.body.job ? (await admin(`/v1/jobs/${taken.body.job.id}`)).job : taken.status
    }
    const admin = async (path: string) =>
      (await request(app.app).get(path).set('Authorization', bearer(app.keys.admin))).body
    const run = async (body: object, resource: string) => {
      const { job } = (
        await request(app.app)
          .post(`/v1/${resource}/_bulk`)
          .set('Authorization', bearer(app.keys.admin))
          .send(body)
      ).body
      await app.runJobs()
      return job.id as string
    }
    const repriced = await run({ ids: ['G1', 'G2'], do: 'update', data: { price: 50 } }, 'gadgets')
    await as('ann', 'post', '/v1/gadgets/_bulk').send({
      ...{ ids: ['G2'], do: 'update', data: { price: 51 } },
    })
    await app.runJobs()
    const { failed, result } = await undo(repriced)
    assert.equal(failed, [
      { id: 'G2', problems: [{ field: 'price', message: 'has been changed since', code: 'rule' }] },
    ])
    assert.equal([result, await prices()], [{ succeeded: 1, failed: 1 }, [9, 51, 9]])
    assert.is(await undo(repriced), 409)
    await run({ ids: ['G2'], do: 'update', data: { price: 1 } }, 'gadgets')
    const gone = await run({ ids: ['G1', 'G3'], do: 'delete' }, 'gadgets')
    assert.equal(await prices(), [1])
    assert.equal((await undo(gone)).result, { succeeded: 2, failed: 0 })
    assert.equal(await prices(), [9, 1, 9])
    const { id } = (await as('ann', 'post', '/v1/parcels').send({ receiver: 'Bell' })).body
    const sent = await run({ ids: [id], do: 'submit' }, 'parcels')
    assert.equal((await undo(sent)).result, { succeeded: 1, failed: 0 })
    const { data } = await admin('/v1/parcels?fields=id,docstatus&sort=id&order=asc')
    assert.equal(data, [
      { id, docstatus: 2 },
      { id: `${id}-1`, docstatus: 0 },
    ])
  })

  test('is undone where an action has only made drafts: those that nobody has touched since go', async () => {
    const admin = (method: 'get' | 'post', path: string) =>
      request(app.app)[method](path).set('Authorization', bearer(app.keys.admin))
    const ids: string[] = []
    for (const receiver of ['Kim', 'Kai', 'Kay'])
      ids.push((await admin('post', '/v1/kits').send({ receiver })).body.id)
    const run = async (action: string): Promise<string> => {
      const { job } = (await admin('post', '/v1/kits/_bulk').send({ ids, do: 'action', action }))
        .body
      await app.runJobs()
      return job.id
    }
    const made = async () =>
      (await admin('get', '/v1/parcels?receiver__in=Kim,Kai,Kay&fields=id,receiver,docstatus')).body
        .data as readonly { readonly id: string; readonly receiver: string }[]
    const packed = await run('pack')
    assert.is((await made()).length, 3)
    const of = async (receiver: string) => (await made()).find((one) => one.receiver === receiver)!
    const kim = await of('Kim')
    app.clock.advance(1000)
    await admin('post', `/v1/parcels/${(await of('Kai')).id}/submit`)
    const change = admin('post', `/v1/parcels/_bulk`)
    await change.send({ ids: [kim.id], do: 'update', data: { items: [{ gadget: 'G1', qty: 1 }] } })
    await app.runJobs()
    const taken = (await admin('post', `/v1/jobs/${packed}/undo`)).body.job
    assert.is(taken.total, 3)
    await app.runJobs()
    const { job } = (await admin('get', `/v1/jobs/${taken.id}`)).body
    assert.equal(job.result, { succeeded: 1, failed: 2 })
    assert.equal(
      job.failed.map(({ problems }: { problems: { message: string }[] }) =>
        problems[0]!.message.replace(/PAR-\d+/, 'it'),
      ),
      ['Parcel it has been submitted since', 'Parcel it has been changed since'],
    )
    assert.equal((await made()).map(({ receiver }) => receiver).sort(), ['Kai', 'Kim'])
    const closed = await admin('post', `/v1/jobs/${await run('close')}/undo`)
    assert.is(closed.status, 409)
    assert.match(closed.body.error.message, 'close does more than to create drafts')
  })

  test('is refused at once where no record could be done', async () => {
    const problems = async (body: object) =>
      ((await bulk(body)).body.error.details ?? []).map(
        ({ field, code }: Record<string, string>) => `${field} ${code}`,
      )
    assert.equal(await problems({}), ['do required'])
    assert.equal(await problems({ ids: ['G1'], do: 'update' }), ['data required'])
    assert.equal(await problems({ do: 'update', data: {} }), ['ids required'])
    assert.equal(await problems({ ids: ['G1'], filter: { price: 1 }, do: 'delete' }), [
      'filter rule',
    ])
    assert.equal(await problems({ ids: ['G1'], do: 'update', data: { prize: 1, price: 'x' } }), [
      'data.prize unknown_field',
      'data.price wrong_type',
    ])
    assert.equal(await problems({ filter: { limit: 1 }, do: 'update', data: {} }), [
      'filter.limit unknown_field',
    ])
    assert.equal(await problems({ filter: { prize: 1 }, do: 'update', data: {} }), [
      'prize unknown_field',
    ])
    assert.equal(await problems({ filter: {}, do: 'update', data: {} }), ['filter wrong_type'])
    assert.equal(await problems({ ids: ['G1'], do: 'submit' }), ['do rule'])
    assert.is((await bulk({ ids: ['G1'], do: 'action', action: 'fly' })).status, 404)
    assert.is((await bulk({ ids: ['u'], do: 'delete' }, 'ann', 'users')).status, 403)
    const preview = await as('ann', 'post', '/v1/gadgets/_bulk?_preview=1').send({})
    assert.equal(preview.status, 422)
  })

  test('goes on where a process was that is gone, with nothing done twice', async () => {
    const { id } = (await bulk({ ids: ['G1', 'G2', 'G3'], do: 'update', data: { price: 3 } })).body
      .job
    const { database } = app.engine.services
    const now = app.clock.now()
    const held = { now, leaseUntil: now + 60_000, worker: '["elsewhere",1,1,"x"]', kinds: ['bulk'] }
    await database.write(async (tx) => {
      await claimJob(tx, database.kind, held)
      // It died after the commit of the second record, before it said so.
      await tx
        .insertInto('svc_job_rows')
        .values({ job: id, place: 2, outcome: 'done', record: 'G2' })
        .execute()
    })
    await app.runJobs()
    assert.equal([(await jobOf(id)).state, await prices()], ['running', [9, 1, 9]])
    app.clock.advance(60_001)
    await app.runJobs()
    assert.equal(
      [(await jobOf(id)).result, await prices()],
      [{ succeeded: 3, failed: 0 }, [3, 1, 3]],
    )
  })

  test('is bounded: ten jobs of a person at the same time', async () => {
    const statuses: number[] = []
    for (let n = 0; n < 11; n += 1)
      statuses.push((await bulk({ ids: ['G1'], do: 'update', data: { price: n } })).status)
    assert.equal([...new Set(statuses.slice(0, 10)), statuses[10]], [202, 429])
    assert.is((await bulk({ ids: ['G1'], do: 'update', data: { price: 1 } }, 'bob')).status, 202)
    await app.runJobs()
  })
})
