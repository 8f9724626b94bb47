import { join } from 'node:path'
import type * as fill from './fill.ts'
import { drive, median } from './load.ts'
import type { Options } from './options.ts'
import type * as processes from './server-process.ts'
import { printTable, type Verdict } from './verdict.ts'
import { SEEDED_ROWS, WORKLOADS, type Workload } from './workloads.ts'
import type * as workspaces from './workspace.ts'
import { inFolder } from './workspace.ts'

/** Requests under way at once. */
const TOGETHER = 16
const WARM_UP_SECONDS = 3
const LEAST_GAIN = 1.8
const JUDGED = 'search'

const HERE = join(import.meta.dirname, '..')

/** A build that serves a workspace of its own making, with the same records. */
interface Side {
  readonly name: string
  readonly server: processes.ServerProcess
  readonly requests: ReadonlyMap<Workload, () => Buffer>
  /** Requests a second, by workload, a round each. */
  readonly rates: Map<Workload, number[]>
}

/**
 * Measures requests on SQLite with an older build in a folder beside this one, at NORMAL durability: reads and writes of `items`. Each
 * build makes its workspace with its own commands, since tables differ.
 */
export function measureRequestBuilds(options: Options): Promise<Verdict[]> {
  return inFolder(async (folder) => {
    const wanted = WORKLOADS.filter(({ name }) => name.includes(options.only))
    const sides = [
      await openSide('older build', options.beside, join(folder, 'older'), wanted),
      await openSide('this build', HERE, join(folder, 'this'), wanted),
    ] as const
    // One workload after the other: what is read is as it was filled until something is written.
    for (const workload of wanted) {
      process.stderr.write(`requests, builds, ${workload.name} …\n`)
      for (const side of sides) await rateOf(side, workload, WARM_UP_SECONDS)
      for (let round = 0; round < options.rounds; round += 1)
        for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
          const rates = side.rates.get(workload) ?? []
          side.rates.set(workload, [...rates, await rateOf(side, workload, options.seconds)])
        }
    }
    for (const { server } of sides) await server.stop()
    return verdictsOf(wanted, sides)
  })
}

async function openSide(
  name: string,
  build: string,
  folder: string,
  workloads: readonly Workload[],
): Promise<Side> {
  const own = <T>(file: string): Promise<T> => import(join(build, 'bench', file)) as Promise<T>
  const { createWorkspace } = await own<typeof workspaces>('workspace.ts')
  const { openFiller } = await own<typeof fill>('fill.ts')
  const { startSvc } = await own<typeof processes>('server-process.ts')
  const workspace = createWorkspace(folder)
  const filler = openFiller(workspace.databaseFile)
  filler.fillTo(SEEDED_ROWS)
  filler.close()
  const server = await startSvc(workspace.folder, 'normal')
  const host = `127.0.0.1:${server.port}`
  const requests = new Map(workloads.map((each) => [each, each.requests(host, workspace.key)]))
  return { name, server, requests, rates: new Map() }
}

async function rateOf(side: Side, workload: Workload, seconds: number): Promise<number> {
  const { requestsPerSecond } = await drive({
    port: side.server.port,
    concurrency: TOGETHER,
    seconds,
    next: side.requests.get(workload)!,
    expectedStatus: workload.expectedStatus,
  })
  return requestsPerSecond
}

function verdictsOf(workloads: readonly Workload[], sides: readonly [Side, Side]): Verdict[] {
  const [older, ours] = sides
  const gainOf = (workload: Workload): number =>
    median(
      ours.rates.get(workload)!.map((rate, round) => rate / older.rates.get(workload)![round]!),
    )
  console.log(
    `\nRequests/s at NORMAL durability, ${TOGETHER} at once, an older build beside this one`,
  )
  printTable(
    ['', ...sides.map(({ name }) => name), 'ratio'],
    workloads.map((workload) => [
      workload.name,
      ...sides.map(({ rates }) => median(rates.get(workload)!).toFixed(0)),
      gainOf(workload).toFixed(2),
    ]),
  )
  return workloads
    .filter(({ name }) => name === JUDGED)
    .map((workload) => {
      const gain = gainOf(workload)
      return {
        part: 'builds',
        what: `${workload.name}, ${TOGETHER} at once`,
        measured: gain.toFixed(2),
        wanted: `at least ${LEAST_GAIN} times those of the older build`,
        passed: gain >= LEAST_GAIN,
      }
    })
}
