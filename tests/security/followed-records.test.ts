import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { addPerson, cookieOf } from '../server/auth/people.ts'
import { openWatched, type Reply, type Watched } from './workspace.ts'

const DOCTYPES = {
  memo: `
doctype: Memo
module: crm
tier: free
submittable: true
naming: MEMO-{#####}
title: text
fields:
  text: {type: data, required: true}
  last: {type: data, rollup: {from: Remark, match: about, max: said, where: 'kind == "Memo"'}}
permissions:
  roles:
    Writer: [all]
    Boss: [all]
  rows:
    Writer: owner == user.name
`,
  payslip: `
doctype: Payslip
module: crm
tier: free
naming: PAY-{#####}
title: text
fields:
  text: {type: data, required: true}
permissions:
  roles:
    Boss: [all]
`,
  remark: `
doctype: Remark
module: crm
tier: free
naming: RE-{#####}
title: said
search: [said]
fields:
  said: {type: data, required: true}
  kind: {type: data, filterable: true}
  about: {type: dynamic_link, options: kind, filterable: true}
  answers: {type: link, options: Remark}
  answered: {type: data, fetch: answers.said}
permissions:
  roles:
    All: [all]
  follows: about
  rows:
    All: {write: owner == user.name}
`,
  clip: `
doctype: Clip
module: crm
tier: free
naming: CL-{#####}
title: label
fields:
  label: {type: data, required: true}
  remark: {type: link, options: Remark, filterable: true}
permissions:
  roles:
    All: [all]
  follows: remark
`,
}

const test = suite('a record that follows another one')

let watched: Watched
const cookies = new Map<string, string>()
let memo: string
let payslip: string
/** Remarks and clips of the boss, by what they are on. */
const remarks: Record<string, string> = {}
const clips: Record<string, string> = {}

test.before(async () => {
  watched = await openWatched({ doctypes: DOCTYPES })
  for (const role of ['Writer', 'Boss']) {
    const person = await addPerson(watched.app.engine, `${role.toLowerCase()}@example.com`, [role])
    cookies.set(role, (await cookieOf(watched.app.engine, person)).cookie)
  }
  memo = await made('Writer', 'memos', { text: 'of the writer' })
  const secret = await made('Boss', 'memos', { text: 'of the boss' })
  payslip = await made('Boss', 'payslips', { text: 'what somebody earns' })
  const on = { mine: ['Memo', memo], secret: ['Memo', secret], pay: ['Payslip', payslip], none: [] }
  for (const [name, [kind, about]] of Object.entries(on)) {
    const said = `on ${name}`
    remarks[name] = await made('Boss', 'remarks', kind ? { said, kind, about } : { said })
    clips[name] = await made('Boss', 'clips', { label: said, remark: remarks[name] })
  }
})
test.after(() => watched?.close())

const as = (role: string, method: string, path: string, body?: object): Promise<Reply> =>
  watched.send(method, path, { headers: { cookie: cookies.get(role)! }, body })

// biome-ignore lint/suspicious/noExplicitAny: answers are of every shape.
const parsed = ({ text }: Reply): any => JSON.parse(text)

async function made(role: string, slug: string, body: object): Promise<string> {
  const reply = await as(role, 'POST', `/v1/${slug}`, body)
  assert.is(reply.status, 201, reply.text)
  return parsed(reply).id
}

/** Titles that a list shows. */
async function shown(role: string, path: string): Promise<readonly string[]> {
  const reply = await as(role, 'GET', path)
  assert.is(reply.status, 200, `${path}: ${reply.text}`)
  const { data, meta } = parsed(reply)
  if (!path.includes('/api/')) assert.is(meta.total, data.length, path)
  return data.map(({ said, label }: { said: string; label: string }) => said ?? label).toSorted()
}

test('is listed, counted and found for who may read that one', async () => {
  const all = ['on mine', 'on none', 'on pay', 'on secret']
  for (const path of [
    '/v1/remarks',
    '/v1/remarks?q=on',
    '/v1/clips',
    '/v1/remarks?name__like=re',
  ]) {
    assert.equal(await shown('Boss', path), all, path)
    assert.equal(await shown('Writer', path), ['on mine', 'on none'], path)
  }
  const path = '/api/resource/Remark?fields=["said"]&limit_page_length=0'
  assert.equal(await shown('Writer', path), ['on mine', 'on none'])
})

