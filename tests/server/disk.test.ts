import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import supertest, { type Response } from 'supertest'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Db } from '../../engine/storage/database/database.ts'
import { openTestApp, type TestApp } from './test-app.ts'

/*
 * A disk that is full or may only be read, as SQLite tells of it: pages that the file may not get, and a connection that
 * may not write. tests/cli/disk.deep.test.ts does the same with real disks.
 */

const disk = suite('a disk that takes nothing more')

let app: TestApp

disk.before(async () => {
  app = await openTestApp({ settings: { rateLimit: false } })
  await app.engine.services.database.write(async (tx) => {
    writer = tx
  })
})
disk.after(() => app.close())

/** The connection that writes, outside of any write: to change the disk that it sees. */
let writer: Db

let made = 0

function create(): Promise<Response> {
  made += 1
  return supertest(app.app)
    .post('/v1/gadgets')
    .set('X-API-Key', app.keys.write)
    .send({ code: `G-${made}`, title: 'x'.repeat(140) })
    .then((answer) => answer)
}

async function get(path: string): Promise<Response> {
  return supertest(app.app).get(path).set('X-API-Key', app.keys.read)
}

async function untilReady(): Promise<void> {
  while ((await get('/readyz')).body.status !== 'ready') await sleep(50)
}

disk(
  'that is full: reads go on, writes are refused in words, and it is over by itself',
  async () => {
    const { read } = app.engine.services.database
    const { rows } = await sql<{
      pages: bigint
    }>`select page_count as pages from pragma_page_count`.execute(read)
    const limit = Number(rows[0]?.pages) + 4
    await sql`pragma max_page_count = ${sql.lit(limit)}`.execute(writer)
    let answer = await create()
    let before = 0
    for (; answer.status === 201; answer = await create()) before += 1
    assert.is(answer.status, 503)
    assert.is(answer.body.error.code, 'UNAVAILABLE')
    assert.match(
      answer.body.error.message,
      /^the disk of this workspace is full, so nothing can be changed now; reading/,
    )
    assert.is(answer.headers['retry-after'], '10')

    const list = await get('/v1/gadgets?limit=1')
    assert.is(list.status, 200)
    assert.is(list.body.meta.total, before)
    const state = await get('/readyz')
    assert.is(state.status, 200)
    assert.is(state.body.status, 'degraded')
    assert.match(state.body.reason, /full: it can be read, not changed/)
    assert.ok(Date.parse(state.body.since) > 0)

    const refused = await Promise.all(Array.from({ length: 100 }, create))
    assert.ok(refused.every(({ status }) => status === 503))
    const told = app
      .logged()
      .split('\n')
      .filter((line) => line.includes('disk of this workspace'))
    assert.ok(told.length <= 4, `${told.length} lines of ${refused.length} refusals`)

    await sql`pragma max_page_count = ${sql.lit(limit + 10_000)}`.execute(writer)
    await untilReady()
    assert.is((await create()).status, 201)
    assert.is((await get('/v1/gadgets?limit=1')).body.meta.total, before + 1)
  },
)

disk('that may only be read: the same, in its own words', async () => {
  await sql`pragma query_only = on`.execute(writer)
  const answer = await create()
  assert.is(answer.status, 503)
  assert.match(answer.body.error.message, /^the disk of this workspace may only be read/)
  assert.is((await get('/v1/gadgets?limit=1')).status, 200)
  assert.match((await get('/readyz')).body.reason, /may only be read/)
  await sql`pragma query_only = off`.execute(writer)
  await untilReady()
  assert.is((await create()).status, 201)
})

disk.run()
