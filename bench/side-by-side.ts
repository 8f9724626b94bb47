import { openFiller } from './fill.ts'
import { drive, type LoadResult, median } from './load.ts'
import type { Options } from './options.ts'
import { assertSameAnswers } from './same-answers.ts'
import {
  type Durability,
  type ServerProcess,
  startHandWritten,
  startSvc,
} from './server-process.ts'
import { printTable, type Verdict } from './verdict.ts'
import { SEEDED_ROWS, WORKLOADS, type Workload } from './workloads.ts'
import { type BenchWorkspace, createWorkspace, inFolder } from './workspace.ts'

const CONCURRENCIES = [1, 16, 64]
/** Servers run for weeks, so what is measured is compiled: the most called functions of ours are after some seconds. */
const WARM_UP_SECONDS = 5
/** Factor by which group commit must beat a commit per request to count as clearly better. */
const GROUP_COMMIT_GAIN = 1.5

interface Measurement extends LoadResult {
  /** Processor time of the server a request, in microseconds. */
  readonly cpu: number
}

interface Contestant {
  readonly name: string
  readonly server: ServerProcess
  readonly requests: ReadonlyMap<Workload, () => Buffer>
}

/** A workload at one concurrency, measured on every contestant in every round. */
interface Scenario {
  readonly workload: Workload
  readonly concurrency: number
  readonly contestants: readonly Contestant[]
  readonly measured: Map<Contestant, Measurement[]>
}

/**
 * Our server, the hand-written one and the floor below both, in turn, at NORMAL and at FULL durability. Reads are measured at
 * NORMAL alone: durability does not touch them.
 */
export function compareSideBySide(options: Options): Promise<Verdict[]> {
  return inFolder(async (folder) => {
    const workspace = createWorkspace(folder)
    const filler = openFiller(workspace.databaseFile)
    filler.fillTo(SEEDED_ROWS)
    filler.close()
    return [
      ...(await compareAt('normal', workspace, options)),
      ...(await compareAt('full', workspace, options)),
    ]
  })
}

async function compareAt(
  durability: Durability,
  workspace: BenchWorkspace,
  options: Options,
): Promise<Verdict[]> {
  const wanted = WORKLOADS.filter(
    ({ name, isWrite }) => name.includes(options.only) && (isWrite || durability === 'normal'),
  )
  if (wanted.length === 0) return []
  const handWritten = (commit: 'group' | 'single' | 'floor'): Promise<ServerProcess> => {
    const dataFolder = workspace.copy(`hand-written-${durability}-${commit}`)
    return startHandWritten({ dataFolder, durability, commit })
  }
  const ours = contestant('svc', await startSvc(workspace.copy(`svc-${durability}`), durability))
  const theirs = contestant('hand-written', await handWritten('group'))
  const single = contestant('hand-written, commit per request', await handWritten('single'))
  const floor = contestant('node:http alone, the floor', await handWritten('floor'))
  const all = [ours, theirs, floor, single]

  function contestant(name: string, server: ServerProcess): Contestant {
    const host = `127.0.0.1:${server.port}`
    const requests = new Map(wanted.map((each) => [each, each.requests(host, workspace.key)]))
    return { name, server, requests }
  }

  await assertSameAnswers(ours.server.port, theirs.server.port, workspace.key)
  const scenarios = scenariosOf(
    wanted,
    [ours, theirs, floor],
    durability === 'full' ? single : undefined,
  )
  await warmUp(wanted, all)
  await measure(scenarios, options)
  console.log(
    `\nRequests at ${durability.toUpperCase()} durability, medians of ${options.rounds} rounds`,
  )
  printScenarios(scenarios)
  for (const { name, server } of all) {
    const { rssBytes } = await server.usage()
    console.log(`  memory of ${name} after the load: ${Math.round(rssBytes / 1e6)} MB`)
    await server.stop()
  }
  return [
    ...scenarios.flatMap((scenario) => ratioVerdict(durability, scenario, ours, theirs)),
    ...scenarios.flatMap((scenario) => floorVerdict(durability, scenario, ours, floor)),
    ...scenarios.flatMap((scenario) => groupCommitVerdict(scenario, ours, single)),
  ]
}

/** `single` joins where several writes run at once: alone, every request is a commit of its own anyway. */
function scenariosOf(
  workloads: readonly Workload[],
  pair: readonly Contestant[],
  single: Contestant | undefined,
): Scenario[] {
  return workloads.flatMap((workload) =>
    CONCURRENCIES.map((concurrency) => {
      const contestants = single && concurrency > 1 ? [...pair, single] : pair
      return { workload, concurrency, contestants, measured: new Map() }
    }),
  )
}

