import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { BackupFound, BackupsState } from '../../server/backup/backup-routes.ts'
import { createTestDatabase, type TestDatabaseKind } from '../helpers/databases.ts'
import { prepareStarted } from '../helpers/prepared-start.ts'
import { runHere } from './in-process.ts'
import { eventually, type Folder, type Served, serve, svc, temporaryFolder } from './process.ts'

const SECRET = Buffer.alloc(32, 7).toString('base64')

/** A definition that no program opens. */
const BROKEN = 'doctype: Broken\nmodule: nowhere\nfields: 7\n'

for (const kind of ['sqlite', 'postgres'] as const) served(kind)

/** Backups that a server makes of what it serves, and restores. */
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
    server = await start()
    key = JSON.parse(readFileSync(join(data, 'first-run.json'), 'utf8')).admin_key
  })
  test.after(async () => {
    await server.end()
    await created.remove()
    folder.remove()
  })

  const start = (): Promise<Served> => serve(data, ['--durability', 'normal'], env)
  const ask = (method: string, path: string, body?: object): Promise<Response> =>
    fetch(`${server.url}/v1/${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
  const state = async (): Promise<BackupsState> =>
    (await ask('GET', 'backups')).json() as Promise<BackupsState>
  const newest = async (): Promise<string> => (await state()).data[0]?.id ?? ''
  const add = (name: string): Promise<Response> => ask('POST', 'customers', { customer_name: name })
  const names = async (): Promise<readonly string[]> => {
    const { data } = (await (
      await ask('GET', 'customers?sort=customer_name&order=asc')
    ).json()) as {
      data: readonly { customer_name: string }[]
    }
    return data.map(({ customer_name }) => customer_name)
  }
  /** Makes a backup and gives its name. */
  async function made(): Promise<string> {
    assert.is((await ask('POST', 'backups')).status, 202)
    await eventually(async () => !(await state()).making)
    assert.is((await state()).problem, null)
    return newest()
  }
  /** Restores a backup and gives what was answered meanwhile: by `/readyz`, and by any other path. */
  async function restored(id: string): Promise<ReadonlySet<number>> {
    const begun = await ask('POST', `backups/${id}/restore`)
    assert.is(begun.status, 202)
    assert.is(((await begun.json()) as BackupsState).restoring?.id, id)
    const statuses = new Set<number>()
    // On a machine with other work it takes minutes, which says nothing: the runner bounds it.
    for (;;) {
      const health = await fetch(`${server.url}/healthz`)
      assert.is(health.status, 200)
      const answer = await ask('GET', 'backups')
      statuses.add(answer.status)
      if (answer.status === 503) {
        assert.ok(Number(answer.headers.get('retry-after')) > 0)
        assert.match(await answer.text(), 'a backup is being restored')
      } else if (((await answer.json()) as BackupsState).restoring === null) break
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    return statuses
  }

  test('are made beside it, read whole, sent, restored elsewhere, and taken away', async () => {
    await add('Kept by a backup')
    const nothing = { data: [], making: null, restoring: null, restored: null, problem: null }
    assert.equal(await state(), nothing)
    const begun = await ask('POST', 'backups')
    assert.is(begun.status, 202)
    assert.is(((await begun.json()) as BackupsState).making, 'backup')
    assert.is((await ask('POST', 'backups')).status, 409, 'one at a time')
    await eventually(async () => !(await state()).making)
    const { data: all, problem } = await state()
    assert.is(problem, null)
    assert.is(all.length, 1)
    const [{ id, bytes }] = all as [BackupsState['data'][number]]
    const looked = await ask('GET', `backups/${id}`)
    const found = (await looked.json()) as BackupFound
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
    assert.equal([...(await restored(id))], [200], 'served all the time')
    assert.match((await state()).problem ?? '', `${id} was not restored: `)
    assert.is((await ask('DELETE', `backups/${id}`)).status, 204)
    assert.is((await ask('GET', `backups/${id}`)).status, 404)
    assert.equal((await state()).data, [])
  })

  test('are restored while it runs, and what was there before is a backup that undoes it', async () => {
    const before = await names()
    const id = await made()
    await add('Made since')
    const statuses = await restored(id)
    assert.equal([...statuses].toSorted(), [200, 503])
    assert.equal(await names(), before)
    const { restored: done, problem, data: all } = await state()
    assert.equal([done?.id, problem], [id, null])
    assert.equal(
      all.map((one) => one.id),
      [done?.undo, id],
    )
    // Nothing of it is left beside.
    assert.equal(
      readdirSync(data).filter((name) => /before-restore|restor/.test(name)),
      [],
    )
    assert.is((await add('Made afterwards')).status, 201)

    await restored(done?.undo ?? '')
    assert.equal(await names(), [...before, 'Made since'].toSorted())
  })

  test('come from elsewhere, under a name of our own, and only whole', async () => {
    const id = await made()
    const content = await (await ask('GET', `backups/${id}/file`)).arrayBuffer()
    const bring = (bytes: ArrayBuffer, headers: object = {}): Promise<Response> =>
      fetch(`${server.url}/v1/backups`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${key}`,
          'Content-Type': 'application/octet-stream',
          'Content-Disposition': 'attachment; filename="../../evil"',
          ...headers,
        },
        body: bytes,
      })
    assert.is((await ask('DELETE', `backups/${id}`)).status, 204)
    const brought = await bring(content)
    assert.is(brought.status, 201)
    const { id: given, rows } = (await brought.json()) as BackupFound & { id: string }
    assert.match(given, /^workspace-\d{8}T\d{9}\.backup$/)
    assert.ok(rows > 500)
    assert.ok((await state()).data.some((one) => one.id === given))
    assert.is((await bring(content)).status, 409, 'it is here already')
    const half = await bring(content.slice(0, content.byteLength / 2))
    assert.is(half.status, 422, await half.text())
    assert.is((await bring(content, { Authorization: 'Bearer svc_live_wrong' })).status, 401)
    assert.equal(readdirSync(join(data, 'backups', 'arriving')), [])
    const { data: all } = await state()
    assert.equal(
      readdirSync(join(data, 'backups')).filter((name) => name.endsWith('.backup')).length,
      all.length,
    )
  })

  test('that cannot be opened leave what was there before', async () => {
    const before = await names()
    const own = join(data, 'doctypes', 'broken.yaml')
    writeFileSync(own, BROKEN)
    const id = await made()
    rmSync(own)
    const statuses = await restored(id)
    assert.equal([...statuses].toSorted(), [200, 503])
    assert.match((await state()).problem ?? '', 'what is in it cannot be opened here: ')
    assert.not(existsSync(own))
    assert.equal(await names(), before)
    assert.is((await add('Served again')).status, 201)
    await ask('DELETE', `backups/${id}`)
  })

  if (kind === 'postgres')
    test('are not restored while others serve the same database', async () => {
      const id = await made()
      const other = await serve(join(folder.path, 'other'), [], env)
      const before = await names()
      await restored(id)
      assert.match((await state()).problem ?? '', /others are connected to this database: svc \(/)
      assert.equal(await names(), before)
      await other.end()
    })

  test('that were being made or restored when it was killed are told of, and put in order', async () => {
    const before = await names()
    const id = await made()
    await ask('POST', `backups/${id}/restore`)
    await eventually(() => {
      const file = join(data, 'backups', 'state.json')
      return /"restoring","pid":/.test(readFileSync(file, 'utf8'))
    })
    await server.end('SIGKILL')
    server = await start()
    const { restoring, problem } = await state()
    assert.is(restoring, null)
    assert.match(problem ?? '', `the server stopped while ${id} was being restored`)
    assert.equal(await names(), before)

    await ask('POST', 'backups')
    await server.end('SIGKILL')
    server = await start()
    const after = await state()
    assert.is(after.making, null)
    if (after.problem !== null) assert.match(after.problem, 'while a backup was being made')
    for (const one of after.data) assert.is((await ask('GET', `backups/${one.id}`)).status, 200)
  })

  test('are restored to their end by a server that is told to stop', async () => {
    const before = await names()
    const id = await made()
    await add('Not kept')
    await ask('POST', `backups/${id}/restore`)
    await eventually(async () => (await ask('GET', 'backups')).status === 503)
    const { code } = await server.end()
    assert.is(code, 0)
    const verified = await svc(
      ['restore', join(data, 'backups', id), '--dry-run', '--force', '--data', data],
      env,
    )
    assert.is(verified.code, 0, verified.stderr)
    server = await start()
    assert.equal(await names(), before)
    assert.is((await state()).restored?.id, id)
  })

  test.run()
}
