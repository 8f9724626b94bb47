import type { AddressInfo } from 'node:net'
import * as assert from 'uvu/assert'
import { AppError, type ErrorCode } from '../../engine/base/errors.ts'
import { standardFields } from '../../engine/definition/model/standard-fields.ts'
import type { Explanation } from '../../engine/documents/explain/explanation.ts'
import { publicFields } from '../../engine/fields/public-fields.ts'
import { assertReportsAgree } from '../helpers/books-agree.ts'
import type { TestDatabase } from '../helpers/databases.ts'
import { bearer, openTestApp } from '../server/test-app.ts'
import { provenAtClose } from './proven.ts'
import { booksOf, differencesOf, FURNITURE, type Shown, type Story, tickOf } from './story.ts'

/**
 * The same story told over HTTP alone: every call is a request to a server that listens, by a key of scope admin.
 * What is refused throws what the answer says. `doctypes` are those of a folder of its own: the name of a file → its text. Only `tick` and `differences` are what the command line does.
 */
export async function openHttpStory(
  database: TestDatabase,
  doctypes: Readonly<Record<string, string>> = {},
): Promise<Story> {
  const clock = {
    time: Date.parse('2026-03-09T12:00:00.000Z'),
    now: () => clock.time,
    advance(milliseconds: number) {
      clock.time += milliseconds
    },
  }
  const test = await openTestApp({
    database,
    furniture: FURNITURE,
    doctypes,
    tier: 'business',
    clock,
    settings: { rateLimit: false },
  })
  const { engine } = test
  const server = test.app.listen(0, '127.0.0.1')
  // Server and client have one thread: after 5 s of work a connection would be closed as it is used again.
  server.keepAliveTimeout = 60_000
  await new Promise((resolve) => server.once('listening', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const headers = { authorization: bearer(test.keys.admin), 'content-type': 'application/json' }

  async function send(method: string, path: string, body?: object): Promise<Shown> {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await fetch(`${origin}/${path}`, { method, headers, ...sent })
    const told = (await answer.json()) as Shown
    if (answer.ok) return told
    const { code, message, details, linked } = told.error
    throw new AppError(code as ErrorCode, message, { details, linked })
  }

  function slugOf(doctype: string): string {
    const found = engine.services.registry.byDoctype(doctype)
    assert.ok(found, `no DocType ${doctype}`)
    return found.slug
  }

  const recordPath = (doctype: string, id: string): string =>
    `${slugOf(doctype)}/${encodeURIComponent(id)}`

  /** All pages of a list, oldest first. */
  async function list(path: string, query: Readonly<Record<string, string>>): Promise<Shown[]> {
    const rows: Shown[] = []
    let cursor: string | undefined = ''
    while (cursor !== undefined) {
      const parameters = new URLSearchParams({ ...query, limit: '100', cursor })
      const page = await send('GET', `${path}?${parameters}`)
      rows.push(...page.data)
      cursor = page.next_cursor ?? undefined
    }
    return rows
  }

  const create = (doctype: string, body: object): Promise<Shown> =>
    send('POST', slugOf(doctype), body)
  const get = (doctype: string, id: string): Promise<Shown> => send('GET', recordPath(doctype, id))
  const submit = (doctype: string, id: string): Promise<Shown> =>
    send('POST', `${recordPath(doctype, id)}/submit`, {})
  const act: Story['act'] = (doctype, id, action, input = {}) =>
    send('POST', `${recordPath(doctype, id)}/actions/${action}`, input)
  const all: Story['all'] = (doctype, where = {}) => {
    const definition = engine.services.registry.byDoctype(doctype)!
    const fields = [...standardFields(definition), ...publicFields(definition)]
    const scalars = fields.filter(({ child }) => !child).map(({ name }) => name)
    const query = { ...where, fields: scalars.join(','), sort: 'created', order: 'asc' }
    return list(slugOf(doctype), query)
  }

  return provenAtClose({
    engine,
    clock,
    create,
    get,
    submit,
    act,
    all,
    async make(doctype, body) {
      return submit(doctype, (await create(doctype, body)).id)
    },
    update: (doctype, id, body) => send('PATCH', recordPath(doctype, id), body),
    revise: (doctype, id, body) =>
      send('POST', `${recordPath(doctype, id)}/update-submitted`, body),
    cancel: (doctype, id) => send('POST', `${recordPath(doctype, id)}/cancel`, {}),
    amend: (doctype, id) => send('POST', `${recordPath(doctype, id)}/amend`, {}),
    async remove(doctype, id) {
      await send('DELETE', recordPath(doctype, id))
    },
    async draftOf(doctype, id, action, input) {
      const { _created } = await act(doctype, id, action, input)
      assert.is(_created.length, 1, `${action} creates one record`)
      return get(_created[0].doctype, _created[0].id)
    },
    books: (...vouchers) => booksOf(all, vouchers),
    async explain(doctype, id, field, query = {}) {
      const path = `${recordPath(doctype, id)}/explain/${encodeURIComponent(field)}`
      const told: unknown = await send('GET', `${path}?${new URLSearchParams(query)}`)
      return told as Explanation
    },
    async events(id) {
      const rows = await list('events', { record_id: id, order: 'asc' })
      return rows.map(({ kind }) => String(kind))
    },
    tick: () => tickOf(engine),
    differences: () => differencesOf(engine),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
      try {
        await assertReportsAgree(engine)
      } finally {
        await test.close()
      }
    },
  })
}
