import { SYSTEM_ACTOR } from '../engine/access/actor.ts'
import { createDocument } from '../engine/documents/operations/create.ts'
import { submitDocument } from '../engine/documents/operations/submit.ts'
import type { Context } from '../engine/documents/work/context.ts'
import type { Report } from '../engine/reports/declare/report.ts'
import { runReport } from '../engine/reports/run/run.ts'
import { measureHostile } from './hostile.ts'
import { fillBooks, openBenchEngine } from './ledger-fill.ts'
import { type LoopLag, watchLoop } from './loop-lag.ts'
import type { Options } from './options.ts'
import { printTable, type Verdict } from './verdict.ts'
import { createWorkspace, inFolder } from './workspace.ts'

/** Longest time for which a report may keep the thread from everybody else, 99 times of 100, in ms. */
const MOST_P99 = 20

/** A report is run again and again for so long, in ms, and at least so often. */
const WATCHED_MS = 1_000
const LEAST_RUNS = 2

/** Parameters that leave nothing out, where a report has them; of two months for those that take no more. */
const PERIODS = [
  ['2025-01-01', '2026-12-31'],
  ['2026-03-01', '2026-04-30'],
] as const

/** Text that chooses the hostile requests alone. */
const HOSTILE = 'hostile'

/** How long everybody else waits beside hostile requests and beside each report. */
export async function measureStall(options: Options): Promise<Verdict[]> {
  const { only } = options
  const hostile = await measureHostile(only.replace(HOSTILE, '').trim())
  return only.startsWith(HOSTILE) ? hostile : [...hostile, ...(await measureReports(options))]
}

/** The same beside each report over ledgers of a million rows, with readers as a server has them. */
function measureReports({ rows, only }: Options): Promise<Verdict[]> {
  return inFolder(async (parent) => {
    const workspace = createWorkspace(parent)
    await fillBooks(workspace, 'ledgers', rows)
    const engine = await openBenchEngine(workspace, { budgetMs: 60_000 })
    const context = engine.context(SYSTEM_ACTOR, 'business')
    await makeBillOfMaterials(context)
    const chosen = engine.reports().all.filter(({ slug }) => slug.includes(only))
    const table: string[][] = [await alone()]
    const verdicts: Verdict[] = []
    for (const report of chosen) {
      const { runs, ms, total, p99, longest, busiest } = await beside(context, report)
      const times = [ms, p99, longest, busiest].map((time) => time.toFixed(1))
      table.push([report.slug, `${total}`, `${runs}`, ...times])
      // It takes minutes: what is known by then shows when it is cut off.
      console.error(table.at(-1)!.join('  '))
      verdicts.push({
        part: 'stall',
        what: report.slug,
        measured: `p99 ${p99.toFixed(1)} ms, own work at once ${busiest.toFixed(1)} ms`,
        wanted: `p99 at most ${MOST_P99} ms`,
        passed: p99 <= MOST_P99,
      })
    }
    await engine.close()
    console.log(`\nWait of others beside reports over ledgers of ${rows} rows`)
    printTable(['', 'rows', 'runs', 'ms a run', 'p99 ms', 'longest ms', 'own work ms'], table)
    return verdicts
  })
}

/** Line of the table of a thread that does nothing: what the machine and its other programs add. */
async function alone(): Promise<string[]> {
  const watch = watchLoop()
  await new Promise((resolve) => setTimeout(resolve, WATCHED_MS))
  const { p99, longest, busiest } = watch.end()
  return ['nothing', '', '', '', ...[p99, longest, busiest].map((time) => time.toFixed(1))]
}

/** One that is there for the report over it, which asks for one. */
async function makeBillOfMaterials(context: Context): Promise<void> {
  const { registry } = context.services
  const boms = registry.byDoctype('BOM')!
  const items = [{ item_code: 'BENCH-WORK', qty: 1, rate: 1 }]
  const { id } = await createDocument(context, boms, { item: 'BENCH-GOODS', items })
  await submitDocument(context, boms, id)
}

interface Beside extends LoopLag {
  readonly runs: number
  /** Time of one run, in ms. */
  readonly ms: number
  /** Rows that the report has. */
  readonly total: number
}

async function beside(context: Context, report: Report): Promise<Beside> {
  const [total, run] = await firstRun(context, report)
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

/** Runs the report over the longest period it takes; returns the number of its rows, and what runs it again. */
async function firstRun(
  context: Context,
  report: Report,
): Promise<readonly [total: number, run: () => Promise<number>]> {
  const failures: unknown[] = []
  for (const [from, to] of PERIODS) {
    const values = { from_date: from, to_date: to, report_date: to }
    const known = Object.entries(values).filter(([name]) =>
      report.params.some(({ field }) => field.name === name),
    )
    const run = async (): Promise<number> => {
      const query = { given: new Map(known), limit: 100, offset: 0 }
      const result = await runReport(context, report, query)
      JSON.stringify(result)
      return result.total
    }
    try {
      return [await run(), run]
    } catch (failure) {
      failures.push(failure)
    }
  }
  throw new AggregateError(failures, `${report.slug} takes none of the periods`)
}
