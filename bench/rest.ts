import { setTimeout as wait } from 'node:timers/promises'
import { drive, median } from './load.ts'
import { startSvc } from './server-process.ts'
import { printTable, type Verdict } from './verdict.ts'
import { WORKLOADS } from './workloads.ts'

const ROUNDS = 3
/** Time after which a server that nobody asks has given back what it needs no more, in ms. */
const REST_MS = 40_000
const LIST_SECONDS = 10
const MOST_AT_REST_MB = 130
const MOST_UNDER_LISTS_MB = 250

interface Memory {
  readonly atRestMb: number
  readonly underListsMb: number
}

/** Memory of a server on an existing workspace: at rest, and the most of it while 16 ask for lists. */
export async function measureRest(folder: string, key: string): Promise<Verdict[]> {
  const rounds: Memory[] = []
  for (let n = 0; n < ROUNDS; n += 1) {
    process.stderr.write(`memory at rest, round ${n + 1} of ${ROUNDS} …\n`)
    rounds.push(await restOnce(folder, key))
  }
  const middle = (part: keyof Memory): number => median(rounds.map((round) => round[part]))
  const [atRest, underLists] = [middle('atRestMb'), middle('underListsMb')]
  console.log(`\nMemory of a server, medians of ${ROUNDS}`)
  printTable(
    ['', 'MB'],
    [
      ['at rest', atRest.toFixed(0)],
      ['the most while 16 ask for lists', underLists.toFixed(0)],
    ],
  )
  return [
    verdict('memory at rest', atRest, MOST_AT_REST_MB),
    verdict('memory under lists', underLists, MOST_UNDER_LISTS_MB),
  ]
}

async function restOnce(folder: string, key: string): Promise<Memory> {
  const server = await startSvc(folder, 'full')
  await wait(REST_MS)
  const { rssBytes } = await server.usage()
  await server.watch()
  const { port } = server
  const lists = WORKLOADS.find(({ name }) => name === 'list')!
  const next = lists.requests(`127.0.0.1:${port}`, key)
  const { expectedStatus } = lists
  await drive({ port, concurrency: 16, seconds: LIST_SECONDS, next, expectedStatus })
  const { mostBytes } = await server.usage()
  await server.stop()
  return { atRestMb: rssBytes / 1e6, underListsMb: mostBytes / 1e6 }
}

function verdict(what: string, mb: number, most: number): Verdict {
  return {
    part: 'start',
    what,
    measured: `${mb.toFixed(0)} MB`,
    wanted: `at most ${most} MB`,
    passed: mb <= most,
  }
}
