import type { Client } from './client.ts'
import type { Problem } from './types.ts'

/** Long work that goes on by itself (contract §7.4). */
export interface Job {
  readonly id: string
  readonly kind: string
  readonly state: 'queued' | 'running' | 'done' | 'failed' | 'stopped'
  readonly done: number
  readonly total: number
  readonly failed: readonly FailedRecord[]
  readonly result: JobResult | null
}

/** A record that was refused: its id, or its row in the file, and why. */
export interface FailedRecord {
  readonly id: string | null
  readonly row?: number
  readonly problems: readonly JobProblem[]
}

/** A problem; of an import with its row and column in the file. */
export interface JobProblem extends Problem {
  readonly row?: number
  readonly column?: string | null
}

/** What a job came to. */
export interface JobResult {
  readonly succeeded?: number
  readonly failed?: number
  readonly created?: number
  readonly updated?: number
  readonly unchanged?: number
  readonly dry_run?: boolean
  readonly mapping?: Readonly<Record<string, string | null>>
  readonly message?: string
  readonly undone_by?: string
}

/** Whether a job goes no further. */
export function hasEnded({ state }: Job): boolean {
  return state === 'done' || state === 'failed' || state === 'stopped'
}

/** Milliseconds between two looks at a job: short ones end at once, long ones are not asked about all the time. */
const WAITS = [60, 120, 240, 400, 700]

/** Looks at a job until it has ended, or until nobody wants to know any more; `tell` hears of each step. */
export async function followJob(
  client: Client,
  job: Job,
  { tell, signal }: { tell: (job: Job) => void; signal?: AbortSignal },
): Promise<Job> {
  let now = job
  for (let at = 0; !hasEnded(now) && !signal?.aborted; at += 1) {
    tell(now)
    await new Promise((next) => setTimeout(next, WAITS[Math.min(at, WAITS.length - 1)]))
    now = await readJob(client, job.id)
  }
  tell(now)
  return now
}

/** A job as it stands. */
export async function readJob(client: Client, id: string): Promise<Job> {
  return (await client.ask<{ job: Job }>(`/v1/jobs/${encodeURIComponent(id)}`)).body.job
}

/** Stops a job at its next record, or takes it back. Throws ApiError. */
export async function tellJob(client: Client, id: string, verb: 'stop' | 'undo'): Promise<Job> {
  const path = `/v1/jobs/${encodeURIComponent(id)}/${verb}`
  return (await client.ask<{ job: Job }>(path, { method: 'POST' })).body.job
}
