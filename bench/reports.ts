import BetterSqlite3 from 'better-sqlite3'
import { SYSTEM_ACTOR } from '../engine/access/actor.ts'
import type { ReportResult } from '../engine/reports/run/result.ts'
import { runReport } from '../engine/reports/run/run.ts'
import type { Books } from './books.ts'
import type { HandWrittenReport, HandWrittenResult } from './hand-written/report.ts'
import { HAND_WRITTEN_REPORTS } from './hand-written/reports.ts'
import { fillBooks, openBenchEngine } from './ledger-fill.ts'
import { median } from './load.ts'
import type { Options } from './options.ts'
import { printTable, type Verdict } from './verdict.ts'
import { createWorkspace, inFolder } from './workspace.ts'

const MOST_TIMES = 1.5

/** Reports over ledgers of a million rows beside the same SQL written by hand, turn by turn in one process. */
export async function measureReports(options: Options): Promise<Verdict[]> {
  const { rounds, rows, only } = options
  const isChosen = (name: string): boolean =>
    only === '' || only.split(',').some((part) => name.includes(part))
  const chosen = HAND_WRITTEN_REPORTS.filter(({ name }) => isChosen(name))
  const verdicts: Verdict[] = []
  const table: string[][] = []
  for (const [books, reports] of Map.groupBy(chosen, (one) => one.books))
    for (const { name, ours, theirs, ratio } of await measureOver(books, reports, options)) {
      table.push([name, ours.toFixed(0), theirs.toFixed(0), ratio.toFixed(2)])
      verdicts.push({
        part: 'reports',
        what: name,
        measured: `${ratio.toFixed(2)} × the time`,
        wanted: `at most ${MOST_TIMES}`,
        passed: ratio <= MOST_TIMES,
      })
    }
  console.log(`\nReports over ledgers of ${rows} rows, medians of ${rounds} rounds`)
  printTable(['', 'svc ms', 'by hand ms', 'ratio'], table)
  return verdicts
}

interface Measured {
  readonly name: string
  /** Medians in milliseconds. */
  readonly ours: number
  readonly theirs: number
  readonly ratio: number
}

/** Measures reports that read the same books, in a workspace made for them. */
function measureOver(
  books: Books,
  reports: readonly HandWrittenReport[],
  { rounds, rows }: Options,
): Promise<Measured[]> {
  return inFolder(async (parent) => {
    const workspace = createWorkspace(parent)
    await fillBooks(workspace, books, rows)
    const engine = await openBenchEngine(workspace)
    const database = new BetterSqlite3(workspace.databaseFile, { readonly: true })
    // As our own connections have it.
    for (const setting of ['cache_size = -32768', 'temp_store = memory', 'mmap_size = 268435456'])
      database.pragma(setting)
    const context = engine.context(SYSTEM_ACTOR, 'business')
    const { name: company } = database.prepare('select name from companies').get() as {
      name: string
    }
    const measured: Measured[] = []
    for (const { name, slug, params, run } of reports) {
      const report = engine.reports().bySlug(slug)!
      const has = new Set(report.params.map(({ field }) => field.name))
      const given = new Map(
        Object.entries({ company, ...params }).filter(([param]) => has.has(param)),
      )
      const ours = async (): Promise<ReportResult> => {
        const result = await runReport(context, report, { given, limit: 100, offset: 0 })
        JSON.stringify(result)
        return result
      }
      const theirs = async (): Promise<HandWrittenResult> => {
        const result = run(database, company)
        JSON.stringify(result)
        return result
      }
      assertSame(name, await ours(), await theirs())
      const times: { ours: number; theirs: number }[] = []
      for (let round = 0; round < rounds; round += 1)
        times.push({ ours: await timed(ours), theirs: await timed(theirs) })
      measured.push({
        name,
        ours: median(times.map((time) => time.ours)),
        theirs: median(times.map((time) => time.theirs)),
        ratio: median(times.map((time) => time.ours / time.theirs)),
      })
    }
    database.close()
    await engine.close()
    return measured
  })
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await run()
  return performance.now() - began
}

/** Checks that both sides found as many rows, the same values in columns that both have, and the same totals. */
function assertSame(name: string, ours: ReportResult, theirs: HandWrittenResult): void {
  const profit = ours.summary.find((one) => one.name === 'profit')?.value
  const pairs: [string, unknown, unknown][] = [['rows', ours.data.length, theirs.rows.length]]
  if (ours.data.length === 0) throw new Error(`${name}: there are no rows to compare`)
  for (const [index, row] of theirs.rows.entries())
    for (const [column, value] of Object.entries(row)) {
      const own = ours.data[index]
      if (own && column in own) pairs.push([`${column} of row ${index + 1}`, own[column], value])
    }
  for (const [column, total] of Object.entries(theirs.totals ?? {}))
    pairs.push([`the total of ${column}`, ours.totals?.[column], total])
  if (theirs.profit !== undefined) pairs.push(['profit', profit, theirs.profit])
  for (const [what, a, b] of pairs)
    if (!isSame(a, b))
      throw new Error(`${name}: ${what} is ${JSON.stringify(a)}, by hand ${JSON.stringify(b)}`)
}

/** True for the same value; by hand an unset text is null and a check is 1 or 0. */
function isSame(ours: unknown, theirs: unknown): boolean {
  if (typeof theirs === 'number') return Math.abs(Number(ours ?? 0) - theirs) < 1e-6
  return String(ours ?? '') === String(theirs ?? '')
}
