import type { Running } from '../cli/process.ts'
import { linesOf } from './check-logs.ts'
import type { FaultWorkspace } from './workspace.ts'

/** The number of the process that bears this lease name (webhooks/lease-name.ts). */
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

/** How many deliveries a process says it has taken over from a dead one. */
export function takenOver({ output }: Running, dead: Running): number {
  let sum = 0
  for (const { holder, deliveries } of linesOf(output().stderr))
    if (typeof holder === 'string' && pidOf(holder) === dead.pid) sum += Number(deliveries)
  return sum
}
