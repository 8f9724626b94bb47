import { sql } from 'kysely'
import supertest from 'supertest'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openPostgres } from '../../engine/storage/postgres/postgres.ts'
import { createTestDatabase, type RemovableDatabase } from '../helpers/databases.ts'
import { bearer, openTestApp, type TestApp } from './test-app.ts'

interface Context {
  place: RemovableDatabase
  app: TestApp
}

const test = suite<Context>('a process that serves while another one migrates')

test.before(async (context) => {
  context.place = await createTestDatabase('postgres')
  context.app = await openTestApp({
    database: context.place.database,
    settings: { rateLimit: false },
  })
})

test.after(async ({ app, place }) => {
  await app.close()
  await place.remove()
})

test('answers every request, though the columns it reads have other types now', async ({
  app,
  place,
}) => {
  const migrating = openPostgres({
    url: place.database.kind === 'postgres' ? place.database.url : '',
    poolSize: 1,
  })
  const send = (method: 'get' | 'post' | 'patch' | 'delete', path: string, body?: object) =>
    supertest(app.app)
      [method](`/v1/gadgets${path}`)
      .set('Authorization', bearer(app.keys.admin))
      .send(body)
  const status = async (...request: Parameters<typeof send>): Promise<number> =>
    (await send(...request)).status
  /** As a client does all day; some at once, so that several connections hold the statements. */
  const day = async (name: string): Promise<void> => {
    const codes = [1, 2, 3].map((n) => `${name}${n}`)
    const each = (work: (code: string) => Promise<number>) => Promise.all(codes.map(work))
    assert.equal(
      await each((code) => status('post', '', { code, title: code, kind: 'Tool' })),
      [201, 201, 201],
    )
    assert.equal(await each((code) => status('get', `/${code}`)), [200, 200, 200])
    assert.equal(
      await each((code) => status('patch', `/${code}`, { title: 'New' })),
      [200, 200, 200],
    )
    assert.equal(await each(() => status('get', '?kind=Tool&limit=2')), [200, 200, 200])
    assert.equal(await each((code) => status('delete', `/${code}`)), [204, 204, 204])
  }
  for (const name of ['A', 'B', 'C']) await day(name)
  for (const type of ['varchar(500)', 'text', 'varchar(600)']) {
    await sql`alter table gadgets alter column title type ${sql.raw(type)}`.execute(migrating.read)
    await sql`alter table svc_settings alter column value type ${sql.raw(type)}`.execute(
      migrating.read,
    )
    await day(`D-${type.slice(-4, -1)}-`)
    await day(`E-${type.slice(-4, -1)}-`)
  }
  await migrating.close()
})

test.run()
