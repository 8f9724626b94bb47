import { execFileSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { median } from './load.ts'
import { SHIPPED, writeDefinitions } from './many-definitions.ts'
import { printTable, type Verdict } from './verdict.ts'
import { inFolder } from './workspace.ts'

const DEFINITIONS = 140
const RUNS = 5
const MOST_COLD_MS = 500
const MOST_CACHED_MS = 100
const CHILD = fileURLToPath(new URL('load-definitions.js', import.meta.url))

/** CPU of one process in ms: all of it, and what of it went by while it loaded. */
interface Run {
  readonly wholeMs: number
  readonly loadingMs: number
}

/**
 * CPU of loading and checking definitions, without a cache and from it, each in a process of its own: those of the
 * shipped folder as it is, with its blocks, lets and reports, and the same DocTypes written flat, with copies. What
 * counts is the whole process less one that only imports the engine: code compiled and rubbish collected
 * beside the loading is paid for too.
 */
export function measureLoad(): Promise<Verdict[]> {
  return inFolder(async (parent) => {
    // A copy, of which the program keeps no cache.
    const shipped = join(parent, 'shipped')
    cpSync(SHIPPED, shipped, { recursive: true })
    const folder = join(parent, 'definitions')
    const cache = join(parent, 'cache')
    const count = writeDefinitions(folder, DEFINITIONS)
    const ways = [[], [shipped], [folder], [folder, cache]]
    // The first of each is not counted: it compiles our code, or writes the cache.
    for (const args of ways) load(args)
    const runs: Run[][] = ways.map(() => [])
    // In turn, so that a slow moment of the machine meets all of them.
    for (let run = 0; run < RUNS; run += 1)
      for (const [way, args] of ways.entries()) runs[way]!.push(load(args))
    const [empty, whole, cold, cached] = runs as [Run[], Run[], Run[], Run[]]
    return report(count, { empty, whole, cold, cached })
  })
}

function load(args: readonly string[]): Run {
  return JSON.parse(execFileSync(process.execPath, [CHILD, ...args], { encoding: 'utf8' })) as Run
}

/** The runs of each way. */
interface Ways {
  readonly empty: readonly Run[]
  /** The shipped folder as it is. */
  readonly whole: readonly Run[]
  /** The flat definitions. */
  readonly cold: readonly Run[]
  readonly cached: readonly Run[]
}

function report(count: number, { empty, whole, cold, cached }: Ways): Verdict[] {
  const wholes = (runs: readonly Run[]): number[] => runs.map(({ wholeMs }) => wholeMs)
  const lasted = (runs: readonly Run[]): number[] => runs.map(({ loadingMs }) => loadingMs)
  const less = (runs: readonly Run[]): { best: number; middle: number } => ({
    best: Math.min(...wholes(runs)) - Math.min(...wholes(empty)),
    middle: median(wholes(runs)) - median(wholes(empty)),
  })
  const cells = (best: number, middle: number): string[] => [best.toFixed(0), middle.toFixed(0)]
  const both = (values: readonly number[]): string[] =>
    cells(Math.min(...values), median([...values]))
  const row = (name: string, runs: readonly Run[]): string[] => [
    name,
    ...both(wholes(runs)),
    ...cells(less(runs).best, less(runs).middle),
    ...both(lasted(runs)),
  ]
  console.log(`\nLoading ${count} definitions, CPU ms of ${RUNS} processes each`)
  printTable(
    ['', 'whole: best', 'median', 'less import: best', 'median', 'inside: best', 'median'],
    [
      ['import only', ...both(wholes(empty)), '', '', '', ''],
      row('shipped folder, read and checked', whole),
      row('flat, read and checked', cold),
      row('flat, from the cache', cached),
    ],
  )
  const verdict = (what: string, measured: number, wanted: number): Verdict => ({
    part: 'load',
    what: `${count} definitions ${what}`,
    measured: `${measured.toFixed(0)} ms CPU`,
    wanted: `below ${wanted} ms CPU`,
    passed: measured < wanted,
  })
  return [
    verdict('written flat, read and checked', less(cold).middle, MOST_COLD_MS),
    verdict('written flat, from the cache', less(cached).middle, MOST_CACHED_MS),
  ]
}
