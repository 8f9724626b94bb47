import request from 'supertest'
import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../../helpers/databases.ts'
import { addPerson, cookieOf } from '../auth/people.ts'
import { openTestApp, type TestApp } from '../test-app.ts'

type Fields = Readonly<Record<string, string>>

forEachDatabaseWhenDeep('a file that is sent', ({ test, fresh }) => {
  let app: TestApp
  const cookies = new Map<string, string>()
  test.before(async () => {
    app = await openTestApp({ database: await fresh() })
    for (const [login, roles] of [
      ['ann', ['Stock Manager']],
      ['bob', ['HR Manager']],
    ] as const)
      cookies.set(
        login,
        (await cookieOf(app.engine, await addPerson(app.engine, login, roles))).cookie,
      )
  })
  test.after(() => app.close())

  const as = (login: string, method: 'get' | 'post', path: string) =>
    request(app.app)[method](path).set('Cookie', cookies.get(login)!)
  const send = (
    text: string | Buffer,
    fields: Fields = {},
    name = 'gadgets.csv',
    login = 'ann',
  ) => {
    let sent = as(login, 'post', '/v1/imports')
    for (const [field, value] of Object.entries({ resource: 'gadgets', ...fields }))
      sent = sent.field(field, value)
    return sent.attach('file', Buffer.from(text), name)
  }
  const jobOf = async (id: string) => (await as('ann', 'get', `/v1/jobs/${id}`)).body.job
  /** Sends a file, works on it and gives what came of it. */
  const brought = async (text: string, fields: Fields = {}, name?: string) => {
    const sent = await send(text, fields, name)
    assert.is(sent.status, 202, sent.text)
    await app.runJobs()
    return jobOf(sent.body.job.id)
  }
  const gadgets = async () =>
    (await as('ann', 'get', '/v1/gadgets?sort=id&order=asc&fields=id,title,price&limit=100')).body
      .data as { id: string; title: string; price: number }[]
  const titles = async () => (await gadgets()).map(({ id, title }) => `${id} ${title}`)

  test('is brought in with the fields its columns are guessed to be, and told of by row and column', async () => {
    const text =
      'Code,title,Price,made on,story\nA1,Lamp,2.50,2026-01-02,\nA2,Bell,-1,tomorrow,\n' +
      'A3,Cup,3,,"Two\nlines"\n,No code,1,,\n'
    const sent = await send(text)
    assert.equal(
      [sent.status, sent.headers.location, sent.body.job.state, sent.body.job.result],
      [
        202,
        `/v1/jobs/${sent.body.job.id}`,
        'queued',
        {
          mapping: {
            ...{ Code: 'code', title: 'title', Price: 'price' },
            ...{ 'made on': 'made_on', story: 'story' },
          },
          left_out: [],
        },
      ],
    )
    assert.equal(await titles(), [])
    await app.runJobs()
    assert.equal(await titles(), ['A1 Lamp', 'A3 Cup'])
    const { failed, result, ...job } = await jobOf(sent.body.job.id)
    assert.equal(job, { id: sent.body.job.id, kind: 'import', state: 'done', done: 4, total: 4 })
    assert.equal(
      [result.created, result.updated, result.unchanged, result.failed, result.dry_run],
      [2, 0, 0, 2, false],
    )
    assert.equal(
      failed.map(({ id, row, problems }: { id: null; row: number; problems: Fields[] }) => [
        id,
        row,
        problems.map(({ row, column, code }) => [row, column, code]),
      ]),
      [
        [
          null,
          3,
          [
            [3, 'made on', 'wrong_type'],
            [3, 'Price', 'out_of_range'],
          ],
        ],
        [null, 6, [[6, 'Code', 'required']]],
      ],
    )
    const refused = await as('ann', 'get', `/v1/imports/${job.id}/failed.csv`)
    assert.match(String(refused.headers['content-type']), 'text/csv')
    const [head, ...lines] = refused.text.split('\r\n').join('\n').split('\n')
    assert.is(head, '_line,_error,Code,title,Price,made on,story')
    assert.equal(
      lines.filter(Boolean).map((line) => line.split(',')[0]),
      ['3', '6'],
    )
    assert.is((await as('ann', 'get', `/v1/imports/${job.id}`)).body.job.id, job.id)
    const [notice] = (await as('ann', 'get', '/v1/notifications')).body.data
    assert.equal(
      [notice.kind, notice.record_id, notice.text],
      ['import', job.id, '2 of 4 done, 2 refused'],
    )
  })

  test('is tried without a trace, with other columns than were guessed', async () => {
    const text = 'number;name of it;what\nB1;Chair;x\nB2;Table;y\n'
    const unknown = await send(text)
    assert.equal([unknown.status, unknown.body.error.details[0].field], [422, 'file'])
    assert.match(unknown.body.error.message, 'unknown column "number"')
    const mapping = JSON.stringify({ number: 'code', 'name of it': 'title', what: null })
    const before = await titles()
    const tried = await brought(text, { mapping, dry_run: 'true' })
    assert.equal(
      [tried.state, tried.result.created, tried.result.dry_run, await titles()],
      ['done', 2, true, before],
    )
    assert.is((await as('ann', 'post', `/v1/imports/${tried.id}/undo`)).status, 409)
    await brought(text, { mapping })
    assert.equal(await titles(), [...before, 'B1 Chair', 'B2 Table'])
  })

  test('changes what is there with upsert, and is undone: what it made goes, what it changed is as it was', async () => {
    const before = await gadgets()
    const lines = [
      { code: 'B1', title: 'Stool', price: 4 },
      { code: 'B2', title: 'Table' },
      { code: 'C1', title: 'New' },
    ]
    const text = lines.map((line) => JSON.stringify(line)).join('\n')
    const { id, result } = await brought(text, { upsert: '1' }, 'gadgets.jsonl')
    assert.equal([result.created, result.updated, result.unchanged], [1, 1, 1])
    assert.equal((await titles()).slice(-3), ['B1 Stool', 'B2 Table', 'C1 New'])
    const undo = await as('ann', 'post', `/v1/imports/${id}/undo`)
    assert.equal([undo.status, undo.body.job.kind, undo.body.job.total], [202, 'undo', 2])
    await app.runJobs()
    assert.equal((await jobOf(undo.body.job.id)).result, { succeeded: 2, failed: 0 })
    assert.equal(await gadgets(), before)
    assert.is((await as('ann', 'post', `/v1/imports/${id}/undo`)).status, 409)
  })

  test('is undone without what somebody has changed since', async () => {
    const { id } = await brought('code,title\nB1,Desk\n', { upsert: 'true' })
    await request(app.app)
      .patch('/v1/gadgets/B1')
      .set('Cookie', cookies.get('ann')!)
      .send({ title: 'Mine' })
    const undo = await as('ann', 'post', `/v1/imports/${id}/undo`)
    await app.runJobs()
    const { failed } = await jobOf(undo.body.job.id)
    assert.equal(
      failed.map(({ id, problems }: { id: string; problems: Fields[] }) => [
        id,
        problems[0]!.field,
      ]),
      [['B1', 'title']],
    )
  })

  test('documents with rows are submitted as they come, and undone by their cancel', async () => {
    const text = 'receiver,items.gadget,items.qty\nAcme,A1,2\n,A3,1\nBlue,A1,3\n'
    const { id, result } = await brought(text, { resource: 'parcels', submit: '1' }, 'p.csv')
    assert.is(result.created, 2)
    const parcels = async () =>
      (await as('ann', 'get', '/v1/parcels?fields=receiver,docstatus&sort=receiver&order=asc')).body
        .data
    assert.equal(await parcels(), [
      { receiver: 'Acme', docstatus: 1 },
      { receiver: 'Blue', docstatus: 1 },
    ])
    await as('ann', 'post', `/v1/imports/${id}/undo`)
    await app.runJobs()
    assert.equal(await parcels(), [])
  })

  test('is refused at once where all of it is wrong, and leaves nothing', async () => {
    const fields = async (text: string | Buffer, more: Fields = {}, name?: string) => {
      const { status, body } = await send(text, more, name)
      return `${status} ${(body.error.details ?? []).map(({ field }: Fields) => field).join(' ')}`
    }
    const good = 'code,title\nZ1,Z\n'
    assert.is(await fields(good, { resource: 'nothing' }), '404 ')
    assert.is(await fields(good, { dry_run: 'maybe', colour: 'red' }), '422 colour dry_run')
    assert.is(await fields(good, {}, 'gadgets.txt'), '422 format')
    assert.is(await fields(good, { mapping: '[1]' }), '422 mapping')
    assert.is(await fields(good, { mapping: '{"x":"title"}' }), '422 file')
    assert.is(await fields(good, { upsert: '1', key: 'pin' }), '422 key')
    assert.is(await fields(good, { submit: '1' }), '422 submit')
    assert.is(await fields(Buffer.from([0x63, 0xff, 0xfe])), '422 file')
    assert.is(await fields(''), '422 file')
    assert.is((await send(good, {}, 'g.csv', 'bob')).status, 403)
    assert.is((await as('ann', 'post', '/v1/imports').send({ resource: 'gadgets' })).status, 400)
    const none = await as('ann', 'post', '/v1/imports').field('resource', 'gadgets')
    assert.equal([none.status, none.body.error.details[0].code], [422, 'required'])
    const { read } = app.engine.services.database
    const jobs = read.selectFrom('svc_jobs').select('id')
    const loose = await read
      .selectFrom('svc_job_parts')
      .select('seq')
      .where('job', 'not in', jobs)
      .execute()
    assert.equal(loose, [])
  })

  test('that breaks off has in what came before, and says where', async () => {
    const { state, result } = await brought('code,title\nD1,First\nD2,"never closed\n')
    assert.equal([state, result.succeeded], ['failed', 1])
    assert.match(result.message, 'line 3: a quoted cell that begins here is not closed')
    assert.ok((await titles()).includes('D1 First'))
  })

  test('that was begun by a process that is gone is gone on with: no row is lost, none twice', async () => {
    const rows = Array.from({ length: 40 }, (_, n) => `E${n + 10},Row ${n}`)
    const sent = await send(`code,title\n${rows.join('\n')}\n`)
    const { id } = sent.body.job
    const { database } = app.engine.services
    // It died after the commit of the record of line 5, and before it said so.
    await as('ann', 'post', '/v1/gadgets').send({ code: 'E13', title: 'Row 3' })
    await database.write((tx) =>
      tx
        .insertInto('svc_job_rows')
        .values({ job: id, place: 5, outcome: 'created', record: 'E13' })
        .execute(),
    )
    await app.runJobs()
    const { state, done, failed, result } = await jobOf(id)
    assert.equal([state, done, failed, result.created], ['done', 40, [], 40])
    assert.is((await titles()).filter((title) => title.startsWith('E')).length, 40)
  })

  test('goes out again as a file: a job writes what matches', async () => {
    const ask = (body: object, login = 'ann') => as(login, 'post', '/v1/gadgets/_export').send(body)
    const fields = ['code', 'title']
    const asked = await ask({ fields, filter: { code__like: 'E' } })
    const { id } = asked.body.job
    assert.equal([asked.status, asked.body.job.kind, asked.body.job.total], [202, 'export', 40])
    const file = (login = 'ann') => as(login, 'get', `/v1/jobs/${id}/file`)
    assert.is((await file()).status, 409)
    await app.runJobs()
    const { state, done, result } = await jobOf(id)
    assert.equal(
      [state, done, result.records, result.file],
      ['done', 40, 40, `/v1/jobs/${id}/file`],
    )
    const got = await file()
    assert.match(String(got.headers['content-disposition']), 'attachment; filename="gadgets.csv"')
    const [head, ...lines] = got.text.trim().split('\r\n')
    assert.equal([head, lines.length, lines[0]], ['id,name,code,title', 40, 'E13,E13,E13,Row 3'])
    assert.is((await file('bob')).status, 404)

    const json = (await ask({ fields, format: 'json', filter: { code__like: 'E' } })).body.job.id
    await app.runJobs()
    assert.is(JSON.parse((await as('ann', 'get', `/v1/jobs/${json}/file`)).text).length, 40)

    const problems = async (body: object) =>
      (await ask(body)).body.error.details.map(({ field, code }: Fields) => `${field} ${code}`)
    assert.equal(await problems({ fields: ['nothing'] }), ['fields unknown_field'])
    assert.equal(await problems({ format: 'pdf', filter: {} }), [
      'format wrong_type',
      'filter wrong_type',
    ])
    assert.equal(await problems({ filter: { pin: 'x' } }), ['pin unknown_field'])
    assert.is((await ask({}, 'bob')).status, 403)
  })
})
