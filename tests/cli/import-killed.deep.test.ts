import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { startCluster } from '../helpers/postgres-cluster.ts'
import { randomOf, seedsOf } from '../helpers/random.ts'
import { readFirstRun, type Served, serve, svc, temporaryFolder } from './process.ts'

const ROWS = 100_000
const KILLS = 5
const [SEED] = seedsOf(import.meta.filename, [1])

interface Job {
  readonly id: string
  readonly state: string
  readonly done: number
  readonly total: number
  readonly failed: readonly unknown[]
}

for (const kind of ['sqlite', 'postgres'] as const) {
  test(`an import of ${ROWS} rows over HTTP whose server is killed ${KILLS} times has each row once, on ${kind}`, async () => {
    const folder = temporaryFolder()
    const cluster = kind === 'postgres' ? await startCluster() : undefined
    const at = cluster ? ['--database', cluster.url] : []
    // A thousand pages of customers are asked for in the end.
    const env = { SVC_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'), SVC_RATE_LIMIT: 'off' }
    const random = randomOf(SEED)
    let server: Served = await serve(folder.path, at, env)
    try {
      const headers = { Authorization: `Bearer ${readFirstRun(folder.path).admin_key}` }
      const get = async <T>(path: string): Promise<T> =>
        (await (await fetch(`${server.url}/v1${path}`, { headers })).json()) as T
      const jobIs = async (id: string): Promise<Job> => (await get<{ job: Job }>(`/jobs/${id}`)).job
      const form = new FormData()
      const rows = Array.from({ length: ROWS }, (_, n) => `Customer ${n},c${n}@example.com`)
      form.set('resource', 'customers')
      form.set('file', new Blob([`customer_name,email_id\n${rows.join('\n')}\n`]), 'customers.csv')
      const sent = await fetch(`${server.url}/v1/imports`, { method: 'POST', headers, body: form })
      assert.is(sent.status, 202)
      const { job: asked } = (await sent.json()) as { job: Job }

      for (let kill = 1; kill <= KILLS; kill += 1) {
        const least = Math.floor((ROWS / (KILLS + 1)) * (kill - random.next() / 2))
        while ((await jobIs(asked.id)).done < least) await wait()
        await server.end('SIGKILL')
        server = await serve(folder.path, at, env)
      }
      let job = await jobIs(asked.id)
      for (; job.state !== 'done' && job.state !== 'failed'; job = await jobIs(asked.id))
        await wait()
      assert.equal([job.state, job.done, job.total, job.failed], ['done', ROWS, ROWS, []])

      const { meta } = await get<{ meta: { total: number } }>('/customers?limit=1')
      assert.is(meta.total, ROWS)
      const names = new Set<string>()
      const path = '/customers?limit=100&fields=customer_name'
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page: { data: { customer_name: string }[]; next_cursor?: string | null } = await get(
          `${path}&cursor=${encodeURIComponent(cursor)}`,
        )
        for (const { customer_name } of page.data) names.add(customer_name)
        cursor = page.next_cursor ?? null
      }
      assert.is(names.size, ROWS, 'each of them once')
      const events = await get<{ meta: { total: number } }>(
        '/events?event=customers.created&limit=1',
      )
      assert.is(events.meta.total, ROWS)
      const place = cluster ? [...at, '--data', folder.path] : ['--data', folder.path]
      const proof = await svc(['verify', ...place], env)
      assert.is(proof.code, 0, proof.stdout + proof.stderr)
    } finally {
      await server.end()
      await cluster?.stop()
      folder.remove()
    }
  })
}

test.run()

function wait(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 100))
}
