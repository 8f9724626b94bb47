import { readdirSync } from 'node:fs'
import request from 'supertest'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { bearer, openTestApp, type TestApp } from '../test-app.ts'

type Body = request.Response['body']

const studio = suite('what Studio writes')

let test: TestApp
let folder: string
studio.before(async () => {
  test = await openTestApp()
  folder = test.ownFolder
})
studio.after(() => test.close())

const send = async (method: 'get' | 'post', path: string, body?: object, key = test.keys.admin) => {
  const asked = request(test.app)[method](path).set('Authorization', bearer(key))
  const answer = await (body === undefined ? asked : asked.send(body))
  return { status: answer.status, body: answer.body as Body }
}
studio('hostile names and texts are refused', async () => {
  const before = readdirSync(folder).sort()
  for (const doctype of ['../evil', 'a/b', 'A\nB', '', 'x'.repeat(61), '.studio', 7, null, 'Ä']) {
    const answer = await send('post', '/v1/studio/save', { doctype, text: 'x: 1', hash: null })
    assert.is(answer.status, 422, String(doctype))
  }
  const texts = {
    bomb: `doctype: Bomb\na: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]\n`,
    huge: `doctype: Bomb\n${'# '.repeat(200_000)}\n`,
    deep: `doctype: Bomb\nfields: ${'['.repeat(5000)}`,
    other: 'doctype: Customer\nextend: true\nlabel: Owned\n',
    proto: 'doctype: Bomb\n__proto__: {tier: free}\n',
    nothing: '',
  }
  for (const [name, text] of Object.entries(texts)) {
    const answer = await send('post', '/v1/studio/save', { doctype: 'Bomb', text, hash: null })
    assert.is(answer.status, 422, `${name}: ${JSON.stringify(answer.body).slice(0, 300)}`)
  }
  const replaced = await send('post', '/v1/studio/save', {
    doctype: 'Customer',
    text: 'doctype: Customer\nmodule: crm\ntier: free\nfields: {a: {type: data}}\n',
    hash: null,
  })
  assert.match(replaced.body.error.message, /changed, not replaced/)
  const many = Object.fromEntries(Array.from({ length: 30_000 }, (_, at) => [`a${at}`, {}]))
  const wide = await send('post', '/v1/studio/save', {
    doctype: 'Customer',
    definition: { fields: many },
    hash: null,
  })
  assert.is(wide.status, 422)
  assert.equal(readdirSync(folder).sort(), before)
})

studio('only who manages the workspace may look at it or change it', async () => {
  for (const key of [test.keys.read, test.keys.draft, test.keys.write])
    for (const [method, path] of [
      ['get', '/v1/studio'],
      ['get', '/v1/studio/customers'],
      ['post', '/v1/studio/trial'],
      ['post', '/v1/studio/save'],
      ['post', '/v1/studio/undo'],
    ] as const)
      assert.is(
        (await send(method, path, method === 'post' ? {} : undefined, key)).status,
        403,
        path,
      )
})

studio.run()
