import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { reserveIn } from '../../server/limits/rate-store.ts'
import { MOST_WRITTEN, writtenOn } from '../../server/limits/written-bytes.ts'
import { addPerson, cookieOf } from '../server/auth/people.ts'
import { openWatched, type Reply, type Watched } from './workspace.ts'

const test = suite('to-dos, notes, comments, files and tags')

let watched: Watched
const cookies = new Map<string, string>()
let customer: string

test.before(async () => {
  watched = await openWatched({})
  for (const [name, role] of [
    ['seller', 'Sales User'],
    ['clerk', 'Accounts User'],
    ['worker', 'Employee'],
  ]) {
    const person = await addPerson(watched.app.engine, `${name}@example.com`, [role!])
    cookies.set(name!, (await cookieOf(watched.app.engine, person)).cookie)
  }
  customer = await made('seller', 'customers', { customer_name: 'Blue Whale' })
})
test.after(() => watched?.close())

const as = (who: string, method: string, path: string, body?: object): Promise<Reply> =>
  watched.send(method, `/v1/${path}`, { headers: { cookie: cookies.get(who)! }, body })

// biome-ignore lint/suspicious/noExplicitAny: answers are of every shape.
const parsed = ({ text }: Reply): any => JSON.parse(text)

async function made(who: string, slug: string, body: object): Promise<string> {
  const reply = await as(who, 'POST', slug, body)
  assert.is(reply.status, 201, reply.text)
  return parsed(reply).id
}

/** Who of these may read a record: by its address, and in the list. */
async function readers(slug: string, id: string): Promise<readonly string[]> {
  const found: string[] = []
  for (const who of cookies.keys()) {
    const { status } = await as(who, 'GET', `${slug}/${id}`)
    const list = await as(who, 'GET', `${slug}?limit=100`)
    const isListed = list.status === 200 && list.text.includes(id)
    assert.is(isListed, status === 200, `${who} ${slug}: ${status}`)
    if (isListed) found.push(who)
  }
  return found
}

test('about a customer are read by who may read customers', async () => {
  const about = { reference_doctype: 'Customer', reference_name: customer }
  const tag = 'important'
  assert.is((await as('seller', 'POST', 'tags', { name: tag })).status, 201)
  const records: [string, object][] = [
    ['comments', { ...about, content: 'Pays late' }],
    [
      'files',
      {
        file_name: 'offer.pdf',
        file_url: 'https://files.example/offer.pdf',
        attached_to_doctype: 'Customer',
        attached_to_name: customer,
      },
    ],
    ['tag-links', { tag, document_type: 'Customer', document_name: customer }],
    ['communications', { ...about, subject: 'Call', communication_medium: 'Phone' }],
  ]
  for (const [slug, body] of records) {
    const id = await made('seller', slug, body)
    assert.equal(await readers(slug, id), ['seller', 'clerk'], slug)
    assert.is(
      (await as('worker', 'POST', slug, body)).status,
      slug === 'communications' ? 403 : 422,
      slug,
    )
  }
  const twice = await as('clerk', 'POST', 'tag-links', records[2]![1])
  assert.is(twice.status, 409, twice.text)
  const { data } = parsed(await as('seller', 'GET', 'tags?fields=uses'))
  assert.equal(
    data.map(({ uses }: { uses: number }) => uses),
    [1],
  )
})

test('a comment is changed and deleted by who wrote it alone, and bears their name', async () => {
  const body = { reference_doctype: 'Customer', reference_name: customer, content: 'Mine' }
  const id = await made('seller', 'comments', body)
  const shown = parsed(await as('clerk', 'GET', `comments/${id}`))
  assert.equal(
    [shown.comment_by, shown.comment_email],
    ['seller@example.com', 'seller@example.com'],
  )
  assert.is((await as('clerk', 'PATCH', `comments/${id}`, { content: 'x' })).status, 403)
  assert.is((await as('clerk', 'DELETE', `comments/${id}`)).status, 403)
  assert.is((await as('seller', 'PATCH', `comments/${id}`, { content: 'Better' })).status, 200)
  const forged = await as('clerk', 'POST', 'comments', {
    ...body,
    comment_by: 'seller@example.com',
  })
  assert.is(forged.status, 422)
  assert.is((await as('seller', 'DELETE', `comments/${id}`)).status, 204)
})

test('a to-do is seen by who gave it and who has it', async () => {
  const id = await made('seller', 'todos', {
    description: 'Call back',
    allocated_to: 'worker@example.com',
  })
  assert.equal(await readers('todos', id), ['seller', 'worker'])
  const closed = parsed(await as('worker', 'PATCH', `todos/${id}`, { status: 'Closed' }))
  assert.ok(closed.closed_at)
})

