import { median, quantile } from './load.ts'
import { arrivalsOf, driveOpen, type Stream } from './open-load.ts'
import type { Options } from './options.ts'
import type { Receivers } from './receiver-process.ts'
import type { ServerProcess } from './server-process.ts'
import { type Subscribed, subscribe } from './subscriptions.ts'
import { printTable, type Verdict } from './verdict.ts'
import { WORKLOADS } from './workloads.ts'
import type { BenchWorkspace } from './workspace.ts'

const SUBSCRIPTIONS = 10
/** Requests a second; the creates are the changes: 300 deliveries a second with ten subscriptions. */
const RATES = { 'get-one': 60, list: 30, create: 30 } as const
const ROUND_SECONDS = 5
const WARM_UP_SECONDS = 2
const MOST_GROWTH = 2

interface Round {
  /** Latencies of each stream in ms, sorted. */
  readonly latencies: readonly (readonly number[])[]
  /** Processor time of the server for a second of load, in ms. */
  readonly cpuMs: number
  /** Milliseconds from the change to the receiver. */
  readonly delivered: { readonly p50: number; readonly p99: number } | undefined
}

interface Contestant {
  readonly name: string
  readonly subscribed: Subscribed
  readonly server: ServerProcess
  readonly streams: readonly Stream[]
  readonly rounds: Round[]
}

/**
 * The API under a modest load that comes at its own pace, with and without ten subscriptions that are told of
 * every create: two servers with the same data and the same requests at the same moments, in turns.
 */
export async function measureApiBesideDeliveries(
  workspace: BenchWorkspace,
  receivers: Receivers,
  { rounds }: Options,
): Promise<Verdict[]> {
  const contestants: Contestant[] = []
  for (const count of [0, SUBSCRIPTIONS]) {
    const subscribed = await subscribe(
      workspace,
      `beside-${count}`,
      receivers.ports.slice(0, count),
    )
    const { server } = await subscribed.start('svc', 'normal')
    const host = `127.0.0.1:${server.port}`
    const streams = Object.entries(RATES).map(([name, rate]): Stream => {
      const workload = WORKLOADS.find((each) => each.name === name)!
      const { expectedStatus } = workload
      return { name, rate, expectedStatus, next: workload.requests(host, workspace.key) }
    })
    const name = count === 0 ? 'no subscription' : `${count} subscriptions`
    contestants.push({ name, subscribed, server, streams, rounds: [] })
  }
  for (const each of contestants) await runRound(each, receivers, arrivals(WARM_UP_SECONDS))
  for (let round = 0; round < 2 * rounds; round += 1) {
    process.stderr.write(`API beside deliveries, round ${round + 1} of ${2 * rounds} …\n`)
    const requests = arrivals(ROUND_SECONDS)
    for (const each of round % 2 === 0 ? contestants : contestants.toReversed())
      each.rounds.push(await runRound(each, receivers, requests))
  }
  for (const { server } of contestants) await server.stop()
  return report(contestants as [Contestant, Contestant])
}

function arrivals(seconds: number): ReturnType<typeof arrivalsOf> {
  return arrivalsOf(Object.values(RATES), seconds)
}

async function runRound(
  { server, streams, subscribed }: Contestant,
  receivers: Receivers,
  requests: ReturnType<typeof arrivalsOf>,
): Promise<Round> {
  const { length } = subscribed.endpoints
  await receivers.begin()
  const before = await server.usage()
  const began = performance.now()
  const latencies = await driveOpen(server.port, streams, requests)
  const seconds = (performance.now() - began) / 1000
  const after = await server.usage()
  if (length > 0) await receivers.reached(latencies.at(-1)!.length * length)
  for (const each of latencies) each.sort((a, b) => a - b)
  return {
    latencies,
    cpuMs: (after.cpuMicroseconds - before.cpuMicroseconds) / 1000 / seconds,
    delivered: length > 0 ? await receivers.seen(subscribed.secrets) : undefined,
  }
}

function report([idle, loaded]: readonly [Contestant, Contestant]): Verdict[] {
  const all = ({ latencies }: Round): number[] => latencies.flat().sort((a, b) => a - b)
  const middle = ({ rounds }: Contestant, of: (round: Round) => number): number =>
    median(rounds.map(of))
  const p99 = (round: Round): number => quantile(all(round), 0.99)
  const row = (name: string, of: (round: Round) => number): string[] => [
    name,
    middle(idle, of).toFixed(2),
    middle(loaded, of).toFixed(2),
    (middle(loaded, of) / middle(idle, of)).toFixed(2),
  ]
  const perSecond = RATES.create * SUBSCRIPTIONS
  console.log(
    `\nAPI at ${Object.values(RATES).join(' + ')} requests/s (${Object.keys(RATES).join(', ')}) beside ${perSecond} deliveries/s, medians of ${idle.rounds.length} rounds`,
  )
  printTable(
    ['', idle.name, loaded.name, 'ratio'],
    [
      row('p50 ms of all', (round) => quantile(all(round), 0.5)),
      row('p99 ms of all', p99),
      ...idle.streams.map(({ name }, stream) =>
        row(`p99 ms of ${name}`, ({ latencies }) => quantile(latencies[stream]!, 0.99)),
      ),
      row('CPU ms a second', ({ cpuMs }) => cpuMs),
    ],
  )
  console.log(
    `  change to receiver: p50 ${middle(loaded, ({ delivered }) => delivered!.p50)} ms, p99 ${middle(loaded, ({ delivered }) => delivered!.p99)} ms`,
  )
  const growth = middle(loaded, p99) / middle(idle, p99)
  return [
    {
      part: 'webhooks',
      what: `p99 of the API beside ${perSecond} deliveries/s`,
      measured: `${growth.toFixed(2)}×`,
      wanted: `below ${MOST_GROWTH}× of the same load without subscriptions`,
      passed: growth < MOST_GROWTH,
    },
  ]
}
