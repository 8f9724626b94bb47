import supertest from 'supertest'
import * as assert from 'uvu/assert'
import { SYSTEM_ACTOR } from '../engine/access/actor.ts'
import type { DocTypeDefinition } from '../engine/definition/model/definition.ts'
import { isKeptByEngine } from '../engine/definition/model/kept.ts'
import { fieldType } from '../engine/fields/index.ts'
import { isWritable } from '../engine/schema/shapes/json-schema.ts'
import { forEachDatabaseWhenDeep } from './helpers/databases.ts'
import type { Generator } from './helpers/generate.ts'
import { furnish, shippedGenerator } from './helpers/generate-workspace.ts'
import { randomOf, seedsOf } from './helpers/random.ts'
import { bearer, openTestApp, type TestApp } from './server/test-app.ts'

const SEEDS = seedsOf(import.meta.filename, [1])

const hasTable = ({ fields }: DocTypeDefinition): boolean => fields.some(({ child }) => child)
/** Whatever it says: a posting that hangs on a condition may be left out. */
const posts = ({ behaviour }: DocTypeDefinition): boolean =>
  (behaviour.effects?.submit ?? []).some(
    (step) => 'post' in step && step.if === undefined && step.rows.some((row) => !row.if),
  )
const hasLinkedRows = ({ fields }: DocTypeDefinition): boolean =>
  fields.some(({ child }) => child?.fields.some((field) => field.link || field.linkFrom))

/** Shapes of DocTypes; the first shipped one of each speaks for the others, which the operations cover. */
const SHAPES: Readonly<Record<string, (definition: DocTypeDefinition) => boolean>> = {
  'a plain master in a series': (definition) =>
    definition.naming.kind === 'series' && !definition.submittable && !hasTable(definition),
  'a master named by its field': (definition) =>
    definition.naming.kind === 'field' && !hasTable(definition),
  'a master whose rows link': (definition) => !definition.submittable && hasLinkedRows(definition),
  'a submittable without tables': (definition) => definition.submittable && !hasTable(definition),
  'a submittable with tables': (definition) =>
    definition.submittable && hasTable(definition) && !posts(definition),
  'a document that posts to a ledger': posts,
}

