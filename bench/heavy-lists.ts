import { openFiller } from './fill.ts'
import { drive, median, quantile } from './load.ts'
import { arrivalsOf, driveOpen } from './open-load.ts'
import type { Options } from './options.ts'
import { GROUPS, sampleItem } from './sample-items.ts'
import { type ServerProcess, startSvc } from './server-process.ts'
import { printTable, type Verdict } from './verdict.ts'
import { SEEDED_ROWS, WORKLOADS } from './workloads.ts'
import { type BenchWorkspace, createWorkspace, inFolder } from './workspace.ts'

/** Gets a second, at moments of chance. */
const RATE = 200
const ROUND_SECONDS = 5
/** Connections that ask for what is heavy, each as soon as it has its answer. */
const ASKING = 2
const MOST_GROWTH = 3

/** A list that many records match, another one each time. */
interface Heavy {
  readonly name: string
  readonly path: (n: number) => string
}

const HEAVY: readonly Heavy[] = [
  {
    name: `a filter, 1 of ${GROUPS.length} rows`,
    // Each asked for once, so that no total is remembered.
    path: (n) => {
      const wanted = encodeURIComponent(`${GROUPS[n % GROUPS.length]!},no group ${n}`)
      return `/v1/items?item_group__in=${wanted}&limit=20`
    },
  },
  { name: 'a word, 1 of 33 rows', path: (n) => `/v1/items?q=${WORDS[n % WORDS.length]}` },
]

/** Words that stand first or second in names, so that one of some thirty has them. */
const WORDS = [...new Set([1, 2, 3, 4, 5].map((n) => sampleItem(n).name.split(' ')[0]!))]

/**
 * How long a get waits beside lists of which one goes through tens of thousands of hits, on a table of a million rows: p99 beside
 * them and alone, in turns.
 */
export function measureHeavyLists({ rows, rounds }: Options): Promise<Verdict[]> {
  return inFolder(async (folder) => {
    const workspace = createWorkspace(folder)
    const filler = openFiller(workspace.databaseFile)
    process.stderr.write(`filling to ${rows} rows …\n`)
    filler.fillTo(rows)
    filler.checkpoint()
    filler.close()
    const server = await startSvc(workspace.folder, 'normal')
    const table: string[][] = []
    const verdicts: Verdict[] = []
    await getsBeside(server, workspace, undefined)
    for (const heavy of HEAVY) {
      const alone: number[] = []
      const beside: number[] = []
      const asked: number[] = []
      for (let round = 0; round < rounds; round += 1) {
        process.stderr.write(`gets beside ${heavy.name}, round ${round + 1} of ${rounds} …\n`)
        alone.push((await getsBeside(server, workspace, undefined)).p99)
        const both = await getsBeside(server, workspace, heavy)
        beside.push(both.p99)
        asked.push(both.perSecond)
      }
      const growth = median(beside.map((p99, round) => p99 / alone[round]!))
      table.push([
        heavy.name,
        ...[median(asked), median(alone), median(beside), growth].map((one) => one.toFixed(2)),
      ])
      verdicts.push({
        part: 'heavy lists',
        what: `p99 of a get beside ${heavy.name} of ${rows}`,
        measured: `${growth.toFixed(2)}× alone`,
        wanted: `at most ${MOST_GROWTH}× alone`,
        passed: growth <= MOST_GROWTH,
      })
    }
    await server.stop()
    console.log(`\nGets, ${RATE} a second, beside lists of ${rows} rows that ${ASKING} ask for`)
    printTable(['', 'lists/s', 'p99 alone, ms', 'p99 beside, ms', 'ratio'], table)
    return verdicts
  })
}

/** p99 of gets in ms, and how many heavy lists a second were answered meanwhile. */
async function getsBeside(
  { port }: ServerProcess,
  { key }: BenchWorkspace,
  heavy: Heavy | undefined,
): Promise<{ readonly p99: number; readonly perSecond: number }> {
  const host = `127.0.0.1:${port}`
  const get = WORKLOADS.find(({ name }) => name === 'get-one')!
  const stream = { name: get.name, rate: RATE, next: get.requests(host, key), expectedStatus: 200 }
  const lists = heavy
    ? drive({
        port,
        concurrency: ASKING,
        seconds: ROUND_SECONDS,
        next: asking(heavy, host, key),
        expectedStatus: 200,
      })
    : undefined
  const [latencies = []] = await driveOpen(port, [stream], arrivalsOf([RATE], ROUND_SECONDS))
  latencies.sort((a, b) => a - b)
  return { p99: quantile(latencies, 0.99), perSecond: (await lists)?.requestsPerSecond ?? 0 }
}

function asking({ path }: Heavy, host: string, key: string): () => Buffer {
  let n = SEEDED_ROWS
  return () => {
    n += 1
    return Buffer.from(
      `GET ${path(n)} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\n\r\n`,
    )
  }
}
