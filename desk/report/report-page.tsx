import '../style/report.css'
import { type ReactElement, useEffect } from 'react'
import { Link } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import { ApiError } from '../data/client.ts'
import { useTitles } from '../record/use-titles.ts'
import { NotFound } from '../shell/not-found.tsx'
import { PageSkeleton } from '../ui/skeleton.tsx'
import { WORDS } from '../words/en.ts'
import { PAGES } from '../words/pages/en.ts'
import { sentenceCase } from '../words/sentence-case.ts'
import { ReportChartCard } from './report-chart.tsx'
import { ReportFilters } from './report-filters.tsx'
import { ReportHead } from './report-head.tsx'
import { ReportNumbers } from './report-numbers.tsx'
import { ReportTable } from './report-table.tsx'
import type { ReportAnswer, ReportInfo } from './report-types.ts'
import { formatsOf, linkedRecords } from './report-values.ts'
import { ReportViews } from './report-views.tsx'
import { type ReportState, useParameters } from './use-parameters.ts'
import { useReport, useReports } from './use-report.ts'

/** `/r/{report}`: what a report answers, and what it is asked with. */
export function ReportPage({ slug }: { slug: string }): ReactElement {
  const { boot } = useDesk()
  const reports = useReports()
  const state = useParameters()
  const info = reports.data?.get(slug)
  const missing = (info?.params ?? []).filter(
    ({ name, required, has_default }) => required && !has_default && !state.given.get(name),
  )
  const answer = useReport(slug, queryOf(state), info?.allowed === true && missing.length === 0)
  const title = info?.label
  useEffect(() => {
    if (title) document.title = `${title} · ${boot.workspace.label}`
  }, [title, boot])
  if (reports.error) return <NotFound message={reports.error.message} />
  if (!reports.data) return <PageSkeleton />
  if (!info) return <NotFound />
  return (
    <div className="report-page" data-report={slug}>
      <nav className="crumbs no-print" aria-label={WORDS.goTo}>
        <Link href="/r">{PAGES.reports}</Link>
      </nav>
      <ReportHead info={info} state={state} answer={answer.data} />
      <ReportViews info={info} state={state} />
      {info.allowed ? (
        <>
          <ReportFilters info={info} state={state} answer={answer.data} error={answer.error} />
          {missing.length > 0 ? (
            <div className="empty">
              <h2>
                {PAGES.chooseFirst(missing.map(({ label }) => sentenceCase(label)).join(', '))}
              </h2>
              <p className="quiet">{info.description}</p>
            </div>
          ) : (
            <ReportBody
              key={slug}
              info={info}
              state={state}
              answer={answer.data}
              error={answer.error}
              isOld={answer.isPlaceholderData}
            />
          )}
        </>
      ) : (
        <p className="empty">{PAGES.reportLocked}</p>
      )}
    </div>
  )
}

/** Rows asked for at first, unless the address says how many. */
const FIRST_ROWS = '300'

function queryOf({ query, given }: ReportState): string {
  if (given.has('limit')) return query
  return query === '' ? `limit=${FIRST_ROWS}` : `${query}&limit=${FIRST_ROWS}`
}

interface BodyProps {
  readonly info: ReportInfo
  readonly state: ReportState
  readonly answer: ReportAnswer | undefined
  readonly error: Error | null
  /** Whether what is shown is the answer before, while the asked one is on its way. */
  readonly isOld: boolean
}

function ReportBody({ info, state, answer, error, isOld }: BodyProps): ReactElement {
  const { slugOf, entryOf, formats: own } = useDesk()
  const titles = useTitles(answer ? linkedRecords(answer, slugOf, entryOf) : [])
  const formats = formatsOf(answer, own)
  if (error && (!answer || !(error instanceof ApiError) || error.details.length === 0))
    return (
      <p className="empty" role="alert">
        {error.message}
      </p>
    )
  if (!answer || answer.report !== info.slug) return <PageSkeleton />
  if (answer.data.length === 0)
    return (
      <div className="empty">
        <h2>{PAGES.nothingInReport}</h2>
        <p>{info.description}</p>
        <p className="quiet">{PAGES.widenReport}</p>
      </div>
    )
  const shared = { answer, titles, formats }
  return (
    <div className="report-body" data-old={isOld} aria-busy={isOld}>
      <ReportNumbers {...shared} />
      <ReportChartCard {...shared} title={info.label} state={state} />
      <ReportTable {...shared} state={state} label={info.label} />
    </div>
  )
}