for (const seed of SEEDS)
  forEachDatabaseWhenDeep(`over HTTP (seed ${seed})`, ({ test, create }) => {
    let app: TestApp
    let made: Generator
    test.before(async () => {
      app = await openTestApp({
        database: await create(),
        doctypes: {},
        settings: { rateLimit: false },
      })
      const { engine } = app
      await engine.setTier(engine.services.plans.plans.at(-1)!.slug)
      const context = engine.context(SYSTEM_ACTOR, await engine.tier())
      await furnish(context)
      made = shippedGenerator(context, randomOf(seed))
    })
    test.after(() => app.close())

    const send = (method: string, path: string, body?: object): supertest.Test => {
      const agent = supertest(app.app) as unknown as Record<
        string,
        (path: string) => supertest.Test
      >
      const request = agent[method]!(path).set('Authorization', bearer(app.keys.admin))
      return body ? request.send(body) : request
    }

    for (const [shape, matches] of Object.entries(SHAPES)) {
      test(`${shape} is created, read, listed, filtered, found, changed and deleted`, async () => {
        const { engine } = app
        const written = engine.services.registry.all.filter((one) => !isKeptByEngine(one))
        const definition = written.find(matches)
        assert.ok(definition, 'no shipped DocType has this shape')
        const path = `/v1/${definition.slug}`

        const created = await send('post', path, await made.body(definition))
        assert.is(created.status, 201, created.text)
        const id: string = created.body.id
        const self = `${path}/${encodeURIComponent(id)}`
        assert.is(created.headers.location, self)
        assert.is((await send('get', self)).text, created.text)
        for (const parameters of [
          `id=${encodeURIComponent(id)}`,
          `name__in=${encodeURIComponent(id)}&cursor=`,
          `id=${encodeURIComponent(id)}&sort=created&order=asc&offset=0`,
        ]) {
          const { status, body, text } = await send('get', `${path}?${parameters}`)
          assert.is(status, 200, text)
          assert.equal([body.data.length, body.data[0].id], [1, id], parameters)
        }
        await assertFilters(definition, path, created.body)

        const patched = await send('patch', self, change(definition, created.body))
        assert.is(patched.status, 200, patched.text)
        assert.is.not(patched.headers.etag, created.headers.etag)
        assert.is((await send('patch', self, { name: 'x' })).status, 422)
        await assertStates(definition, self)
        if (posts(definition)) {
          const kept = await send('delete', self)
          assert.is(kept.status, 409, 'what was posted can be followed back to it')
          return
        }
        assert.is((await send('delete', self)).status, 204)
        assert.is((await send('get', self)).status, 404)
      })
    }

    test('ledgers and balances are listed, read, filtered and found, and never written', async () => {
      const kept = app.engine.services.registry.all.filter(isKeptByEngine)
      let count = 0
      for (const definition of kept) {
        const path = `/v1/${definition.slug}`
        const { body } = await send('get', `${path}?limit=1&sort=created&order=asc`)
        // The tests every-doctype-* ask all of them.
        if (body.data.length === 0) continue
        count += 1
        const self = `${path}/${encodeURIComponent(body.data[0].id)}`
        const shown = await send('get', self)
        assert.is(shown.status, 200, shown.text)
        const found = await send('get', `${path}?id=${encodeURIComponent(shown.body.id)}`)
        assert.is(found.body.meta.total, 1)
        await assertFilters(definition, `${path}`, shown.body)
        for (const [method, to] of [
          ['post', path],
          ['patch', self],
          ['delete', self],
        ] as const) {
          const refused = await send(method, to, method === 'delete' ? undefined : {})
          assert.equal([method, refused.status], [method, 403], refused.text)
        }
        assert.is((await send('get', self)).text, shown.text)
      }
      assert.ok(count >= 3, `${count} of them have records`)
    })

    async function assertFilters(
      { fields, slug }: DocTypeDefinition,
      path: string,
      record: Record<string, unknown>,
    ): Promise<void> {
      for (const field of fields) {
        const value = record[field.name]
        if (!field.filterable || value === null) continue
        const text = encodeURIComponent(String(value))
        const found = await send('get', `${path}?${field.name}=${text}&limit=100`)
        assert.is(found.status, 200, found.text)
        const ids = found.body.data.map(({ id }: { id: string }) => id)
        assert.ok(ids.includes(record.id), `${slug}?${field.name}=${text}`)
      }
    }

    /** Submitted, cancelled and amended where it can be, else refused with 422. */
    async function assertStates({ submittable }: DocTypeDefinition, self: string): Promise<void> {
      if (!submittable) {
        for (const verb of ['submit', 'cancel', 'amend'])
          assert.is((await send('post', `${self}/${verb}`)).status, 422, verb)
        return
      }
      assert.is((await send('post', `${self}/cancel`)).status, 409)
      const submitted = await send('post', `${self}/submit`)
      assert.equal([submitted.status, submitted.body.docstatus], [200, 1], submitted.text)
      assert.is((await send('post', `${self}/submit`)).status, 409)
      assert.is((await send('patch', self, {})).status, 409)
      assert.is((await send('delete', self)).status, 409)
      const cancelled = await send('post', `${self}/cancel`)
      assert.equal([cancelled.status, cancelled.body.docstatus], [200, 2], cancelled.text)
      const amended = await send('post', `${self}/amend`)
      assert.equal([amended.status, amended.body.docstatus], [201, 0], amended.text)
      const blocked = await send('delete', self)
      assert.is(blocked.status, 409)
      const linked = blocked.body.error.linked as { id: string }[]
      assert.ok(linked.some(({ id }) => id === amended.body.id))
      assert.is((await send('delete', amended.headers.location ?? '')).status, 204)
    }
  })

/** Another text in a field that no rule is likely to read, else the first switch turned over. */
function change({ fields }: DocTypeDefinition, record: Record<string, unknown>): object {
  const possible = fields.filter((one) => isWritable(one, 'update') && !one.link && !one.linkFrom)
  const text = possible.find(
    ({ type, options, unique }) => fieldType(type).kind === 'str' && !options && !unique,
  )
  if (text) return { [text.name]: fieldType(text.type).example(text, 9_999) }
  const field = possible.find(({ type }) => fieldType(type).kind === 'bool')
  return field ? { [field.name]: record[field.name] !== true } : {}
}
