import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { withServer } from './server.ts'

const STARTS = 7
/** Clock ticks of /proc a second; Linux has had no other number for decades. */
const TICKS = 100
/** Garbage of the start is gone and the work of the day looked at after this time, in ms. */
const IDLE_AFTER = 6000

interface Start {
  readonly cpuMs: number
  readonly memoryMb: number
}

/**
 * Prints what the binary takes to answer its first request, in CPU time, on a new and on an existing database,
 * and its resident memory when idle. Needs /proc; elsewhere it says so.
 */
export async function measure(binary: string): Promise<void> {
  if (process.platform !== 'linux') {
    console.log('start time and memory are only measured on Linux')
    return
  }
  const parent = mkdtempSync(join(tmpdir(), 'svc-measure-'))
  try {
    const fresh: Start[] = []
    const existing: Start[] = []
    for (let n = 0; n < STARTS; n += 1) {
      const data = join(parent, `data-${n}`)
      fresh.push(await startOnce(binary, data))
      existing.push(await startOnce(binary, data))
    }
    print('first answer on a new database', fresh, 1000)
    print('first answer on an existing database', existing, 450)
    const idle = await startOnce(binary, join(parent, 'data-0'), IDLE_AFTER)
    console.log(`resident memory when idle: ${idle.memoryMb.toFixed(0)} MB (at most 150)`)
  } finally {
    rmSync(parent, { recursive: true, force: true })
  }
}

function startOnce(binary: string, data: string, idleFor = 0): Promise<Start> {
  return withServer(binary, data, async (pid) => {
    await wait(idleFor)
    return usageOf(pid)
  })
}

/** CPU time since its begin and resident memory, as Linux counts them. */
function usageOf(pid: number): Start {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  const [user, system, resident] = [fields[11], fields[12], fields[21]].map(Number)
  return {
    cpuMs: ((user! + system!) * 1000) / TICKS,
    memoryMb: (resident! * 4096) / 1e6,
  }
}

function print(what: string, starts: readonly Start[], most: number): void {
  const sorted = starts.map(({ cpuMs }) => cpuMs).sort((a, b) => a - b)
  const [least, middle] = [sorted[0]!, sorted[Math.floor(sorted.length / 2)]!]
  console.log(
    `${what}: ${middle} ms CPU, ${least} to ${sorted.at(-1)} in ${starts.length} starts (at most ${most})`,
  )
}
