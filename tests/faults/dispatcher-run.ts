import * as assert from 'uvu/assert'
import { eventually } from '../cli/process.ts'
import { checkScene } from './check-scene.ts'
import type { HookPlan } from './hooks.ts'
import { pidOf } from './leases.ts'
import { drain, type FaultRun, openScene, type Scene } from './scene.ts'

/** Requests that are answered in one round, while both processes dispatch. */
const REQUESTS = 60

/**
 * Two processes serve one database and both dispatch, under load and without any fault: each delivery is made
 * once, by one of them.
 */
export async function dispatcherRun(run: FaultRun): Promise<void> {
  const scene = await openScene(run, takers)
  try {
    const { crew, servers } = scene
    await scene.serve()
    const seen = new Set<number>()
    crew.start()
    for (let round = 1; round <= run.rounds; round += 1) {
      const wanted = crew.acknowledged.length + REQUESTS
      await eventually(async () => {
        for (const pid of await dispatching(scene)) seen.add(pid)
        return crew.acknowledged.length >= wanted && seen.size === servers.length
      })
      run.tell(`round ${round} of ${run.rounds}: ${crew.acknowledged.length} requests answered`)
    }
    await drain(scene)
    run.tell('drained')
    assert.is(crew.unknown, 0, 'requests without an answer')
    await checkScene(scene)
    for (const { arrivals, plan } of scene.hooks)
      for (const [id, { requests }] of arrivals) assert.is(requests, 1, `${id} of ${plan.name}`)
  } finally {
    await scene.close()
  }
}

/** They take everything at the first time, at once and in a while. */
function takers(): readonly HookPlan[] {
  return [
    { name: 'all', events: ['*'], reply: () => ({ status: 200, afterMs: 0 }) },
    { name: 'slow', events: ['items.*'], reply: () => ({ status: 200, afterMs: 60 }) },
    { name: 'exact', events: ['items.created'], reply: () => ({ status: 200, afterMs: 5 }) },
  ]
}

async function dispatching({ workspace }: Scene): Promise<readonly number[]> {
  const rows = await workspace.rows<{ leased_by: string }>(
    'select distinct leased_by from svc_deliveries where leased_by is not null',
  )
  return rows.map(({ leased_by }) => pidOf(leased_by))
}
