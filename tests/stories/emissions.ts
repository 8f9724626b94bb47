import supertest from 'supertest'
import * as assert from 'uvu/assert'
import { SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import { eventCatalogue } from '../../engine/schema/catalogue/event-catalogue.ts'
import type { EventEntry } from '../../engine/schema/catalogue/event-entry.ts'
import type { TestDatabase } from '../helpers/databases.ts'
import { dataChecker, type KnownEvent } from '../helpers/event-checks.ts'
import { furnish } from '../helpers/generate-workspace.ts'
import { bearer, openTestApp, type TestApp } from '../server/test-app.ts'

/** An answer as a client sees it. Stories read what they know to be there, so values are not typed. */
// biome-ignore lint/suspicious/noExplicitAny: what a field holds is for the story to say
export type Answer = Readonly<Record<string, any>> & { readonly id: string }

/** Event → what its data has to hold, told from the answer of the request. */
type Expected = Readonly<Record<string, (answer: Answer) => Readonly<Record<string, unknown>>>>

/** A furnished workspace that is spoken to over HTTP alone, and the events that its requests emit. */
export interface Emissions {
  readonly test: TestApp
  readonly entries: ReadonlyMap<string, EventEntry>
  /** Event → the request that first emitted it. */
  readonly emittedBy: ReadonlyMap<string, string>
  /** Event → the keys of its data that `emits` has compared with what was expected. */
  readonly compared: ReadonlyMap<string, readonly string[]>
  /** Sends the request, which has to succeed. A body makes it a POST unless the path says otherwise: `PATCH /…`. */
  send(path: string, body?: object): Promise<Answer>
  /** Creates and submits. */
  make(slug: string, body: object): Promise<Answer>
  /** The draft that an action creates. */
  draftOf(slug: string, id: string, action: string): Promise<Answer>
  /**
   * Sends the request; it has to emit each of these events once, with data that holds what is expected and
   * that the catalogue's schema takes.
   */
  emits(path: string, body: object, expected: Expected): Promise<Answer>
  close(): Promise<void>
}

/** A workspace of tier business with what `svc setup` makes. */
export async function openEmissions(database: TestDatabase): Promise<Emissions> {
  const test = await openTestApp({ database, doctypes: {}, tier: 'business' })
  const { engine, app, keys } = test
  await furnish(engine.context(SYSTEM_ACTOR, 'business'))
  const catalogue = eventCatalogue(engine.services.registry)
  const entries = new Map(catalogue.map((entry) => [entry.event, entry]))
  const problemsOf = dataChecker(catalogue)
  const emittedBy = new Map<string, string>()
  const compared = new Map<string, readonly string[]>()

  async function send(path: string, body: object = {}): Promise<Answer> {
    const [method = '', url = ''] = path.includes(' ') ? path.split(' ') : ['POST', path]
    const verb = method.toLowerCase() as 'post' | 'patch' | 'get'
    const sent = supertest(app)[verb](`/v1/${url}`).set('Authorization', bearer(keys.write))
    const answer = await (verb === 'get' ? sent : sent.send(body))
    assert.ok(answer.ok, `${method} /v1/${url}: ${answer.text}`)
    for (const { event } of await news())
      if (!emittedBy.has(event)) emittedBy.set(event, `${method} /v1/${url}`)
    return answer.body as Answer
  }

  async function get(path: string): Promise<Answer> {
    const answer = await supertest(app).get(`/v1/${path}`).set('Authorization', bearer(keys.read))
    assert.is(answer.status, 200, answer.text)
    return answer.body as Answer
  }

  let latest: readonly KnownEvent[] = []
  let seen: string = (await get('events?limit=1')).data[0].id
  /** What was logged since it was last asked. */
  async function news(): Promise<readonly KnownEvent[]> {
    const { data, next_cursor } = await get(`events?limit=100&after=${seen}`)
    assert.is(next_cursor, undefined, 'one request emits fewer than 100 events')
    latest = data as readonly KnownEvent[]
    seen = latest.at(-1)?.id ?? seen
    return latest
  }

  return {
    test,
    entries,
    emittedBy,
    compared,
    send,
    async make(slug, body) {
      return send(`${slug}/${(await send(slug, body)).id}/submit`)
    },
    async draftOf(slug, id, action) {
      const { _created } = await send(`${slug}/${id}/actions/${action}`)
      return send(`GET ${_created[0].resource}/${_created[0].id}`)
    },
    async emits(path, body, expected) {
      const answer = await send(path, body)
      for (const [event, expect] of Object.entries(expected)) {
        const [one, ...more] = latest.filter((candidate) => candidate.event === event)
        const emitted = latest.map((candidate) => candidate.event).join(', ')
        assert.ok(one && more.length === 0, `${path} emitted ${emitted}`)
        const wanted = expect(answer)
        const told = Object.fromEntries(Object.keys(wanted).map((key) => [key, one.data[key]]))
        assert.equal(told, wanted, event)
        compared.set(event, Object.keys(wanted))
        assert.is(one.data.id, one.record_id)
        assert.equal(problemsOf(event, one.data), [], event)
        for (const key of entries.get(event)!.key_fields)
          assert.ok(Object.hasOwn(one.data, key), `${event} lacks ${key}`)
      }
      return answer
    },
    close: () => test.close(),
  }
}
