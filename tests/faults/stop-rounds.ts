import * as assert from 'uvu/assert'
import { eventually, type Finished, type Served } from '../cli/process.ts'
import { isDeepRun, type Random } from '../helpers/random.ts'
import { checkArrivals, checkNothingLeased } from './check-deliveries.ts'
import { checkLogs } from './check-logs.ts'
import { checkScene } from './check-scene.ts'
import type { HookPlan, Reply } from './hooks.ts'
import { assertTakenOver, leasedBy } from './leases.ts'
import { drain, type FaultRun, openScene, type Scene } from './scene.ts'

/**
 * The promise (reliability.md T10): what takes longer is killed here, and has no exit code then. A deep run holds the
 * process to it, on a machine that has nothing else to do; otherwise it only ends what hangs.
 */
const PROMISED_MS = isDeepRun() ? 10_000 : 90_000
/** Requests a new process answers before it is told to stop. */
const UNDER_LOAD = 30
/** Requests it may answer beyond those. */
const LONGER = 20

/**
 * T10: tells a process under load to stop and starts the next, as often as asked. Each ends with 0; it has
 * answered what it has done, holds no delivery and has lost none, and the next one goes on. Every other time a
 * receiver that never answers holds attempts up until they are cut off.
 */
export async function stopRounds(run: FaultRun): Promise<void> {
  const { rounds, tell } = run
  let isHanging = false
  const scene = await openScene(run, (random) => slowHooks(random, () => isHanging))
  try {
    const { crew, random, servers } = scene
    crew.start()
    for (let round = 1; round <= rounds; round += 1) {
      isHanging = round % 2 === 0
      const [server] = servers
      assert.ok(server)
      await workUntilBusy(scene)
      const enough = crew.acknowledged.length + random.below(LONGER)
      await eventually(() => crew.acknowledged.length >= enough)
      await stopUnderLoad(scene, server)
      tell(`round ${round} of ${rounds}: ${crew.acknowledged.length} requests answered`)
      isHanging = false
      await scene.serve()
    }
    await drain(scene)
    tell('drained')
    // Nobody was killed: what came in and what the log says are the same, for every single delivery.
    await checkScene(scene)
  } finally {
    await scene.close()
  }
}

/**
 * Tells a process twice to stop, while receivers hang: it ends at once with 1, and the next one takes over
 * what it held.
 */
export async function stopTwice(run: FaultRun): Promise<void> {
  let isHanging = true
  const scene = await openScene(run, (random) => slowHooks(random, () => isHanging))
  try {
    const { crew, servers, workspace } = scene
    const [server] = servers
    assert.ok(server)
    crew.start()
    await workUntilBusy(scene)
    const ending = server.end('SIGTERM')
    await eventually(() => server.output().stderr.includes('"signal":"SIGTERM"'))
    void server.end('SIGTERM')
    assert.is((await ending).code, 1)
    scene.retire(server)
    await workspace.forgotten(server)
    const held = await leasedBy(workspace, server)
    assert.ok(held.length > 0, 'no delivery was under way')
    isHanging = false
    const next = await scene.serve()
    await assertTakenOver(workspace, next, {
      process: server,
      diedAt: performance.now(),
      held,
      hadOthers: false,
    })
    await drain(scene)
    await checkNothingLeased(scene)
    await checkArrivals(scene, new Map(held.map((id) => [id, 1])))
  } finally {
    await scene.close()
  }
}

/** Receivers whose answers are mostly under way, and one that never answers while `isHanging`. */
function slowHooks(random: Random, isHanging: () => boolean): readonly HookPlan[] {
  const slow = (): Reply => ({ status: 200, afterMs: 50 + random.below(150) })
  return [
    { name: 'all', events: ['*'], reply: slow },
    {
      name: 'failing',
      events: ['sales-invoices.*'],
      reply: () => ({ ...slow(), status: random.chance(0.1) ? 503 : 200 }),
    },
    { name: 'hanging', events: ['items.*'], reply: () => (isHanging() ? undefined : slow()) },
  ]
}

/** Clients write, and each receiver has attempts under way. */
async function workUntilBusy({ crew, hooks, workspace }: Scene): Promise<void> {
  const before = crew.acknowledged.length
  await eventually(() => crew.acknowledged.length >= before + UNDER_LOAD)
  await eventually(async () => {
    const held = await workspace.rows(
      'select distinct webhook_id from svc_deliveries where leased_by is not null',
    )
    return held.length === hooks.length
  })
}

async function stopUnderLoad(scene: Scene, server: Served): Promise<void> {
  // The clients go on: until the process is gone they use the connections they have.
  const { code, stderr } = await endInTime(server)
  scene.retire(server)
  assert.is(code, 0, `the process that was told to stop: ${stderr.slice(-2000)}`)
  checkLogs(stderr)
  await checkNothingLeased(scene)
  await checkAllAnswered(scene)
}

async function endInTime(server: Served): Promise<Finished> {
  const timer = setTimeout(() => void server.end('SIGKILL'), PROMISED_MS)
  const finished = await server.end('SIGTERM')
  clearTimeout(timer)
  return finished
}

/** What was done was answered: of a request without an answer the database knows nothing. */
async function checkAllAnswered({ crew, workspace }: Scene): Promise<void> {
  await eventually(() => crew.underWay === 0)
  const done = await workspace.rows<{ key: string }>('select key from svc_idempotency')
  const keys = new Set(done.map(({ key }) => key.slice(key.indexOf(':') + 1)))
  const open = crew.documents.flatMap((document) => (document.open ? [document.open] : []))
  assert.equal(
    open.filter(({ request }) => keys.has(request.key)),
    [],
    'done, but not answered',
  )
}
