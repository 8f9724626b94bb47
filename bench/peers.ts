import { join } from 'node:path'
import type { Options } from './options.ts'
import { type Dialect, POCKETBASE, SVC } from './peers/dialect.ts'
import { fillSvc, writeLines } from './peers/fill.ts'
import {
  buildPocketBase,
  fillPocketBase,
  pocketBaseName,
  startPocketBase,
} from './peers/pocketbase.ts'
import { assertSamePeerAnswers } from './peers/same-answers.ts'
import { PEER_WORKLOADS, type PeerWorkload } from './peers/workloads.ts'
import {
  CONCURRENCIES,
  type Contestant,
  type MeasuredServer,
  measure,
  printScenarios,
  ratio,
  type Scenario,
  stopAll,
  warmUp,
} from './scenarios.ts'
import { startSvc } from './server-process.ts'
import type { Verdict } from './verdict.ts'
import { SEEDED_ROWS } from './workloads.ts'
import { createWorkspace, inFolder } from './workspace.ts'

/** A server that has just started is slower by a multiple; each operation is asked for so long first. */
const WARM_UP_SECONDS = 3

/** Our server and PocketBase in turn: the same fields, indexes and records, both at NORMAL durability. */
export async function measurePeers(options: Options): Promise<Verdict[]> {
  const wanted = PEER_WORKLOADS.filter(({ name }) => name.includes(options.only))
  if (wanted.length === 0) return []
  buildPocketBase()
  return inFolder(async (parent) => {
    const doctype = join(import.meta.dirname, 'peers/bench-item.yaml')
    const { folder, databaseFile, key } = createWorkspace(parent, undefined, [doctype])
    fillSvc(databaseFile, SEEDED_ROWS)
    const [lines, theirFolder] = [join(parent, 'items.jsonl'), join(parent, 'pocketbase')]
    writeLines(lines, SEEDED_ROWS)
    const token = fillPocketBase(theirFolder, lines)

    const ours = contestant('svc', await startSvc(folder, 'normal'), SVC, key)
    const pocketBase = await startPocketBase(theirFolder)
    const theirs = contestant(pocketBaseName(), pocketBase, POCKETBASE, token)
    await assertSamePeerAnswers(
      { dialect: SVC, port: ours.server.port, key },
      { dialect: POCKETBASE, port: theirs.server.port, key: token },
    )
    const scenarios = wanted.flatMap((workload) => scenariosOf(workload, [ours, theirs]))
    // Reads first: whoever is faster makes more records, and would have more to look through.
    for (const isWrite of [false, true]) {
      const phase = scenarios.filter(({ workload }) => workload.isWrite === isWrite)
      const workloads = wanted.filter((workload) => workload.isWrite === isWrite)
      await warmUp(workloads, [ours, theirs], WARM_UP_SECONDS)
      await measure(phase, options)
    }
    console.log(`\nRequests at NORMAL durability, medians of ${options.rounds} rounds`)
    printScenarios(scenarios, ['ratio'])
    await stopAll([ours, theirs])
    return scenarios.map((scenario) => verdictOf(scenario, ours, theirs))
  })
}

function scenariosOf(
  workload: PeerWorkload,
  contestants: readonly Contestant[],
): Scenario<PeerWorkload>[] {
  return CONCURRENCIES.map((concurrency) => ({
    workload,
    concurrency,
    contestants,
    measured: new Map(),
  }))
}

function contestant(
  name: string,
  server: MeasuredServer,
  dialect: Dialect,
  key: string,
): Contestant {
  const host = `127.0.0.1:${server.port}`
  const requests = new Map(
    PEER_WORKLOADS.map((each) => [each.name, each.requests(dialect, host, key)]),
  )
  return { name, server, requests }
}

function verdictOf(
  { workload, concurrency, measured }: Scenario,
  ours: Contestant,
  theirs: Contestant,
): Verdict {
  const share = ratio(measured, ours, theirs)
  return {
    part: 'peers',
    what: `${workload.name}, ${concurrency} at once`,
    measured: share.toFixed(2),
    wanted: `at least 1 of ${theirs.name}`,
    passed: share >= 1,
  }
}
