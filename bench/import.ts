import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { median } from './load.ts'
import type { Options } from './options.ts'
import { assertSameRows } from './same-books.ts'
import { CUSTOMER_COLUMNS, writeCustomers } from './sample-customers.ts'
import { printTable, type Verdict } from './verdict.ts'
import { type BenchWorkspace, createWorkspace, inFolder } from './workspace.ts'

const CUSTOMERS = 100_000
/** Memory is compared with that of an import of half of them: V8's heap has its size by then. */
const HALF = CUSTOMERS / 2
const LEAST_RATIO = 0.5
/** Memory that grew with the file would be twice as much. */
const MOST_GROWTH = 1.15

const PRELOAD = new URL('report-end.js', import.meta.url).href
const SVC = fileURLToPath(new URL('../cli/svc.js', import.meta.url))
const HAND_WRITTEN = fileURLToPath(new URL('hand-written-import.ts', import.meta.url))

/** Time and memory that a process took from its start to its end. */
export interface Run {
  readonly seconds: number
  readonly cpuSeconds: number
  readonly mostRssBytes: number
  /** Bytes without the mapped pages of the database, which are the system's to keep or to drop. */
  readonly mostPrivateBytes: number
}

/** One way to import; its arguments for a file and a data folder. */
interface Importer {
  readonly name: string
  readonly args: (csv: string, dataFolder: string) => readonly string[]
}

const OURS: Importer = {
  name: 'svc import',
  args: (csv, folder) => [SVC, 'import', 'customers', csv, '--data', folder, '--json'],
}

const THEIRS: Importer = {
  name: 'hand-written',
  args: (csv, folder) => [HAND_WRITTEN, csv, join(folder, 'workspace.db'), 'full'],
}

/** Queries of what an import writes, in the order of the file; both sides give names in that order. */
const WRITTEN = [
  'select * from customers order by rid',
  `select seq, event, resource, kind, record_id, actor, data from svc_events
   where resource = 'customers' order by seq`,
  'select prefix, current from svc_series order by prefix',
  'select rowid, body from svc_search order by rowid',
  ...['schmidt', 'de100000', 'anna@', 'müller logistics'].map((text) => {
    const match = text.split(' ').map((term) => `"${term}"`)
    return `select rowid from svc_search where svc_search match '${match.join(' ')}' order by rowid`
  }),
]

/** Columns that hold the moment of the import. */
const MOMENTS = new Set(['created', 'modified'])

/**
 * `svc import customers` beside a program written by hand for this one file, each a process of its own on a
 * copy of one workspace, at FULL durability, from its start to its end; in the end both databases hold the same.
 */
export function measureImport({ rounds }: Options): Promise<Verdict[]> {
  return inFolder(async (parent) => {
    const workspace = createWorkspace(parent)
    const [all, half] = [join(parent, 'customers.csv'), join(parent, 'half.csv')]
    writeCustomers(all, CUSTOMERS)
    writeCustomers(half, HALF)
    const ofHalf = importOnce(OURS, half, workspace.copy('half'))
    const runs = new Map<Importer, Run[]>([
      [OURS, []],
      [THEIRS, []],
    ])
    for (let round = 0; round < rounds; round += 1) {
      process.stderr.write(`import, round ${round + 1} of ${rounds} …\n`)
      const order = [...runs.keys()]
      for (const importer of round % 2 === 0 ? order : order.toReversed())
        runs.get(importer)!.push(importOnce(importer, all, folderOf(workspace, importer, round)))
    }
    const [ours, theirs] = [OURS, THEIRS].map((importer) =>
      join(parent, folderName(importer, rounds - 1), 'workspace.db'),
    ) as [string, string]
    assertSameRows(ours, theirs, WRITTEN, MOMENTS)
    return report(runs, ofHalf)
  })
}

function folderOf(workspace: BenchWorkspace, importer: Importer, round: number): string {
  return workspace.copy(folderName(importer, round))
}

function folderName({ name }: Importer, round: number): string {
  return `${name.replace(' ', '-')}-${round}`
}

/** `svc import customers` of a file, into the workspace of a data folder. */
export function importByCommand(csv: string, dataFolder: string): Run {
  return importOnce(OURS, csv, dataFolder)
}

/** Throws with the stderr of a process that fails. */
function importOnce({ args }: Importer, csv: string, dataFolder: string): Run {
  const usageFile = join(dataFolder, 'usage.json')
  const profile = process.env.BENCH_PROFILE
  const profiling = profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : []
  const began = performance.now()
  execFileSync(process.execPath, [...profiling, '--import', PRELOAD, ...args(csv, dataFolder)], {
    encoding: 'utf8',
    env: { ...process.env, BENCH_USAGE: usageFile },
  })
  const seconds = (performance.now() - began) / 1000
  const usage = JSON.parse(readFileSync(usageFile, 'utf8')) as {
    cpuMicroseconds: number
    mostRssBytes: number
    mostPrivateBytes: number
  }
  const { cpuMicroseconds, mostRssBytes, mostPrivateBytes } = usage
  return { seconds, cpuSeconds: cpuMicroseconds / 1e6, mostRssBytes, mostPrivateBytes }
}

function report(runs: ReadonlyMap<Importer, readonly Run[]>, ofHalf: Run): Verdict[] {
  const [ours, theirs] = [...runs.values()] as [readonly Run[], readonly Run[]]
  const share = (key: 'seconds' | 'cpuSeconds'): number =>
    median(ours.map((run, round) => theirs[round]![key] / run[key]))
  console.log(
    `\n${CUSTOMERS} customers of ${CUSTOMER_COLUMNS.length} columns from CSV at FULL durability, medians of ${ours.length} rounds`,
  )
  printTable(
    ['', 'customers/s', 'ratio', 'CPU µs each', 'ratio', 'own memory MB', 'with mapped pages'],
    [...runs].map(([importer, all]) => {
      const middle = (key: keyof Run): number => median(all.map((run) => run[key]))
      const isOurs = importer === OURS
      return [
        importer.name,
        (CUSTOMERS / middle('seconds')).toFixed(0),
        isOurs ? share('seconds').toFixed(2) : '',
        ((middle('cpuSeconds') / CUSTOMERS) * 1e6).toFixed(0),
        isOurs ? share('cpuSeconds').toFixed(2) : '',
        (middle('mostPrivateBytes') / 1e6).toFixed(0),
        (middle('mostRssBytes') / 1e6).toFixed(0),
      ]
    }),
  )
  const most = median(ours.map(({ mostPrivateBytes }) => mostPrivateBytes))
  const growth = most / ofHalf.mostPrivateBytes
  const inMb = (bytes: number): string => (bytes / 1e6).toFixed(0)
  return [
    ratioVerdict('customers/s', share('seconds')),
    ratioVerdict('customers per CPU s', share('cpuSeconds')),
    {
      part: 'import',
      what: `most memory of its own, ${HALF} and ${CUSTOMERS} customers`,
      measured: `${inMb(ofHalf.mostPrivateBytes)} and ${inMb(most)} MB`,
      wanted: `at most ${MOST_GROWTH} times as much for twice as many`,
      passed: growth <= MOST_GROWTH,
    },
  ]
}

function ratioVerdict(what: string, share: number): Verdict {
  return {
    part: 'import',
    what: `100000 from CSV, ${what}`,
    measured: share.toFixed(2),
    wanted: `at least ${LEAST_RATIO} of the hand-written program's`,
    passed: share >= LEAST_RATIO,
  }
}
