import { assertSameDeliveries, type DeliveryLog, openDeliveryLog } from './delivery-log.ts'
import { drive, median } from './load.ts'
import type { Options } from './options.ts'
import type { Receivers } from './receiver-process.ts'
import type { Durability, ServerProcess } from './server-process.ts'
import { type Side, type Subscribed, subscribe } from './subscriptions.ts'
import { printTable, type Verdict } from './verdict.ts'
import { WORKLOADS } from './workloads.ts'
import type { BenchWorkspace } from './workspace.ts'

/** Changes under way at once: what comes in meanwhile shares a commit, on both sides. */
const TOGETHER = 16
const LEAST_RATIO = 0.5
/** Deliveries of a round, for each of its seconds. */
const DELIVERIES_PER_SECOND = 1500

interface Case {
  readonly subscriptions: number
  readonly hanging: number
  readonly durability: Durability
}

const CASES: readonly Case[] = [
  { subscriptions: 1, hanging: 0, durability: 'normal' },
  { subscriptions: 10, hanging: 0, durability: 'normal' },
  { subscriptions: 10, hanging: 0, durability: 'full' },
  { subscriptions: 100, hanging: 0, durability: 'normal' },
  { subscriptions: 100, hanging: 1, durability: 'normal' },
]

interface Round {
  readonly perSecond: number
  readonly perCpuSecond: number
  /** Milliseconds from the change to the receiver, while all changes come at once. */
  readonly p50: number
}

interface Contestant {
  readonly side: Side
  readonly server: ServerProcess
  readonly log: DeliveryLog
  readonly next: () => Buffer
  readonly rounds: Round[]
  delivered: number
}

/**
 * Deliveries a second from the first change to the last one received: items are created over HTTP as fast as
 * the server takes them, at both servers the same number; both tell every subscription of each.
 */
export async function measureDeliveryRate(
  workspace: BenchWorkspace,
  receivers: Receivers,
  options: Options,
): Promise<Verdict[]> {
  const verdicts: Verdict[] = []
  const rows: string[][] = []
  const cases = CASES.filter((each) => nameOf(each).includes(options.only))
  if (cases.length === 0) return []
  for (const each of cases) {
    const [ours, theirs] = await measureCase(workspace, receivers, options, each)
    for (const one of [ours, theirs]) {
      rows.push([
        one === ours ? nameOf(each) : '',
        one.side,
        middle(one, 'perSecond'),
        one === ours ? ratio(ours, theirs, 'perSecond').toFixed(2) : '',
        middle(one, 'perCpuSecond'),
        one === ours ? ratio(ours, theirs, 'perCpuSecond').toFixed(2) : '',
        middle(one, 'p50'),
      ])
    }
    verdicts.push(verdictOf(each, ratio(ours, theirs, 'perSecond')))
  }
  console.log(`\nDeliveries from change to receiver, medians of ${options.rounds} rounds`)
  printTable(
    ['', 'server', 'deliveries/s', 'ratio', 'per CPU s', 'ratio', 'p50 ms, all changes at once'],
    rows,
  )
  return verdicts
}

async function measureCase(
  workspace: BenchWorkspace,
  receivers: Receivers,
  { rounds, seconds }: Options,
  each: Case,
): Promise<[Contestant, Contestant]> {
  const { subscriptions, hanging, durability } = each
  const ports = receivers.ports.slice(0, subscriptions)
  const name = `rate-${subscriptions}-${hanging}-${durability}`
  const subscribed = await subscribe(workspace, name, ports)
  const sides: Contestant[] = []
  for (const side of ['svc', 'hand-written'] as const) {
    const { server, databaseFile } = await subscribed.start(side, durability)
    const next = CREATE.requests(`127.0.0.1:${server.port}`, workspace.key)
    sides.push({ side, server, log: openDeliveryLog(databaseFile), next, rounds: [], delivered: 0 })
  }
  const [ours, theirs] = sides as [Contestant, Contestant]
  const changes = Math.ceil((DELIVERIES_PER_SECOND * seconds) / subscriptions)
  const run = (contestant: Contestant, count: number) =>
    runRound(contestant, { receivers, subscribed, hanging: ports.slice(0, hanging), count })
  for (const one of sides) await run(one, Math.ceil(changes / 4))
  for (let round = 0; round < rounds; round += 1) {
    process.stderr.write(`${nameOf(each)}, round ${round + 1} of ${rounds} …\n`)
    for (const one of round % 2 === 0 ? sides : sides.toReversed())
      one.rounds.push(await run(one, changes))
  }
  for (const { server } of sides) await server.stop()
  const except = subscribed.endpoints.slice(0, hanging).map(({ id }) => id)
  assertSameDeliveries(ours.log, theirs.log, except)
  for (const { log } of sides) log.close()
  return [ours, theirs]
}

interface Scene {
  readonly receivers: Receivers
  readonly subscribed: Subscribed
  readonly hanging: readonly number[]
  /** Changes to be made. */
  readonly count: number
}

/** Throws where not every delivery came, once or more, with signatures that hold. */
async function runRound(
  contestant: Contestant,
  { receivers, subscribed, hanging, count }: Scene,
): Promise<Round> {
  const { server, next, log } = contestant
  const wanted = count * (subscribed.endpoints.length - hanging.length)
  await receivers.begin(hanging)
  const before = await server.usage()
  const began = performance.now()
  const reached = receivers.reached(wanted)
  const load = { port: server.port, concurrency: Math.min(TOGETHER, count), most: count }
  await drive({ ...load, seconds: Number.POSITIVE_INFINITY, next, expectedStatus: 201 })
  await reached
  const seconds = (performance.now() - began) / 1000
  contestant.delivered += wanted
  await log.logged(contestant.delivered)
  const after = await server.usage()
  const { requests, deliveries, verified, p50 } = await receivers.seen(subscribed.secrets)
  if (deliveries !== wanted || verified !== requests)
    throw new Error(
      `expected ${wanted} deliveries with signatures that hold, got ${deliveries} in ${requests} requests, ${verified} verified`,
    )
  const cpuSeconds = (after.cpuMicroseconds - before.cpuMicroseconds) / 1e6
  return { perSecond: wanted / seconds, perCpuSecond: wanted / cpuSeconds, p50 }
}

const CREATE = WORKLOADS.find(({ name }) => name === 'create')!

function nameOf({ subscriptions, hanging, durability }: Case): string {
  const among = hanging === 0 ? '' : `, ${hanging} of them hanging`
  return `${subscriptions} subscription${subscriptions === 1 ? '' : 's'}${among}, ${durability.toUpperCase()}`
}

function middle({ rounds }: Contestant, key: keyof Round): string {
  return median(rounds.map((round) => round[key])).toFixed(0)
}

/** Median over the rounds of one side's figure as a share of the other's. */
function ratio(one: Contestant, other: Contestant, key: keyof Round): number {
  return median(one.rounds.map((round, index) => round[key] / other.rounds[index]![key]))
}

function verdictOf(each: Case, share: number): Verdict {
  return {
    part: 'webhooks',
    what: `deliveries, ${nameOf(each)}`,
    measured: share.toFixed(2),
    wanted: `at least ${LEAST_RATIO} of the hand-written deliveries/s`,
    passed: share >= LEAST_RATIO,
  }
}
