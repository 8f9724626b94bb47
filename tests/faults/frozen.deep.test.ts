import { setTimeout as sleep } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  eventually,
  readFirstRun,
  type Served,
  serve,
  svc,
  temporaryFolder,
} from '../cli/process.ts'
import { createTestDatabase, withClient } from '../helpers/databases.ts'
import { startBouncer } from '../helpers/pgbouncer.ts'
import { prepareStarted } from '../helpers/prepared-start.ts'
import { call, send } from './exchange.ts'

/** The promise: `SVC_DATABASE_IDLE_MS` is 15 s; the rest is what a busy machine takes for a few requests. */
const PROMISED_MS = 15_000 + 4_000
const READ_MS = 3_000

/** Connections of the pooler: more than one process may take (10 and 4), or the frozen one keeps them all. */
const POOL = 24

const frozen = suite('a process that is frozen in a transaction (finding E)')

for (const way of ['straight', 'through PgBouncer'] as const)
  frozen(
    `holds the others up for 15 s at most, and keeps nobody from reading, ${way}`,
    async () => {
      const place = await createTestDatabase('postgres')
      const url = place.database.kind === 'postgres' ? place.database.url : ''
      const folder = temporaryFolder()
      await prepareStarted(folder.path, place.database)
      const bouncer = way === 'straight' ? undefined : await startBouncer(url, 'transaction', POOL)
      const env = {
        SVC_RATE_LIMIT: 'off',
        SVC_SECRET_KEY: Buffer.alloc(32, 9).toString('base64'),
        SVC_DATABASE_PREPARE: bouncer ? 'off' : 'on',
      }
      const start = (): Promise<Served> =>
        serve(folder.path, ['--database', bouncer?.url ?? url], env)
      const [well, victim] = [await start(), await start()]
      try {
        const { admin_key: key } = readFirstRun(folder.path)
        const { id: customer } = await call<{ id: string }>(
          well.url,
          key,
          'POST',
          '/v1/customers',
          {
            customer_name: 'Ann',
          },
        )
        await call(well.url, key, 'POST', '/v1/items', {
          item_code: 'BOLT',
          item_name: 'Bolt',
          is_stock_item: false,
        })
        const invoice = (name: string): Parameters<typeof send>[2] => ({
          method: 'POST',
          path: '/v1/sales-invoices',
          key: name,
          body: { customer, po_no: name, items: [{ item_code: 'BOLT', qty: 1, rate: 5 }] },
        })
        let sent = 0
        const names: string[] = []
        const load = async (until: () => boolean): Promise<void> => {
          while (!until()) {
            sent += 1
            const name = `v-${sent}`
            names.push(name)
            await send(victim.url, key, invoice(name))
          }
        }
        let isStopping = false
        const loading = Promise.all(Array.from({ length: 6 }, () => load(() => isStopping)))
        await eventually(() => sent > 30)
        await freezeInTransaction(victim, url)
        isStopping = true
        const began = performance.now()
        const reading = readAll(well, key, () => performance.now() - began < 12_000)
        const others = Array.from({ length: 12 }, (_, n) => untilMade(well, key, invoice(`w-${n}`)))
        await Promise.all(others)
        const took = performance.now() - began
        console.log(`      ${way}: the others were held up for ${Math.round(took)} ms`)
        assert.ok(took < PROMISED_MS, `held up for ${took} ms`)
        assert.ok((await reading) < READ_MS, 'a list waited for the writes')
        process.kill(victim.pid, 'SIGCONT')
        await loading
        // Who asks again gets each of them once.
        for (const name of names) await untilMade(victim, key, invoice(name))
        const { rows } = await withClient(url, (client) =>
          client.query('select po_no, count(*)::int as n from sales_invoices group by po_no'),
        )
        assert.equal(
          rows.filter(({ n }: { n: number }) => n !== 1),
          [],
        )
        assert.is(rows.length, names.length + 12)
        const verified = await svc(
          ['verify', '--data', folder.path, '--database', bouncer?.url ?? url],
          env,
        )
        assert.is(verified.code, 0, verified.stdout)
      } finally {
        process.kill(victim.pid, 'SIGCONT')
        await Promise.all([well.end('SIGKILL'), victim.end('SIGKILL')])
        await bouncer?.stop()
        await place.remove()
        folder.remove()
      }
    },
  )

frozen.run()

/** Stops a process at a moment at which it holds a transaction open with something in it that others wait for. */
async function freezeInTransaction(victim: Served, url: string): Promise<void> {
  await withClient(url, async (client) => {
    for (let tries = 1; ; tries += 1) {
      process.kill(victim.pid, 'SIGSTOP')
      await sleep(300)
      const { rows } = await client.query(
        `select 1 from pg_stat_activity a where a.datname = current_database() and a.state = 'idle in transaction'
          and exists (select 1 from pg_locks l where l.pid = a.pid and l.mode = 'RowExclusiveLock'
            and l.relation = 'svc_series'::regclass)`,
      )
      if (rows.length > 0) return
      assert.ok(tries < 100, 'it never stood in a transaction')
      process.kill(victim.pid, 'SIGCONT')
      await sleep(20)
    }
  })
}

/** Asks with its key until it is made. */
async function untilMade(
  { url }: Served,
  key: string,
  request: Parameters<typeof send>[2],
): Promise<void> {
  for (;;) {
    const answer = await send(url, key, request)
    if (typeof answer !== 'string' && answer.status === 201) return
    if (typeof answer !== 'string' && answer.status !== 503 && !answer.isTooEarly)
      throw new Error(`${answer.status} ${answer.text}`)
    await sleep(100)
  }
}

/** Longest time of a list and of `/readyz`, asked again and again, in ms. */
async function readAll({ url }: Served, key: string, goesOn: () => boolean): Promise<number> {
  let longest = 0
  while (goesOn()) {
    const began = performance.now()
    await call(url, key, 'GET', '/v1/items?limit=1')
    assert.is((await fetch(`${url}/readyz`)).status, 200)
    longest = Math.max(longest, performance.now() - began)
    await sleep(200)
  }
  return longest
}
