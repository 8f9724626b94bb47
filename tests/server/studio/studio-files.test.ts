import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
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
const read = async (slug: string): Promise<Body> => {
  const { status, body } = await send('get', `/v1/studio/${slug}`)
  assert.is(status, 200, JSON.stringify(body))
  return body
}
const textOf = (file: string): string => readFileSync(join(folder, file), 'utf8')

studio('comments and what was not changed stay as they were written', async () => {
  const text =
    '# our vans\ndoctype: Town Van\nmodule: stock\ntier: free\nfields:\n  plate: {type: data}   # as on the sheet\n  seats: {type: int, min: 1}\n'
  writeFileSync(join(folder, 'town-van.yaml'), text)
  await test.engine.reload()
  const opened = await read('town-vans')
  const fields = { ...opened.definition.fields, color: { type: 'color' } }
  const definition = { ...opened.definition, fields }
  const trial = await send('post', '/v1/studio/trial', { doctype: 'Town Van', definition })
  assert.is(
    trial.body.text.replace('   # as', ' # as'),
    `${text}  color: {type: color}\n`.replace('   # as', ' # as'),
  )
})

studio(
  'what somebody wrote into the file meanwhile is not overwritten, by a save nor by an undo',
  async () => {
    const opened = await read('town-vans')
    const definition = { ...opened.definition, description: 'A van.' }
    const wish = { doctype: 'Town Van', definition, hash: opened.hash }
    assert.is((await send('post', '/v1/studio/save', wish)).status, 200)
    const byHand = `${textOf('town-van.yaml')}# by hand\n`
    writeFileSync(join(folder, 'town-van.yaml'), byHand)
    const { hash } = await read('town-vans')
    assert.is((await send('post', '/v1/studio/save', wish)).status, 412)
    assert.is((await send('post', '/v1/studio/undo', { doctype: 'Town Van' })).status, 409)
    assert.is(textOf('town-van.yaml'), byHand)
    const both = await Promise.all(
      ['One.', 'Two.'].map((description) =>
        send('post', '/v1/studio/save', {
          ...wish,
          definition: { ...definition, description },
          hash,
        }),
      ),
    )
    assert.equal(
      both.map(({ status }) => status).sort(),
      [200, 412],
      'of two at once one is refused',
    )
  },
)

studio('mistakes are told with their place, and nothing is written', async () => {
  const { definition, hash } = await read('customers')
  const wrong = { ...definition, list: ['customer_name', 'no_such'] }
  const trial = await send('post', '/v1/studio/trial', { doctype: 'Customer', definition: wrong })
  assert.is(trial.body.ok, false)
  const [problem] = trial.body.problems
  assert.equal([problem.file, problem.line], ['customer.yaml', 3])
  assert.match(problem.message, /no_such/)
  const saved = await send('post', '/v1/studio/save', {
    doctype: 'Customer',
    definition: wrong,
    hash,
  })
  assert.is(saved.status, 422)
  assert.not.ok(readdirSync(folder).includes('customer.yaml'))
  const { customer_name: _, ...fields } = definition.fields
  const unsayable = await send('post', '/v1/studio/trial', {
    doctype: 'Customer',
    definition: { ...definition, fields },
  })
  assert.match(unsayable.body.unsayable[0].message, /hide it instead/)
})

studio('fields of a shipped definition stand where they are moved to', async () => {
  const { definition } = await read('customers')
  const names = Object.keys(definition.fields)
  const order = [names[1]!, names[0]!, ...names.slice(3), names[2]!]
  const fields = Object.fromEntries(order.map((name) => [name, definition.fields[name]]))
  const wish = { doctype: 'Customer', definition: { ...definition, fields } }
  const saved = await send('post', '/v1/studio/save', { ...wish, hash: null })
  assert.is(saved.status, 200, JSON.stringify(saved.body))
  assert.equal(Object.keys((await read('customers')).definition.fields), order)
  await send('post', '/v1/studio/undo', { doctype: 'Customer' })
  assert.equal(Object.keys((await read('customers')).definition.fields), names)
})

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
