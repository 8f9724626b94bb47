import { setTimeout as sleep } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../cli/process.ts'
import { type Cluster, startCluster } from '../helpers/postgres-cluster.ts'
import { seedsOf } from '../helpers/random.ts'
import { checkReplays } from './check-documents.ts'
import { checkRecords } from './check-scene.ts'
import { usualHooks } from './hooks.ts'
import { drain, openScene } from './scene.ts'

/*
 * The database server itself is ended under load, as `pg_ctl stop -m immediate` does, and started again after a while.
 * It has a server of its own: others in this run go on.
 */

const SEEDS = seedsOf(import.meta.filename, [1])
const ROUNDS = 2
/** Answers between two faults, and time for which the database is away, in ms. */
const ANSWERED = 40
const AWAY_MS = 2000

const test = suite('a PostgreSQL that is stopped at once')

let cluster: Cluster
const { SVC_TEST_DATABASE_URL: before } = process.env

test.before(async () => {
  // An answered commit is on the disk, as in the wild.
  cluster = await startCluster(['synchronous_commit=on'])
  process.env.SVC_TEST_DATABASE_URL = cluster.url
})
test.after(async () => {
  if (before === undefined) delete process.env.SVC_TEST_DATABASE_URL
  else process.env.SVC_TEST_DATABASE_URL = before
  await cluster.stop()
})

for (const seed of SEEDS)
  test(`puts requests off in words, and all that was answered is there afterwards (seed ${seed})`, async () => {
    const scene = await openScene({ kind: 'postgres', seed }, usualHooks)
    try {
      const { crew, servers } = scene
      crew.start()
      for (let round = 1; round <= ROUNDS; round += 1) {
        const enough = crew.acknowledged.length + ANSWERED
        await eventually(() => crew.acknowledged.length >= enough)
        await cluster.crash()
        const putOff = crew.putOff.length
        await sleep(AWAY_MS)
        await eventually(() => crew.putOff.length > putOff)
        const answer = await fetch(`${servers[0]?.url}/v1/items?limit=1`, {
          headers: { authorization: `Bearer ${scene.workspace.key()}` },
        })
        assert.is(answer.status, 503)
        assert.match(await answer.text(), /the database cannot answer at the moment/)
        await cluster.resume()
        const back = crew.acknowledged.length
        await eventually(() => crew.acknowledged.length >= back + ANSWERED)
      }
      await drain(scene)
      await checkReplays(scene)
      // What was being sent when the database went could not be written down.
      const rows = await scene.workspace.rows<{ id: string }>('select id from svc_deliveries')
      await checkRecords(scene, new Map(rows.map(({ id }) => [id, ROUNDS])))
      assert.not.match(servers[0]?.output().stderr ?? '', /unhandled/i)
    } finally {
      await scene.close()
    }
  })

test.run()
