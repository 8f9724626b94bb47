import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { launch, readFirstRun, type Served, serve, svc, temporaryFolder } from '../cli/process.ts'
import { onDatabase, withClient } from '../helpers/databases.ts'
import { type Bouncer, startBouncer } from '../helpers/pgbouncer.ts'
import { prepareStarted } from '../helpers/prepared-start.ts'
import { call, send } from './exchange.ts'

const ENV = {
  SVC_RATE_LIMIT: 'off',
  SVC_DATABASE_PREPARE: 'off',
  SVC_SECRET_KEY: Buffer.alloc(32, 9).toString('base64'),
}

/** Finding G of the scale test: what a pooler that lends connections for a transaction leaves behind. */
onDatabase('postgres', 'PgBouncer in transaction mode', ({ test, create }) => {
  const folder = temporaryFolder()
  const data = join(folder.path, 'data')
  const servers: Served[] = []
  let url = ''
  let bouncer: Bouncer | undefined

  test.before(async () => {
    const database = await create()
    if (database.kind !== 'postgres') throw new Error('expected PostgreSQL')
    url = database.url
    await prepareStarted(data, database)
    bouncer = await startBouncer(url, 'transaction', 6)
  })
  test.after(async () => {
    for (const server of servers) await server.end('SIGKILL')
    await bouncer?.stop()
    folder.remove()
  })

  const pooled = (): string => bouncer?.url ?? ''

  const start = async (through: string): Promise<Served> => {
    const server = await serve(data, ['--database', through], ENV)
    servers.push(server)
    return server
  }

  function addDocType(name: string): void {
    mkdirSync(join(data, 'doctypes'), { recursive: true })
    writeFileSync(
      join(data, 'doctypes', `${name}.yaml`),
      `doctype: ${name}\nresource: ${name}s\nmodule: setup\ntier: free\nfields:\n  title: {type: data, filterable: true}\n`,
    )
  }

  async function advisoryLocks(): Promise<unknown[]> {
    return withClient(url, async (client) => {
      const { rows } = await client.query(
        `select l.objid from pg_locks l join pg_stat_activity a using (pid)
          where l.locktype = 'advisory' and a.datname = current_database() and a.state = 'idle'`,
      )
      return rows
    })
  }

  test('serves two processes, each request once', async () => {
    const pair = [await start(pooled()), await start(pooled())]
    const { admin_key: key } = readFirstRun(data)
    const sent = Array.from({ length: 40 }, (_, n) => ({
      method: 'POST' as const,
      path: '/v1/items',
      key: `once-${n}`,
      body: { item_code: `P${n}`, item_name: 'x', is_stock_item: false },
    }))
    for (const round of [0, 1]) {
      const answers = await Promise.all(
        sent.map((one, n) => send(pair[(n + round) % 2]!.url, key, one)),
      )
      assert.equal(
        answers.map((one) => (typeof one === 'string' ? one : [one.status, one.isReplayed])),
        sent.map(() => [201, round === 1]),
      )
    }
    const { meta } = await call<{ meta: { total: number } }>(
      pair[0]!.url,
      key,
      'GET',
      '/v1/items?q=P&limit=1',
    )
    assert.ok(meta.total >= 40)
  })

  test('leaves no lock of a migration behind, and a direct start goes on at once', async () => {
    for (const server of servers.splice(0)) await server.end()
    addDocType('thing')
    const through = await start(pooled())
    assert.equal(await advisoryLocks(), [])
    await through.end()
    servers.splice(0)
    addDocType('other')
    const began = performance.now()
    const direct = await start(url)
    assert.ok(performance.now() - began < 60_000)
    await direct.end()
    servers.splice(0)
  })

  test('is found by the doctor, which says what to set', async () => {
    const look = async (through: string, env: Record<string, string>): Promise<unknown> => {
      const { stdout } = await svc(['doctor', '--json', '--data', data, '--database', through], env)
      const { checks } = JSON.parse(stdout) as {
        checks: { name: string; state: string; message: string; facts: { pooler: string } }[]
      }
      return checks.find(({ name }) => name === 'connections')
    }
    const well = (await look(pooled(), ENV)) as { state: string; facts: { pooler: string } }
    assert.equal([well.state, well.facts.pooler], ['ok', 'transaction'])
    const session = await startBouncer(url, 'session', 60)
    try {
      const kept = (await look(session.url, ENV)) as { facts: { pooler: string } }
      assert.is(kept.facts.pooler, 'session')
    } finally {
      await session.stop()
    }
    const prepared = { ...ENV, SVC_DATABASE_PREPARE: 'on' }
    const refused = await launch(
      ['serve', '--port', '0', '--data', data, '--database', pooled()],
      prepared,
    ).ended
    assert.is(refused.code, 1)
    assert.match(refused.stderr, /there is a pooler in front .* SVC_DATABASE_PREPARE=off/)
  })
})
