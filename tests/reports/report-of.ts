import { SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import type { ReportResult } from '../../engine/reports/run/result.ts'
import { runReport } from '../../engine/reports/run/run.ts'
import type { Story } from '../stories/story.ts'

/** Runs a report of a story's workspace by its slug. */
export type Asked = (
  slug: string,
  params?: Readonly<Record<string, string>>,
  page?: { readonly limit?: number; readonly offset?: number },
) => Promise<ReportResult>

/** Asks the reports of a workspace as the system, which may see everything. */
export function reportsOf({ engine }: Pick<Story, 'engine'>): Asked {
  return async (slug, params = {}, { limit = 1000, offset = 0 } = {}) => {
    const report = engine.reports().bySlug(slug)
    if (!report) throw new Error(`there is no report ${slug}`)
    const given = new Map(Object.entries(params))
    return runReport(engine.context(SYSTEM_ACTOR, 'business'), report, { given, limit, offset })
  }
}

/** The rows as lists of these columns. */
export function rowsOf({ data }: ReportResult, columns: readonly string[]): unknown[][] {
  return data.map((row) => columns.map((name) => row[name]))
}
