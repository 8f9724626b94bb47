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

studio.run()
