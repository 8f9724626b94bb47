import type { ReactElement } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { Chart } from '../chart/chart.tsx'
import { useTitles } from '../record/use-titles.ts'
import { PageSkeleton } from '../ui/skeleton.tsx'
import { PAGES } from '../words/pages/en.ts'
import { kindOf, useChart } from './report-chart.tsx'
import { ReportTable } from './report-table.tsx'
import { formatsOf, linkedRecords } from './report-values.ts'
import type { Tried } from './use-builder.ts'

interface TriedReportProps {
  readonly tried: Tried | undefined
  readonly label: string
  /** What is wrong with the report as it stands. */
  readonly said: string | undefined
  readonly isBusy: boolean
}

/** What a report that is being made says so far, with its file. */
export function TriedReport({ tried, label, said, isBusy }: TriedReportProps): ReactElement {
  return (
    <div className="built" aria-busy={isBusy}>
      {said === undefined ? null : (
        <p className="notice problem" role="alert">
          {said}
        </p>
      )}
      {tried ? <Shown tried={tried} label={label} /> : isBusy ? <PageSkeleton /> : null}
    </div>
  )
}

function Shown({ tried, label }: { tried: Tried; label: string }): ReactElement {
  const { slugOf, entryOf, formats: own } = useDesk()
  const titles = useTitles(linkedRecords(tried, slugOf, entryOf))
  const formats = formatsOf(tried, own)
  const drawn = useChart(tried, titles, formats)
  return (
    <>
      {drawn ? (
        <Chart title={label} kind={kindOf(tried)} data={drawn.data} text={drawn.text} />
      ) : null}
      {tried.data.length === 0 ? (
        <p className="empty">{PAGES.nothingInReport}</p>
      ) : (
        <ReportTable answer={tried} titles={titles} formats={formats} label={label} />
      )}
      <details>
        <summary>{PAGES.itsFile}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys */}
        <pre className="yaml" tabIndex={0}>
          {tried.yaml}
        </pre>
      </details>
    </>
  )
}