test('a note is its writer’s own until it is public, and theirs to change ever after', async () => {
  const id = await made('worker', 'notes', { title: 'Recipe', content: 'Two eggs' })
  assert.equal(await readers('notes', id), ['worker'])
  assert.is((await as('clerk', 'PATCH', `notes/${id}`, { content: 'x' })).status, 404)
  await as('worker', 'PATCH', `notes/${id}`, { public: true })
  assert.equal(await readers('notes', id), ['seller', 'clerk', 'worker'])
  assert.is((await as('clerk', 'PATCH', `notes/${id}`, { content: 'x' })).status, 403)
  assert.is((await as('clerk', 'DELETE', `notes/${id}`)).status, 403)
})

test('a file of nobody’s record is its owner’s, or everybody’s when it is not private', async () => {
  const file = { file_name: 'a.txt', file_url: 'https://files.example/a.txt' }
  assert.equal(await readers('files', await made('clerk', 'files', file)), ['clerk'])
  const open = await made('clerk', 'files', { ...file, is_private: false })
  assert.equal(await readers('files', open), ['seller', 'clerk', 'worker'])
  const script = await as('clerk', 'POST', 'files', { ...file, file_url: 'javascript:alert(1)' })
  assert.is(script.status, 422)
})

test('a meeting is private unless it is public', async () => {
  const meeting = { subject: 'Review', starts_on: '2026-03-09T09:00:00.000Z' }
  assert.equal(await readers('calendar-events', await made('worker', 'calendar-events', meeting)), [
    'worker',
  ])
  const open = await made('worker', 'calendar-events', { ...meeting, event_type: 'Public' })
  assert.equal(await readers('calendar-events', open), ['seller', 'clerk', 'worker'])
  assert.is((await as('clerk', 'PATCH', `calendar-events/${open}`, { subject: 'x' })).status, 403)
})

test('D22: to-dos and meetings tell nobody which records there are, but for people', async () => {
  const about = async (name: string): Promise<(readonly [number, string])[]> => {
    const todo = { description: 'x', reference_type: 'Customer', reference_name: name }
    const who = { reference_doctype: 'Customer', reference_docname: name }
    const meeting = {
      subject: 'x',
      starts_on: '2026-03-09T09:00:00.000Z',
      event_participants: [who],
    }
    const replies = [
      await as('worker', 'POST', 'todos', todo),
      await as('worker', 'POST', 'calendar-events', meeting),
    ]
    return replies.map((reply) => {
      assert.is(reply.status, 422, reply.text)
      const { details } = parsed(reply).error
      return [reply.status, JSON.stringify(details).replaceAll(name, '…')]
    })
  }
  const there = await about(customer)
  assert.equal(there, await about('CUST-99999'))
  assert.equal(
    there.map(([status]) => status),
    [422, 422],
  )
  const todo = { description: 'x', reference_type: 'Customer', reference_name: customer }
  const given = await made('seller', 'todos', { ...todo, allocated_to: 'worker@example.com' })
  const closed = await as('worker', 'PATCH', `todos/${given}`, { status: 'Closed' })
  assert.is(closed.status, 200, 'who was given one goes on with it')
  const guest = { reference_doctype: 'User', reference_docname: 'clerk@example.com' }
  const meeting = { subject: 'x', starts_on: '2026-03-09T09:00:00.000Z' }
  await made('worker', 'calendar-events', { ...meeting, event_participants: [guest] })
})

test('D22: a to-do says itself who gave it', async () => {
  const forged = { description: 'x', assigned_by: 'Administrator' }
  assert.is((await as('worker', 'POST', 'todos', forged)).status, 422)
  const id = await made('worker', 'todos', { description: 'x' })
  const { assigned_by } = parsed(await as('worker', 'GET', `todos/${id}`))
  assert.is(assigned_by, 'worker@example.com')
})

test('D23: of who has no role are ten megabytes a day, and no more', async () => {
  const { engine, clock } = watched.app
  const { database } = engine.services
  const guest = await addPerson(engine, 'guest@example.com')
  cookies.set('guest', (await cookieOf(engine, guest)).cookie)
  const id = await made('guest', 'notes', { title: 'small' })
  for (const login of ['guest@example.com', 'worker@example.com'])
    await database.write((tx) =>
      reserveIn(tx, { ...writtenOn(login, clock.now()), size: MOST_WRITTEN - 5_000 }),
    )
  const note = { title: 'large', content: 'x'.repeat(3_000) }
  await made('guest', 'notes', note)
  const refused = await as('guest', 'POST', 'notes', note)
  assert.is(refused.status, 403)
  assert.match(refused.text, /without a role you may write 10 MB of records a day/)
  assert.is((await as('guest', 'PATCH', `notes/${id}`, { content: note.content })).status, 403)
  assert.is((await as('guest', 'DELETE', `notes/${id}`)).status, 204)
  for (const _ of [1, 2]) await made('worker', 'notes', note)
  cookies.delete('guest')
  clock.advance(24 * 60 * 60 * 1000)
  cookies.set('guest', (await cookieOf(engine, guest)).cookie)
  await made('guest', 'notes', note)
  cookies.delete('guest')
})

test.run()
