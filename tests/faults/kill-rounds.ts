import * as assert from 'uvu/assert'
import { eventually, type Served } from '../cli/process.ts'
import { checkReplays } from './check-documents.ts'
import { checkLogs } from './check-logs.ts'
import { checkScene } from './check-scene.ts'
import { usualHooks } from './hooks.ts'
import { assertTakenOver, leasedBy } from './leases.ts'
import { drain, type FaultRun, openScene, type Scene } from './scene.ts'

/** Rounds more at most, while no request was cut off or no delivery was under way: such a run would prove nothing. */
const MORE = 20
/** Requests at most that are answered between two kills, beyond the first. */
const ANSWERED = 60

/** Requests the other process has to answer while one is dead. */
const GOES_ON = 20

/**
 * T1: kills a process that serves, in the middle of everything, and starts it again, as often as asked. On
 * PostgreSQL two processes serve, and the other goes on. At the end nothing that was answered is lost, and
 * nothing has happened twice.
 */
export async function killRounds(run: FaultRun): Promise<void> {
  const { kind, rounds, tell } = run
  const scene = await openScene(run, usualHooks)
  try {
    if (kind === 'postgres') await scene.serve()
    const { crew, random, servers } = scene
    const excused = new Map<string, number>()
    let leased = 0
    crew.start()
    const isProof = (): boolean => leased > 0 && crew.unknown > 0
    for (let round = 1; round <= rounds || (!isProof() && round <= rounds + MORE); round += 1) {
      const enough = crew.acknowledged.length + 1 + random.below(ANSWERED)
      await eventually(() => crew.acknowledged.length >= enough)
      // Until one died in the middle of sending: by chance alone, on a busy machine none might.
      const victim = leased === 0 ? await senderOf(scene) : random.one(servers)
      const held = await killAndRestart(scene, victim)
      leased += held.length
      for (const id of held) excused.set(id, (excused.get(id) ?? 0) + 1)
      tell(
        `round ${round} of ${rounds}: ${crew.acknowledged.length} requests answered, ${crew.unknown} not, ${held.length} deliveries under way`,
      )
    }
    await drain(scene)
    tell('drained')
    assert.ok(crew.unknown > 0, 'no request was cut off')
    assert.ok(leased > 0, 'no delivery was under way')
    await checkReplays(scene)
    await checkScene(scene, excused)
  } finally {
    await scene.close()
  }
}

/** A process that has deliveries under way, as soon as there is one. */
async function senderOf({ workspace, servers }: Scene): Promise<Served> {
  let found: Served | undefined
  await eventually(async () => {
    for (const server of servers) if ((await leasedBy(workspace, server)).length > 0) found = server
    return found !== undefined
  })
  return found!
}

/** Returns the deliveries that the process held when it died. */
async function killAndRestart(scene: Scene, victim: Served): Promise<readonly string[]> {
  const { workspace, crew, servers } = scene
  scene.retire(victim)
  await victim.end('SIGKILL')
  const diedAt = performance.now()
  checkLogs(victim.output().stderr)
  await workspace.forgotten(victim)
  const held = await leasedBy(workspace, victim)
  const answered = crew.acknowledged.length
  const hadOthers = servers.length > 0
  if (hadOthers) await eventually(() => crew.acknowledged.length >= answered + GOES_ON)
  const next = await scene.serve()
  await assertTakenOver(workspace, next, { process: victim, diedAt, held, hadOthers })
  return held
}