test('is not there for others: 404 for every verb, no event, no link', async () => {
  for (const name of ['secret', 'pay']) {
    for (const path of [`/v1/remarks/${remarks[name]}`, `/v1/clips/${clips[name]}`]) {
      assert.is((await as('Writer', 'GET', path)).status, 404, path)
      assert.is((await as('Writer', 'PATCH', path, {})).status, 404, path)
      assert.is((await as('Writer', 'DELETE', path)).status, 404, path)
      assert.is((await as('Boss', 'GET', path)).status, 200, path)
    }
    const answer = await as('Writer', 'POST', '/v1/remarks', { said: 'x', answers: remarks[name] })
    assert.is(answer.status, 422, answer.text)
    assert.not.match(answer.text, `on ${name}`)
  }
  for (const slug of ['remarks', 'clips'])
    assert.is(
      (await as('Writer', 'GET', `/v1/${slug}/${(slug === 'clips' ? clips : remarks).mine}`))
        .status,
      200,
    )
  const { data } = parsed(await as('Writer', 'GET', '/v1/events?resource=remarks'))
  assert.equal(data, [])
})

test('is made only about what its writer may read, in words that tell nothing else', async () => {
  for (const [kind, about] of [
    ['Payslip', payslip],
    ['Payslip', 'PAY-09999'],
  ]) {
    const reply = await as('Writer', 'POST', '/v1/remarks', { said: 'x', kind, about })
    assert.is(reply.status, 422)
    assert.equal(
      parsed(reply).error.details[0].message.replace(about!, '…'),
      'expected an existing Payslip, got "…"',
    )
  }
  const own = await made('Writer', 'remarks', { said: 'own', kind: 'Memo', about: memo })
  const moved = await as('Writer', 'PATCH', `/v1/remarks/${own}`, {
    kind: 'Payslip',
    about: payslip,
  })
  assert.is(moved.status, 422)
  assert.is((await as('Writer', 'PATCH', `/v1/remarks/${own}`, { said: 'mine' })).status, 200)
  assert.is((await as('Writer', 'DELETE', `/v1/remarks/${own}`)).status, 204)
})

test('may be read and not changed where reading and changing have conditions of their own', async () => {
  const reply = await as('Writer', 'PATCH', `/v1/remarks/${remarks.mine}`, { said: 'other' })
  assert.is(reply.status, 403, reply.text)
  assert.is((await as('Writer', 'DELETE', `/v1/remarks/${remarks.mine}`)).status, 403)
})

test('may be made about what is cancelled, and neither holds it back nor outlives it', async () => {
  const id = await made('Writer', 'memos', { text: 'short-lived' })
  await as('Writer', 'POST', `/v1/memos/${id}/submit`)
  assert.is((await as('Writer', 'POST', `/v1/memos/${id}/cancel`)).status, 200)
  const remark = await made('Boss', 'remarks', { said: 'gone', kind: 'Memo', about: id })
  const clip = await made('Boss', 'clips', { label: 'gone too', remark })
  assert.is(parsed(await as('Writer', 'GET', `/v1/memos/${id}`)).last, 'gone')
  assert.is((await as('Writer', 'DELETE', `/v1/memos/${id}`)).status, 204)
  for (const path of [`remarks/${remark}`, `clips/${clip}`])
    assert.is((await as('Boss', 'GET', `/v1/${path}`)).status, 404, path)
  const kinds = async (record: string) => {
    const rows = await watched.app.engine.services.database.read
      .selectFrom('svc_events')
      .select('kind')
      .where('record_id', '=', record)
      .orderBy('seq')
      .execute()
    return rows.map(({ kind }) => kind)
  }
  assert.equal(await kinds(remark), ['created', 'deleted'])
  assert.equal(await kinds(clip), ['created', 'deleted'])
  assert.is((await kinds(id)).at(-1), 'deleted')
})

test.run()
