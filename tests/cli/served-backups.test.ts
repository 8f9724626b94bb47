import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createTestDatabase, type TestDatabaseKind } from '../helpers/databases.ts'
import { prepareStarted } from '../helpers/prepared-start.ts'
import { runHere } from './in-process.ts'
import { eventually, type Folder, type Served, serve, temporaryFolder } from './process.ts'

interface State {
  readonly data: readonly { readonly id: string; readonly bytes: number }[]
  readonly making: boolean
  readonly problem: string | null
}

interface Made {
  readonly key: string
}

interface Found {
  readonly kind: string
  readonly rows: number
  readonly files: number
  readonly command: readonly string[]
}

const SECRET = Buffer.alloc(32, 7).toString('base64')

for (const kind of ['sqlite', 'postgres'] as const) served(kind)

/** Backups that a server makes of what it serves. */
function served(kind: TestDatabaseKind): void {
  const test = suite(`backups of a server on ${kind}`)
  let folder: Folder
  let data: string
  let server: Served
  let key: string
  let created: Awaited<ReturnType<typeof createTestDatabase>>
  let env: Readonly<Record<string, string>>

  test.before(async () => {
    folder = temporaryFolder()
    data = join(folder.path, 'data')
    created = await createTestDatabase(kind)
    const { database } = created
    const place = database.kind === 'postgres' ? database : undefined
    await prepareStarted(data, place)
    env = {
      SVC_SECRET_KEY: SECRET,
      ...(place ? { SVC_DATABASE_URL: place.url } : {}),
    }
    server = await serve(data, ['--durability', 'normal'], env)
    key = JSON.parse(readFileSync(join(data, 'first-run.json'), 'utf8')).admin_key
  })
  test.after(async () => {
    await server.end()
    await created.remove()
    folder.remove()
  })

  const ask = (method: string, path: string, bearer = key, body?: object): Promise<Response> =>
    fetch(`${server.url}/v1/${path}`, {
      method,
      headers: { Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
  const state = async (): Promise<State> => (await ask('GET', 'backups')).json() as Promise<State>

  test('are made beside it, read whole, sent, restored elsewhere, and taken away', async () => {
    await ask('POST', 'customers', key, { customer_name: 'Kept by a backup' })
    assert.equal(await state(), { data: [], making: false, problem: null })
    const begun = await ask('POST', 'backups')
    assert.is(begun.status, 202)
    assert.is(((await begun.json()) as State).making, true)
    assert.is((await ask('POST', 'backups')).status, 409, 'one at a time')
    await eventually(async () => !(await state()).making)
    const { data: all, problem } = await state()
    assert.is(problem, null)
    assert.is(all.length, 1)
    const [{ id, bytes }] = all as [State['data'][number]]
    const looked = await ask('GET', `backups/${id}`)
    const found = (await looked.json()) as Found
    assert.is(looked.status, 200, JSON.stringify(found))
    assert.equal([found.kind, found.files], [kind, 0])
    assert.ok(found.rows > 500, String(found.rows))
    assert.ok(found.command.includes('--force'))

    const sent = await ask('GET', `backups/${id}/file`)
    const content = Buffer.from(await sent.arrayBuffer())
    assert.equal([sent.status, content.length], [200, bytes])
    assert.match(sent.headers.get('content-disposition') ?? '', `attachment; filename="${id}"`)
    const brought = join(folder.path, 'brought.backup')
    writeFileSync(brought, content)
    if (kind === 'sqlite') {
      const elsewhere = join(folder.path, 'elsewhere')
      const restored = await runHere(['restore', brought, '--data', elsewhere], env)
      assert.is(restored.code, 0, restored.stderr)
      const told = await runHere(['export', 'customers', '--data', elsewhere], env)
      assert.match(told.stdout, 'Kept by a backup')
    }

    // One that was cut off is told so, and nothing of it is believed.
    truncateSync(join(data, 'backups', id), Math.floor(bytes / 2))
    const broken = await ask('GET', `backups/${id}`)
    assert.is(broken.status, 409)
    assert.is((await ask('DELETE', `backups/${id}`)).status, 204)
    assert.is((await ask('GET', `backups/${id}`)).status, 404)
    assert.equal((await state()).data, [])
  })

  test('are for who looks after the workspace alone, and reach no other file', async () => {
    const scoped = async (scope: string): Promise<string> =>
      ((await (await ask('POST', 'api-keys', key, { scope, label: scope })).json()) as Made).key
    await ask('POST', 'users', key, {
      email: 'sam@example.com',
      full_name: 'Sam',
      roles: [{ role: 'Accounts Manager' }],
    })
    const low = [await scoped('read'), await scoped('draft'), await scoped('write')]
    for (const bearer of low)
      for (const [method, path] of [
        ['GET', 'backups'],
        ['POST', 'backups'],
        ['GET', 'backups/workspace-20260101T000000000.backup/file'],
        ['DELETE', 'backups/workspace-20260101T000000000.backup'],
      ] as const)
        assert.is((await ask(method, path, bearer)).status, 403, `${method} ${path}`)
    for (const id of ['..%2Ffirst-run.json', 'first-run.json', '..', 'workspace-1.backup', 'a%00b'])
      for (const path of [`backups/${id}`, `backups/${id}/file`])
        assert.ok([400, 404].includes((await ask('GET', path)).status), path)
    assert.ok(readdirSync(data).includes('first-run.json'))
  })

  test.run()
}
