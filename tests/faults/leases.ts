import * as assert from 'uvu/assert'
import { eventually, type Running } from '../cli/process.ts'
import { linesOf } from './check-logs.ts'
import type { FaultWorkspace } from './workspace.ts'

/** The number of the process that bears this lease name (engine/base/lease-name.ts). */
export function pidOf(holder: string): number {
  const [, pid] = JSON.parse(holder) as [string, number]
  return pid
}

/** The deliveries that a process holds, dead or alive. */
export async function leasedBy(
  workspace: FaultWorkspace,
  { pid }: Running,
): Promise<readonly string[]> {
  const rows = await workspace.rows<{ id: string; leased_by: string }>(
    'select id, leased_by from svc_deliveries where leased_by is not null',
  )
  return rows.filter(({ leased_by }) => pidOf(leased_by) === pid).map(({ id }) => id)
}

/** Past the end of every lease (30 s), in ms: who has not taken over by then never will. */
const LEASES_OVER = 60_000

/** Before the end of any lease, in ms: who is there by then finds what the dead process held. */
const LEASES_LAST = 20_000

/** A process that is dead, with what it held. */
export interface Dead {
  readonly process: Running
  /** By `performance.now()`. */
  readonly diedAt: number
  readonly held: readonly string[]
  /** Whether others served beside it, who take what it held when the leases end. */
  readonly hadOthers: boolean
}

/**
 * I9: a new process takes over at once what a dead one of this machine held, and its log says so. Where the machine
 * took so long to start it that the leases may have ended, others may have been quicker.
 */
export async function assertTakenOver(
  workspace: FaultWorkspace,
  next: Running,
  { process: dead, diedAt, held, hadOthers }: Dead,
): Promise<void> {
  const isLate = hadOthers && performance.now() - diedAt > LEASES_LAST
  if (isLate) return eventually(async () => (await leasedBy(workspace, dead)).length === 0)
  const last = Date.now() + LEASES_OVER
  // The log reaches us after the database has.
  await eventually(() => takenOver(next, dead) >= held.length || Date.now() > last)
  assert.is(takenOver(next, dead), held.length, 'deliveries taken over from the dead process')
}

function takenOver({ output }: Running, dead: Running): number {
  let sum = 0
  for (const { holder, deliveries } of linesOf(output().stderr))
    if (typeof holder === 'string' && pidOf(holder) === dead.pid) sum += Number(deliveries)
  return sum
}
