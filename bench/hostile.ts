import { createTestDatabase } from '../tests/helpers/databases.ts'
import { HOSTILE_REQUESTS } from './hostile-requests.ts'
import { makeTargets, openSide, type Side, waitsBeside } from './hostile-side.ts'
import { memoryOfChildren } from './memory.ts'
import { printTable, type Verdict } from './verdict.ts'
import { inFolder } from './workspace.ts'

/** Longest time that another person's request may wait beyond its own, in ms, and most memory of the server, in bytes. */
const MOST_WAIT = 250
const MOST_MEMORY = 400_000_000

/**
 * How long others wait beside each hostile request at the most that is allowed, on both databases, and what memory the server
 * takes; `only` is a part of the name of those that are sent.
 */
export async function measureHostile(only: string): Promise<Verdict[]> {
  const verdicts: Verdict[] = []
  if (!HOSTILE_REQUESTS.some(({ name }) => name.includes(only))) return verdicts
  for (const kind of ['sqlite', 'postgres'] as const)
    verdicts.push(...(await inFolder((folder) => measureOn(folder, kind, only))))
  return verdicts
}

async function measureOn(
  folder: string,
  kind: 'sqlite' | 'postgres',
  only: string,
): Promise<Verdict[]> {
  const place = kind === 'postgres' ? await createTestDatabase(kind) : undefined
  const url = place?.database.kind === 'postgres' ? place.database.url : undefined
  const side = await openSide(folder, url)
  try {
    await makeTargets(side)
    return await measureAll(side, kind, only)
  } finally {
    await side.end()
    await place?.remove()
  }
}

async function measureAll(side: Side, kind: string, only: string): Promise<Verdict[]> {
  const verdicts: Verdict[] = []
  const table: string[][] = []
  for (const one of HOSTILE_REQUESTS.filter(({ name }) => name.includes(only))) {
    const { waits, statuses, seconds } = await waitsBeside(side, one)
    const { mostBytes, mostOwnBytes, busiest, worked } = await side.server.usage()
    const most = Math.max(...waits.map(({ ms }) => ms))
    // What the thread did from a request's coming to its answer, and at most before it noticed that it came.
    const byWork = busiest + Math.max(...Object.values(worked))
    const times = [...waits.map(({ ms }) => ms), byWork, busiest, seconds * 1000]
    table.push([
      `${one.times} × ${one.name}`,
      ...times.map((time) => time.toFixed(0)),
      megabytes(mostBytes),
      megabytes(mostOwnBytes),
      memoryOfChildren(side.server.pid).map(megabytes).join(' '),
      statuses,
    ])
    verdicts.push({
      part: 'stall',
      what: `${kind}, ${one.times} × ${one.name}`,
      measured: `others ${most.toFixed(0)} ms (${byWork.toFixed(0)} of work), ${megabytes(mostBytes)} MB`,
      wanted: `at most ${MOST_WAIT} ms, ${megabytes(MOST_MEMORY)} MB`,
      passed: most <= MOST_WAIT && mostBytes <= MOST_MEMORY,
    })
  }
  console.log(`\nWait of others beside hostile requests on ${kind}, beyond what they take alone`)
  const head = [
    'get ms',
    'list ms',
    'create ms',
    'work ms',
    'at once ms',
    'took ms',
    'MB',
    'own MB',
  ]
  printTable(['', ...head, 'readers MB', 'answers'], table)
  return verdicts
}

const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(0)
