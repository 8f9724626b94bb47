import BetterSqlite3 from 'better-sqlite3'
import { SYSTEM_ACTOR } from '../engine/access/actor.ts'
import type { ReportResult } from '../engine/reports/result.ts'
import { runReport } from '../engine/reports/run.ts'
import { HAND_WRITTEN_REPORTS } from './hand-written/reports.ts'
import { fillLedgers, openBenchEngine } from './ledger-fill.ts'
import { median } from './load.ts'
import type { Options } from './options.ts'
import { printTable, type Verdict } from './verdict.ts'
import { createWorkspace, inFolder } from './workspace.ts'

const MOST_TIMES = 1.5

/** Reports over ledgers of a million rows beside the same SQL written by hand, turn by turn in one process. */
export function measureReports({ rounds, rows, only }: Options): Promise<Verdict[]> {
  return inFolder(async (parent) => {
    const workspace = createWorkspace(parent)
    await fillLedgers(workspace, rows)
    const engine = await openBenchEngine(workspace)
    const database = new BetterSqlite3(workspace.databaseFile, { readonly: true })
    // As our own connections have it.
    for (const setting of ['cache_size = -32768', 'temp_store = memory', 'mmap_size = 268435456'])
      database.pragma(setting)
    const context = engine.context(SYSTEM_ACTOR, 'business')
    const { name: company } = database.prepare('select name from companies').get() as {
      name: string
    }
    const verdicts: Verdict[] = []
    const table: string[][] = []
    for (const [slug, { params, run }] of Object.entries(HAND_WRITTEN_REPORTS)) {
      if (only !== '' && !only.split(',').some((part) => slug.includes(part))) continue
      const report = engine.reports().bySlug(slug)!
      const given = new Map(Object.entries({ company, ...params }))
      const ours = async (): Promise<ReportResult> => {
        const result = await runReport(context, report, { given, limit: 100, offset: 0 })
        JSON.stringify(result)
        return result
      }
      const theirs = async (): Promise<unknown> => {
        const result = run(database, company)
        JSON.stringify(result)
        return result
      }
      assertSame(slug, await ours(), (await theirs()) as HandResult)
      const times: { ours: number; theirs: number }[] = []
      for (let round = 0; round < rounds; round += 1)
        times.push({ ours: await timed(ours), theirs: await timed(theirs) })
      const ratio = median(times.map((time) => time.ours / time.theirs))
      const middle = (side: 'ours' | 'theirs'): string =>
        median(times.map((time) => time[side])).toFixed(0)
      table.push([slug, middle('ours'), middle('theirs'), ratio.toFixed(2)])
      verdicts.push({
        part: 'reports',
        what: slug,
        measured: `${ratio.toFixed(2)} × the time`,
        wanted: `at most ${MOST_TIMES}`,
        passed: ratio <= MOST_TIMES,
      })
    }
    console.log(`\nReports over ledgers of ${rows} rows, medians of ${rounds} rounds`)
    printTable(['', 'svc ms', 'by hand ms', 'ratio'], table)
    database.close()
    await engine.close()
    return verdicts
  })
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await run()
  return performance.now() - began
}

interface HandResult {
  readonly rows: readonly unknown[]
  readonly totals?: Readonly<Record<string, number>>
  readonly profit?: number
}

/** Both sides found as many rows, and the same totals where both have them. */
function assertSame(slug: string, ours: ReportResult, theirs: HandResult): void {
  const profit = ours.summary.find(({ name }) => name === 'profit')?.value
  const pairs: [string, unknown, unknown][] = [['rows', ours.data.length, theirs.rows.length]]
  for (const [column, total] of Object.entries(theirs.totals ?? {}))
    if (ours.totals && column in ours.totals) pairs.push([column, ours.totals[column], total])
  if (theirs.profit !== undefined) pairs.push(['profit', profit, theirs.profit])
  for (const [what, a, b] of pairs)
    if (Math.abs(Number(a) - Number(b)) > 0.01)
      throw new Error(`${slug}: ${what} is ${a}, by hand ${b}`)
}
