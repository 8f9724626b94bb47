import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Done, Order } from './invoice-writer.ts'
import { median } from './load.ts'
import type { Options } from './options.ts'
import { processorTime } from './processor-time.ts'
import { printTable, type Verdict } from './verdict.ts'

/** What `--only` names it by. */
export const INVOICES = 'invoices'

/** Invoices under way at once, of all processes of a side. */
const TOGETHER = 16
const COUNT = 240
/** Rounds before any is counted: until then V8 compiles. */
const WARM_UP = 4
const LEAST_GAIN = 2.5

const WRITER = join(import.meta.dirname, 'invoice-writer.ts')
const HERE = join(import.meta.dirname, '..')

interface Side {
  readonly name: string
  readonly writers: readonly ChildProcess[]
  readonly rounds: Round[]
}

interface Round {
  readonly perSecond: number
  /** Processor time of an invoice in ms: of our processes, and of PostgreSQL's. */
  readonly own: number
  readonly database: number
}

/**
 * Measures invoices on PostgreSQL with an older build in a folder beside this one, and beside two processes of this one, each side with a
 * database of its own on one server.
 */
export async function measureBuilds({ rounds, beside }: Options): Promise<Verdict[]> {
  const { startCluster } = await import('../tests/helpers/postgres-cluster.ts')
  // What is committed is on the disk, as in production.
  const cluster = await startCluster(['fsync=on', 'synchronous_commit=on'])
  try {
    const sides = [
      await openSide('older build', beside, cluster.url, 1),
      await openSide('this build', HERE, cluster.url, 1),
      await openSide('this build, two processes', HERE, cluster.url, 2),
    ] as const
    let from = 0
    for (let round = -WARM_UP; round < rounds; round += 1, from += COUNT) {
      process.stderr.write(`invoices, builds, round ${Math.max(0, round + 1)} of ${rounds} …\n`)
      for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
        const measured = await write(side, from)
        if (round >= 0) side.rounds.push(measured)
      }
    }
    for (const { writers } of sides) for (const writer of writers) writer.disconnect()
    return verdictsOf(sides)
  } finally {
    await cluster.stop()
  }
}

async function openSide(
  name: string,
  build: string,
  server: string,
  processes: number,
): Promise<Side> {
  const url = await newDatabase(server)
  const writers: ChildProcess[] = []
  let customers: readonly string[] = []
  for (let at = 0; at < processes; at += 1) {
    const writer = fork(WRITER, [build, url, ...customers])
    customers = (await answerOf(writer)) as readonly string[]
    writers.push(writer)
  }
  return { name, writers, rounds: [] }
}

async function newDatabase(server: string): Promise<string> {
  const { withClient } = await import('../tests/helpers/databases.ts')
  const name = `bench_${randomBytes(4).toString('hex')}`
  await withClient(server, (client) => client.query(`create database ${name}`))
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

function answerOf(writer: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    writer.once('message', resolve)
    writer.once('exit', (code) => reject(new Error(`a writer ended with code ${code}`)))
  })
}

async function write({ writers }: Side, from: number): Promise<Round> {
  const count = COUNT / writers.length
  const [began, before] = [performance.now(), processorTime('postgres')]
  const done = await Promise.all(
    writers.map((writer, at) => {
      const answer = answerOf(writer)
      const together = TOGETHER / writers.length
      writer.send({ from: from + at * count, count, together } satisfies Order)
      return answer as Promise<Done>
    }),
  )
  return {
    perSecond: (COUNT / (performance.now() - began)) * 1000,
    own: done.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / COUNT,
    database: (processorTime('postgres') - before) / COUNT,
  }
}

function verdictsOf(sides: readonly [Side, Side, Side]): Verdict[] {
  const [older, one, two] = sides
  const ratio = (side: Side, to: Side): number =>
    median(side.rounds.map(({ perSecond }, at) => perSecond / to.rounds[at]!.perSecond))
  const middle = ({ rounds }: Side, key: keyof Round): string =>
    median(rounds.map((round) => round[key])).toFixed(1)
  console.log(
    `\nSales invoices of 5 lines on PostgreSQL, created and submitted, ${TOGETHER} at once`,
  )
  printTable(
    ['', 'invoices/s', 'ratio', 'CPU ms of ours', 'of PostgreSQL'],
    sides.map((side) => [
      side.name,
      middle(side, 'perSecond'),
      ratio(side, older).toFixed(2),
      middle(side, 'own'),
      middle(side, 'database'),
    ]),
  )
  const [gain, twice] = [ratio(one, older), ratio(two, one)]
  return [
    {
      part: 'builds',
      what: 'invoices on PostgreSQL, 16 writers',
      measured: gain.toFixed(2),
      wanted: `at least ${LEAST_GAIN} times those of the older build`,
      passed: gain >= LEAST_GAIN,
    },
    {
      part: 'builds',
      what: 'the same by two processes',
      measured: twice.toFixed(2),
      wanted: 'at least those of one',
      passed: twice >= 1,
    },
  ]
}
