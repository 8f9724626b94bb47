import { readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { isoDateTime, systemClock } from '../engine/base/clock.ts'
import { claimFile, type FileClaim } from '../engine/storage/database/file-claim.ts'
import { Failure } from './failure.ts'
import type { Workspace } from './workspace.ts'

/** File that a server holds while it runs, and beside it what it says of itself. */
const CLAIM = 'serving.lock'
const NAME = 'serving.json'

/** Server that has a data folder. */
interface Holder {
  readonly pid: number
  readonly host: string
  readonly url: string
  /** ISO 8601, UTC. */
  readonly since: string
}

/**
 * Claims the data folder of a workspace on SQLite for a server: a second one would count the limits of requests and the
 * turns of long reads by itself, so that everybody had each of them twice. Commands beside the server need no claim.
 * PostgreSQL counts for all processes, so nothing is claimed there. Throws Failure that names the server that has it.
 */
export function claimServing(
  { database, dataFolder }: Workspace,
  url: string,
): FileClaim | undefined {
  if (database.kind === 'postgres') return undefined
  const claim = claimFile(join(dataFolder, CLAIM))
  if (!claim) throw new Failure(refusal(dataFolder))
  const since = isoDateTime(systemClock)
  const holder: Holder = { pid: process.pid, host: hostname(), url, since }
  try {
    writeFileSync(join(dataFolder, NAME), `${JSON.stringify(holder)}\n`, { mode: 0o600 })
  } catch {
    // The claim counts, its name is for people; on a disk that is full there is none.
  }
  return claim
}

function refusal(dataFolder: string): string {
  const holder = holderOf(dataFolder)
  const who = holder
    ? `process ${holder.pid} on ${holder.host} at ${holder.url}, since ${holder.since}`
    : 'another process'
  return `${dataFolder} is served already by ${who}: stop that one first, or give this one its own folder with --data; several servers for one workspace need PostgreSQL (--database)`
}

/** What the server that has the folder said of itself; undefined where it could not. */
function holderOf(dataFolder: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(join(dataFolder, NAME), 'utf8')) as Holder
  } catch {
    return undefined
  }
}
