import { drive, type LoadResult, median } from './load.ts'
import type { Options } from './options.ts'
import type { Usage } from './server-process.ts'
import { printTable } from './verdict.ts'

/** Numbers of connections at which each operation is measured. */
export const CONCURRENCIES = [1, 16, 64]

/** Server that takes part in a comparison. */
export interface Contestant {
  readonly name: string
  readonly server: MeasuredServer
  /** By name of the operation. */
  readonly requests: ReadonlyMap<string, Requests>
}

export interface MeasuredServer {
  readonly port: number
  usage(): Promise<Pick<Usage, 'cpuMicroseconds' | 'rssBytes'>>
  stop(): Promise<void>
}

/** Requests of one operation to one server; each differs from those before it. */
export interface Requests {
  readonly next: () => Buffer
  readonly expectedStatus: number
}

/** Operation that each contestant is asked for. */
export interface Operation {
  readonly name: string
}

/** An operation at one concurrency, measured on every contestant in every round. */
export interface Scenario<Work extends Operation = Operation> {
  readonly workload: Work
  readonly concurrency: number
  readonly contestants: readonly Contestant[]
  readonly measured: Map<Contestant, Measurement[]>
}

interface Measurement extends LoadResult {
  /** Processor time of the server a request, in microseconds. */
  readonly cpu: number
}

export async function warmUp(
  operations: readonly Operation[],
  contestants: readonly Contestant[],
  seconds: number,
): Promise<void> {
  for (const contestant of contestants)
    for (const { name } of operations) {
      progress(`warming up ${contestant.name}: ${name}`)
      await measureOne(contestant, name, 16, seconds)
    }
}

/** Every round turns the order round, so that nobody is always the one who finds the machine warm. */
export async function measure(scenarios: readonly Scenario[], options: Options): Promise<void> {
  for (let round = 1; round <= options.rounds; round += 1) {
    for (const { workload, concurrency, contestants, measured } of scenarios) {
      progress(`round ${round} of ${options.rounds}: ${workload.name}, ${concurrency} at once`)
      for (const each of round % 2 === 0 ? contestants.toReversed() : contestants) {
        const result = await measureOne(each, workload.name, concurrency, options.seconds)
        measured.set(each, [...(measured.get(each) ?? []), result])
      }
    }
  }
  progress('')
}

async function measureOne(
  { server, requests }: Contestant,
  operation: string,
  concurrency: number,
  seconds: number,
): Promise<Measurement> {
  const before = await server.usage()
  const load = { port: server.port, concurrency, seconds, ...requests.get(operation)! }
  const result = await drive(load)
  const after = await server.usage()
  return { ...result, cpu: (after.cpuMicroseconds - before.cpuMicroseconds) / result.requests }
}

function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`)
}

/** Prints what was measured; `ratios` names the columns of the first contestant's share of the second's, the third's and so on. */
export function printScenarios(scenarios: readonly Scenario[], ratios: readonly string[]): void {
  const rows = scenarios.flatMap(({ workload, concurrency, contestants, measured }) =>
    contestants.map((each, index) => [
      index === 0 ? `${workload.name}, ${concurrency} at once` : '',
      each.name,
      middle(measured.get(each), 'requestsPerSecond').toFixed(0),
      middle(measured.get(each), 'p50').toFixed(2),
      middle(measured.get(each), 'p99').toFixed(2),
      middle(measured.get(each), 'cpu').toFixed(0),
      ...ratios.map((_, other) =>
        index === 0 ? ratio(measured, each, contestants[other + 1]!).toFixed(2) : '',
      ),
    ]),
  )
  printTable(['', 'server', 'requests/s', 'p50 ms', 'p99 ms', 'CPU µs', ...ratios], rows)
}

function middle(measurements: readonly Measurement[] = [], key: keyof Measurement): number {
  return median(measurements.map((measurement) => measurement[key]))
}

/** Median over the rounds of requests/s of one as a share of another's. */
export function ratio(measured: Scenario['measured'], one: Contestant, other: Contestant): number {
  const others = measured.get(other) ?? []
  return median(
    (measured.get(one) ?? []).map(
      ({ requestsPerSecond }, round) => requestsPerSecond / others[round]!.requestsPerSecond,
    ),
  )
}

/** Prints the memory of each and ends it. */
export async function stopAll(contestants: readonly Contestant[]): Promise<void> {
  for (const { name, server } of contestants) {
    const { rssBytes } = await server.usage()
    console.log(`  memory of ${name} after the load: ${Math.round(rssBytes / 1e6)} MB`)
    await server.stop()
  }
}
