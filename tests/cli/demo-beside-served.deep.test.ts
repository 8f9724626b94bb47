import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { startCluster } from '../helpers/postgres-cluster.ts'
import { launch, serve, svc, temporaryFolder } from './process.ts'

/** Time between two looks at the server, in ms. */
const BETWEEN = 500

for (const kind of ['sqlite', 'postgres'] as const) {
  test(`svc demo into a workspace that is served, on ${kind}: it goes on answering, and the books hold`, async () => {
    const folder = temporaryFolder()
    const cluster = kind === 'postgres' ? await startCluster() : undefined
    const at = cluster
      ? ['--database', cluster.url, '--data', folder.path]
      : ['--data', folder.path]
    const env = cluster ? { SVC_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') } : {}
    try {
      const server = await serve(folder.path, cluster ? ['--database', cluster.url] : [], env)
      const demo = launch(['demo', ...at, '--months', '1'], env)
      let isOver = false
      const ended = demo.ended.finally(() => {
        isOver = true
      })
      const statuses = new Set<number>()
      while (!isOver) {
        statuses.add((await fetch(`${server.url}/readyz`)).status)
        await new Promise((next) => setTimeout(next, BETWEEN))
      }
      const { code, stderr } = await ended
      assert.is(code, 0, stderr)
      assert.equal([...statuses], [200])
      const proof = await svc(['verify', ...at], env)
      assert.is(proof.code, 0, proof.stdout + proof.stderr)
      const stopped = await server.end()
      assert.is(stopped.code, 0)
      assert.not.match(stopped.stderr, /"level":[56]0/)
    } finally {
      await cluster?.stop()
      folder.remove()
    }
  })
}

test.run()
