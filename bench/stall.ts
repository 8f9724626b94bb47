import { SYSTEM_ACTOR } from '../engine/access/actor.ts'
import type { Context } from '../engine/documents/work/context.ts'
import type { Report } from '../engine/reports/declare/report.ts'
import { runReport } from '../engine/reports/run/run.ts'
import { fillBooks, openBenchEngine } from './ledger-fill.ts'
import { watchLoop } from './loop-lag.ts'
import type { Options } from './options.ts'
import { printTable, type Verdict } from './verdict.ts'
import { createWorkspace, inFolder } from './workspace.ts'

/** Longest time for which a report may keep the thread from everybody else, 99 times of 100, in ms. */
const MOST_P99 = 20

/** A report is run again and again for so long, in ms, and at least so often. */
const WATCHED_MS = 1_000
const LEAST_RUNS = 2

/** Parameters that leave nothing out, where a report has them. */
const WIDE = [
  ['from_date', '2025-01-01'],
  ['to_date', '2026-12-31'],
  ['report_date', '2026-12-31'],
] as const

/** How long everybody else waits beside each report over ledgers of a million rows, with readers as a server has them. */
export function measureStall({ rows, only }: Options): Promise<Verdict[]> {
  return inFolder(async (parent) => {
    const workspace = createWorkspace(parent)
    await fillBooks(workspace, 'ledgers', rows)
    const limits = { perMinuteMs: Number.POSITIVE_INFINITY, budgetMs: 60_000 }
    const engine = await openBenchEngine(workspace, limits)
    const context = engine.context(SYSTEM_ACTOR, 'business')
    const chosen = engine.reports().all.filter(({ slug }) => slug.includes(only))
    const table: string[][] = []
    const verdicts: Verdict[] = []
    for (const report of chosen) {
      const { runs, ms, total, p99, longest } = await beside(context, report)
      table.push([
        report.slug,
        `${total}`,
        `${runs}`,
        ...[ms, p99, longest].map((n) => n.toFixed(1)),
      ])
      verdicts.push({
        part: 'stall',
        what: report.slug,
        measured: `p99 ${p99.toFixed(1)} ms, longest ${longest.toFixed(1)} ms`,
        wanted: `p99 at most ${MOST_P99} ms`,
        passed: p99 <= MOST_P99,
      })
    }
    await engine.close()
    console.log(`\nWait of others beside reports over ledgers of ${rows} rows`)
    printTable(['', 'rows', 'runs', 'ms a run', 'p99 ms', 'longest ms'], table)
    return verdicts
  })
}

interface Beside {
  readonly runs: number
  /** Time of one run, in ms. */
  readonly ms: number
  /** Rows that the report has. */
  readonly total: number
  /** Delays of the loop in ms. */
  readonly p99: number
  readonly longest: number
}

async function beside(context: Context, report: Report): Promise<Beside> {
  const given = new Map(
    report.params.flatMap(({ field }) => WIDE.filter(([name]) => name === field.name)),
  )
  const run = async (): Promise<number> => {
    const result = await runReport(context, report, { given, limit: 100, offset: 0 })
    JSON.stringify(result)
    return result.total
  }
  const total = await run()
  const watch = watchLoop()
  const began = performance.now()
  let runs = 0
  while (runs < LEAST_RUNS || performance.now() - began < WATCHED_MS) {
    await run()
    runs += 1
  }
  const ms = (performance.now() - began) / runs
  return { runs, ms, total, ...watch.end() }
}
