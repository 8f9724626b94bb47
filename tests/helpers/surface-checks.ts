import supertest from 'supertest'
import * as assert from 'uvu/assert'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { isKeptByEngine } from '../../engine/definition/model/kept.ts'
import type { Field } from '../../engine/fields/field.ts'
import type { Engine } from '../../engine/index.ts'
import { ownersOf } from '../../server/auth/people.ts'
import { recordFormat } from '../../server/export/format.ts'
import { selectionOf } from '../../server/export/selection.ts'
import { Dispatcher } from '../../webhooks/dispatcher.ts'
import { createSender } from '../../webhooks/sending/send.ts'
import { connectTools, serveRecorded, type ToolClient } from '../mcp/tool-client.ts'
import { appOver, type TestApp } from '../server/test-app.ts'
import { steadyBackoff } from '../webhooks/webhook-app.ts'
import { answers } from './receivers.ts'

/** Waits of 20 ms for deliveries: a minute, which a busy machine may need. */
const MOST_WAITS = 3000

type Json = Readonly<Record<string, unknown>>

/**
 * Asserts that no surface shows the name of an internal field in any record there is: lists, GET, what the tool server
 * answers, surface A, exports, and what a real receiver of webhooks is sent. Answers the DocTypes that had a record.
 */
export async function assertNothingInternal(
  engine: Engine,
  { secretKey, clock }: Pick<TestApp, 'secretKey' | 'clock'>,
): Promise<{ readonly shown: ReadonlySet<string>; readonly told: ReadonlySet<string> }> {
  await engine.setTier(engine.services.plans.plans.at(-1)!.slug)
  const app = await appOver(engine, { secretKey, clock, settings: { rateLimit: false } })
  const server = await serveRecorded(app)
  const tool = await connectTools({
    SVC_API_KEY: app.keys.admin,
    SVC_API_BASE: `${server.url}/v1/`,
  })
  const shown = new Set<string>()
  try {
    for (const definition of engine.services.registry.all)
      if (await showAll(app, tool, definition)) shown.add(definition.slug)
    return { shown, told: await showTold(app) }
  } finally {
    await tool.close()
    await server.close()
  }
}

/** A record of the DocType on each surface that answers one; false where there is none. */
async function showAll(
  app: TestApp,
  tool: ToolClient,
  definition: DocTypeDefinition,
): Promise<boolean> {
  const { slug, doctype } = definition
  const get = async (path: string): Promise<Json> => {
    const { status, body, text } = await supertest(app.app)
      .get(path)
      .set('X-API-Key', app.keys.admin)
    assert.is(status, 200, `${path}: ${text}`)
    return body as Json
  }
  const fields = encodeURIComponent('["*"]')
  const listed = await get(`/v1/${slug}?limit=1`)
  const [first] = listed.data as Json[]
  if (!first) return false
  const id = encodeURIComponent(String(first.id))
  const record = await get(`/v1/${slug}/${id}`)
  const named = await tool.call('get_record', { resource: slug, id: first.id })
  const found = await tool.call('list_records', { resource: slug, limit: 1 })
  const ofFrappe = await get(`/api/resource/${encodeURIComponent(doctype)}/${id}`)
  const listOfFrappe = await get(
    `/api/resource/${encodeURIComponent(doctype)}?fields=${fields}&limit_page_length=1`,
  )
  const selection = selectionOf(definition, undefined)
  const exported = recordFormat('jsonl', selection).record(record, 0)
  for (const [surface, one] of [
    ['a list', first],
    ['GET', record],
    ['get_record', named.structuredContent],
    ['list_records', (found.structuredContent.data as Json[])[0]],
    ['surface A', ofFrappe.data],
    ['a list of surface A', (listOfFrappe.data as Json[])[0]],
    ['an export', JSON.parse(exported)],
  ] as const)
    assertPublic(definition, one, surface)
  const { head } = recordFormat('csv', selection)
  const columns = head.trim().split(',')
  const hidden = [
    ...internalOf(definition.fields),
    ...definition.fields.flatMap(({ name, child }) =>
      internalOf(child?.fields ?? []).map((column) => `${name}.${column}`),
    ),
  ]
  assert.equal(
    hidden.filter((name) => columns.includes(name)),
    [],
    `a CSV of ${doctype}`,
  )
  return true
}

const internalOf = (fields: readonly Field[]): string[] =>
  fields.filter(({ internal }) => internal).map(({ name }) => name)

/** Sends every event so far to a real receiver, and looks into what came; answers the resources it was told of. */
async function showTold({
  app,
  engine,
  keys,
  secretKey,
  clock,
}: TestApp): Promise<ReadonlySet<string>> {
  const receiver = await answers(204)
  const worker = new Dispatcher({
    engine,
    secretKey,
    sender: createSender({ policy: { loopback: true, private: false, ownPorts: [] } }),
    findOwner: ownersOf(engine.services),
    backoff: steadyBackoff(),
    logger: { warn: () => undefined, error: () => undefined, info: () => undefined },
  })
  try {
    const post = (path: string, body: object) =>
      supertest(app).post(path).set('X-API-Key', keys.admin).send(body)
    const events = engine.services.registry.all
      .filter((definition) => !isKeptByEngine(definition))
      .map(({ slug }) => `${slug}.created`)
    const made = await post('/v1/webhooks', { url: receiver.url, events })
    assert.is(made.status, 201, made.text)
    const since = '2000-01-01T00:00:00Z'
    const asked = await post(`/v1/webhooks/${made.body.id}/recover`, { since })
    assert.ok(asked.status < 300, asked.text)
    const wanted = Number(asked.body.queued)
    for (let waits = 0; receiver.requests().length < wanted; waits += 1) {
      assert.ok(waits < MOST_WAITS, `${receiver.requests().length} of ${wanted} deliveries came`)
      // What a busy machine let run into the time-out is due again tomorrow.
      if (waits % 50 === 49) clock.advance(86_400_000)
      await new Promise((done) => setTimeout(done, 20))
    }
    const told = new Set<string>()
    for (const { body } of receiver.requests()) {
      const { resource, data } = JSON.parse(body) as { resource: string; data: Json }
      const definition = engine.services.registry.bySlug(resource)
      if (!definition) continue
      told.add(resource)
      assertPublic(definition, data, 'a webhook')
    }
    return told
  } finally {
    await worker.stop(1000)
    await receiver.close()
  }
}

/** Fails where a record, or a row of it, has a key that is an internal field, and none of anything public there. */
function assertPublic(
  { doctype, fields, behaviour }: DocTypeDefinition,
  shown: unknown,
  surface: string,
): void {
  assert.ok(typeof shown === 'object' && shown !== null, `${surface} of ${doctype}`)
  const record = shown as Json
  // An event may say more than the record does, under a name of its own.
  const added = Object.values(behaviour.events ?? {}).flatMap(({ data = [] }) =>
    Array.isArray(data) ? [] : Object.keys(data),
  )
  const told = internalOf(fields).filter((name) => name in record && !added.includes(name))
  assert.equal(told, [], `${surface} of ${doctype}`)
  for (const { name, child } of fields) {
    const rows = record[name]
    if (!child || !Array.isArray(rows)) continue
    const hidden = internalOf(child.fields)
    for (const row of rows as readonly Json[])
      assert.equal(
        hidden.filter((column) => column in row),
        [],
        `${surface} of ${doctype}.${name}`,
      )
  }
}
