import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import request from 'supertest'
import * as assert from 'uvu/assert'
import { openEngine } from '../../../engine/index.ts'
import { hooks } from '../../../hooks/index.ts'
import { watchDefinitions } from '../../../server/observe/definition-watch.ts'
import { forEachDatabaseWhenDeep, type TestDatabase } from '../../helpers/databases.ts'
import { isDeepRun } from '../../helpers/random.ts'
import { bearer, openTestApp, type TestApp } from '../test-app.ts'

type Body = request.Response['body']

forEachDatabaseWhenDeep('Studio over the API', ({ test: studio, kind, create }) => {
  let test: TestApp
  let database: TestDatabase
  let folder: string
  studio.before(async () => {
    database = await create()
    test = await openTestApp({ database })
    folder = test.ownFolder
  })
  studio.after(() => test.close())

  const send = async (
    method: 'get' | 'post',
    path: string,
    body?: object,
    key = test.keys.admin,
  ) => {
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

  studio(
    'a field is added to a shipped definition by an overlay, is there at once, and goes by an undo',
    async () => {
      const before = await read('customers')
      assert.is(before.kind, 'overlay')
      assert.is(before.hash, null)
      const definition = {
        ...before.definition,
        fields: {
          ...before.definition.fields,
          loyalty_level: { type: 'select', options: ['Bronze', 'Gold'], filterable: true },
        },
      }
      const wish = { doctype: 'Customer', definition }
      const trial = await send('post', '/v1/studio/trial', wish)
      assert.is(trial.status, 200, JSON.stringify(trial.body))
      assert.is(trial.body.ok, true, JSON.stringify(trial.body.problems))
      assert.is(
        trial.body.text,
        'doctype: Customer\nextend: true\nfields:\n  loyalty_level: {type: select, options: [Bronze, Gold], filterable: true}\n',
      )
      assert.ok(
        trial.body.migration.steps.some(({ sentence }: Body) => /loyalty_level/.test(sentence)),
      )
      assert.not.ok(existsSync(join(folder, 'customer.yaml')))
      const saved = await send('post', '/v1/studio/save', { ...wish, hash: before.hash })
      assert.is(saved.status, 200, JSON.stringify(saved.body))
      assert.is(saved.body.file, 'customer.yaml')
      assert.is(textOf('customer.yaml'), trial.body.text)
      const made = await send('post', '/v1/customers', {
        customer_name: 'Ann',
        loyalty_level: 'Gold',
      })
      assert.is(made.body.loyalty_level, 'Gold', JSON.stringify(made.body))

      const stale = await send('post', '/v1/studio/save', { ...wish, hash: before.hash })
      assert.is(stale.status, 412)
      const undone = await send('post', '/v1/studio/undo', { doctype: 'Customer' })
      assert.is(undone.status, 200, JSON.stringify(undone.body))
      assert.not.ok(existsSync(join(folder, 'customer.yaml')))
      const shown = await send('get', `/v1/customers/${made.body.id}`)
      assert.is('loyalty_level' in shown.body, false)
      assert.is((await send('post', '/v1/studio/undo', { doctype: 'Customer' })).status, 409)
    },
  )

  if (kind === 'postgres')
    studio('another process that reads the same folder follows a save by itself', async () => {
      const beside = await openEngine({
        database,
        doctypes: test.engine.services.folders,
        hooks,
        secretKey: test.secretKey,
        migration: { when: 'never' },
      })
      const quiet = { info: () => undefined, warn: () => undefined }
      const watch = watchDefinitions(beside, quiet as Parameters<typeof watchDefinitions>[1])
      try {
        const { definition, hash } = await read('leads')
        const fields = { ...definition.fields, hat_size: { type: 'int' } }
        const wish = { doctype: 'Lead', definition: { ...definition, fields }, hash }
        assert.is((await send('post', '/v1/studio/save', wish)).status, 200)
        assert.ok(await beside.newer(), 'it is behind')
        await watch.look()
        assert.is(await beside.newer(), undefined)
        const lead = beside.services.registry.byDoctype('Lead')
        assert.ok(lead?.fields.some(({ name }) => name === 'hat_size'))
      } finally {
        watch.stop()
        await beside.close()
      }
    })

  // What differs between the databases is seen above; this takes half a minute.
  if (kind === 'postgres' || !isDeepRun()) return

  studio('a new DocType is made with its module, and asks before a field of it goes', async () => {
    const definition = {
      module: 'hire',
      tier: 'free',
      naming: 'BIKE-{###}',
      fields: { frame: { type: 'data', required: true }, gears: { type: 'int' } },
    }
    const wish = { doctype: 'Hire Bike', definition, module_label: 'Hire' }
    const trial = await send('post', '/v1/studio/trial', wish)
    assert.is(trial.body.ok, true, JSON.stringify(trial.body))
    assert.is(trial.body.slug, 'hire-bikes')
    const saved = await send('post', '/v1/studio/save', { ...wish, hash: null })
    assert.is(saved.status, 200, JSON.stringify(saved.body))
    assert.is(textOf('modules.yaml'), 'modules:\n  hire: Hire\n')
    const made = await send('post', '/v1/hire-bikes', { frame: 'T-1', gears: 21 })
    assert.is(made.body.id, 'BIKE-001')

    const opened = await read('hire-bikes')
    assert.is(opened.kind, 'own')
    const less = { ...opened.definition, fields: { frame: opened.definition.fields.frame } }
    const shorter = { doctype: 'Hire Bike', definition: less, hash: opened.hash }
    const refused = await send('post', '/v1/studio/save', shorter)
    assert.is(refused.status, 409)
    assert.match(refused.body.error.message, /^gears goes/)
    const agreed = await send('post', '/v1/studio/save', { ...shorter, accept_losses: true })
    assert.is(agreed.status, 200, JSON.stringify(agreed.body))
    await send('post', '/v1/studio/undo', { doctype: 'Hire Bike' })
    const back = await send('get', '/v1/hire-bikes/BIKE-001')
    assert.is(back.body.gears, 21, 'the values come back with the field')
  })
})