async function warmUp(
  workloads: readonly Workload[],
  contestants: readonly Contestant[],
): Promise<void> {
  for (const contestant of contestants)
    for (const workload of workloads)
      await measureOne(contestant, { workload, concurrency: 16 }, WARM_UP_SECONDS)
}

/** Every round turns the order round, so that nobody is always the one who finds the machine warm. */
async function measure(scenarios: readonly Scenario[], options: Options): Promise<void> {
  for (let round = 1; round <= options.rounds; round += 1) {
    for (const scenario of scenarios) {
      const { workload, concurrency, contestants, measured } = scenario
      progress(`round ${round} of ${options.rounds}: ${workload.name}, ${concurrency} at once`)
      for (const each of round % 2 === 0 ? contestants.toReversed() : contestants) {
        const result = await measureOne(each, scenario, options.seconds)
        measured.set(each, [...(measured.get(each) ?? []), result])
      }
    }
  }
  progress('')
}

async function measureOne(
  { server, requests }: Contestant,
  { workload, concurrency }: Pick<Scenario, 'workload' | 'concurrency'>,
  seconds: number,
): Promise<Measurement> {
  const before = await server.usage()
  const { expectedStatus } = workload
  const next = requests.get(workload)!
  const result = await drive({ port: server.port, concurrency, seconds, next, expectedStatus })
  const after = await server.usage()
  return { ...result, cpu: (after.cpuMicroseconds - before.cpuMicroseconds) / result.requests }
}

function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`)
}

function printScenarios(scenarios: readonly Scenario[]): void {
  const rows = scenarios.flatMap(({ workload, concurrency, contestants, measured }) =>
    contestants.map((each, index) => [
      index === 0 ? `${workload.name}, ${concurrency} at once` : '',
      each.name,
      middle(measured.get(each), 'requestsPerSecond').toFixed(0),
      middle(measured.get(each), 'p50').toFixed(2),
      middle(measured.get(each), 'p99').toFixed(2),
      middle(measured.get(each), 'cpu').toFixed(0),
      index === 0 ? ratio(measured, contestants[0]!, contestants[1]!).toFixed(2) : '',
      index === 0 ? ratio(measured, contestants[0]!, contestants[2]!).toFixed(2) : '',
    ]),
  )
  printTable(['', 'server', 'requests/s', 'p50 ms', 'p99 ms', 'CPU µs', 'ratio', 'of floor'], rows)
}

function middle(measurements: readonly Measurement[] = [], key: keyof Measurement): number {
  return median(measurements.map((measurement) => measurement[key]))
}

/** Median over the rounds of requests/s of one as a share of another's. */
function ratio(measured: Scenario['measured'], one: Contestant, other: Contestant): number {
  const others = measured.get(other) ?? []
  return median(
    (measured.get(one) ?? []).map(
      ({ requestsPerSecond }, round) => requestsPerSecond / others[round]!.requestsPerSecond,
    ),
  )
}

function ratioVerdict(
  durability: Durability,
  { workload, concurrency, measured }: Scenario,
  ours: Contestant,
  theirs: Contestant,
): Verdict[] {
  const { name, isWrite, leastRatio } = workload
  if (leastRatio === undefined) return []
  const share = ratio(measured, ours, theirs)
  return [
    {
      part: 'side by side',
      what: `${name}${isWrite ? ` at ${durability.toUpperCase()}` : ''}, ${concurrency} at once`,
      measured: share.toFixed(2),
      wanted: `at least ${leastRatio} of the hand-written requests/s`,
      passed: share >= leastRatio,
    },
  ]
}

/** Concurrency at which the floor is judged. */
const JUDGED = 16

function floorVerdict(
  durability: Durability,
  { workload, concurrency, measured }: Scenario,
  ours: Contestant,
  floor: Contestant,
): Verdict[] {
  const { name, isWrite, leastOfFloor } = workload
  const isJudged = concurrency === JUDGED && (!isWrite || durability === 'full')
  if (leastOfFloor === undefined || !isJudged) return []
  const share = ratio(measured, ours, floor)
  return [
    {
      part: 'floor',
      what: `${name}${isWrite ? ' at FULL' : ''}, ${concurrency} at once`,
      measured: share.toFixed(2),
      wanted: `at least ${leastOfFloor} of node:http alone`,
      passed: share >= leastOfFloor,
    },
  ]
}

function groupCommitVerdict(
  { workload, concurrency, contestants, measured }: Scenario,
  ours: Contestant,
  single: Contestant,
): Verdict[] {
  if (!contestants.includes(single)) return []
  const gain = ratio(measured, ours, single)
  return [
    {
      part: 'group commit',
      what: `${workload.name} at FULL, ${concurrency} at once`,
      measured: `${gain.toFixed(2)}×`,
      wanted: `at least ${GROUP_COMMIT_GAIN}× a commit per request`,
      passed: gain >= GROUP_COMMIT_GAIN,
    },
  ]
}
