import { openFiller } from './fill.ts'
import type { Options } from './options.ts'
import { assertSameAnswers } from './same-answers.ts'
import {
  CONCURRENCIES,
  type Contestant,
  measure,
  printScenarios,
  ratio,
  type Scenario,
  stopAll,
  warmUp,
} from './scenarios.ts'
import {
  type Durability,
  type ServerProcess,
  startHandWritten,
  startSvc,
} from './server-process.ts'
import type { Verdict } from './verdict.ts'
import { SEEDED_ROWS, WORKLOADS, type Workload } from './workloads.ts'
import { type BenchWorkspace, createWorkspace, inFolder } from './workspace.ts'

/** Servers run for weeks, so what is measured is compiled: the most called functions of ours are after some seconds. */
const WARM_UP_SECONDS = 5
/** Factor by which group commit must beat a commit per request to count as clearly better. */
const GROUP_COMMIT_GAIN = 1.5

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
    const requests = new Map(
      wanted.map((each) => [
        each.name,
        { next: each.requests(host, workspace.key), expectedStatus: each.expectedStatus },
      ]),
    )
    return { name, server, requests }
  }

  await assertSameAnswers(ours.server.port, theirs.server.port, workspace.key)
  const scenarios = scenariosOf(
    wanted,
    [ours, theirs, floor],
    durability === 'full' ? single : undefined,
  )
  await warmUp(wanted, all, WARM_UP_SECONDS)
  await measure(scenarios, options)
  console.log(
    `\nRequests at ${durability.toUpperCase()} durability, medians of ${options.rounds} rounds`,
  )
  printScenarios(scenarios, ['ratio', 'of floor'])
  await stopAll(all)
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
): Scenario<Workload>[] {
  return workloads.flatMap((workload) =>
    CONCURRENCIES.map((concurrency) => {
      const contestants = single && concurrency > 1 ? [...pair, single] : pair
      return { workload, concurrency, contestants, measured: new Map() }
    }),
  )
}

function ratioVerdict(
  durability: Durability,
  { workload, concurrency, measured }: Scenario<Workload>,
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
  { workload, concurrency, measured }: Scenario<Workload>,
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
  { workload, concurrency, contestants, measured }: Scenario<Workload>,
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
