import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { addPerson, cookieOf } from '../server/auth/people.ts'
import { openWatched, type Reply, type Watched } from './workspace.ts'

const DOCTYPES = {
  vote: `
doctype: Vote
module: crm
tier: free
submittable: true
naming: V-{#####}
title: text
fields:
  text: {type: data, required: true}
actions:
  count:
    steps:
      - set: {text: upper(text)}
permissions:
  roles:
    Writer: [all]
`,
}

/** Requests that are wrong in themselves, and what who may make them is told. */
const WRONG: readonly (readonly [
  method: string,
  path: string,
  body: object | undefined,
  status: number,
])[] = [
  ['GET', '?nonsense=1', undefined, 422],
  ['GET', '?sort=nonsense', undefined, 422],
  ['GET', '/nothing', undefined, 404],
  ['GET', '/a%00b', undefined, 404],
  ['POST', '', undefined, 400],
  ['POST', '', { nonsense: 1 }, 422],
  ['PATCH', '/nothing', undefined, 400],
  ['PATCH', '/nothing', { nonsense: 1 }, 422],
  ['PATCH', '/a%00b', { text: 'x' }, 404],
  ['DELETE', '/a%00b', undefined, 404],
  ['POST', '/nothing/submit', { nonsense: 1 }, 422],
  ['POST', '/a%00b/submit', undefined, 404],
  ['POST', '/nothing/cancel', { nonsense: 1 }, 422],
  ['POST', '/a%00b/cancel', undefined, 404],
  ['POST', '/nothing/amend', { nonsense: 1 }, 422],
  ['POST', '/a%00b/amend', undefined, 404],
  ['POST', '/nothing/actions/count', { nonsense: 1 }, 422],
  ['POST', '/a%00b/actions/count', undefined, 404],
]

const test = suite('what is wrong with a request')

let watched: Watched
const cookies = new Map<string, string>()

test.before(async () => {
  watched = await openWatched({ doctypes: DOCTYPES })
  for (const role of ['Writer', 'Stranger']) {
    const person = await addPerson(watched.app.engine, `${role.toLowerCase()}@example.com`, [role])
    cookies.set(role, (await cookieOf(watched.app.engine, person)).cookie)
  }
})
test.after(() => watched?.close())

function as(role: string, method: string, path: string, body?: object): Promise<Reply> {
  const cookie = cookies.get(role)
  const headers = cookie === undefined ? {} : { cookie }
  return watched.send(method, `/v1/votes${path}`, { headers, body })
}

for (const [method, path, body, status] of WRONG) {
  const what = `${method} /v1/votes${path} ${JSON.stringify(body) ?? ''}`
  test(`is told to nobody who may not make it: ${what}`, async () => {
    const told = await as('Writer', method, path, body)
    assert.is(told.status, status, told.text)
    const stranger = await as('Stranger', method, path, body)
    assert.is(stranger.status, 403, stranger.text)
    assert.match(stranger.text, 'it needs the role Writer')
    const guest = await as('nobody', method, path, body)
    assert.is(guest.status, 401, guest.text)
  })
}

test.run()
