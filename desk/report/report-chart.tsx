import type { ReactElement } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { Chart } from '../chart/chart.tsx'
import { type ChartKind, chartData } from '../chart/chart-data.ts'
import type { Formats } from '../data/format.ts'
import type { Titles } from '../record/use-titles.ts'
import { Icon } from '../ui/icon.tsx'
import { PAGES } from '../words/pages/en.ts'
import type { ReportAnswer } from './report-types.ts'
import { nameIn, valueText } from './report-values.ts'
import type { ReportState } from './use-parameters.ts'

const KINDS = ['bar', 'line', 'area', 'donut'] as const
const ICONS = {
  bar: 'chart-column',
  line: 'chart-line',
  area: 'chart-area',
  donut: 'chart-pie',
} as const

/** What a chart draws by itself. */
export function kindOf({ chart }: ReportAnswer): ChartKind {
  return chart?.type === 'pie' ? 'donut' : (chart?.type ?? 'bar')
}

/** What the chart of an answer draws, with its texts; undefined for none. */
export function useChart(answer: ReportAnswer | undefined, titles: Titles, formats: Formats) {
  const { slugOf } = useDesk()
  if (!answer) return undefined
  const data = chartData(
    answer,
    (column, row) => nameIn(column, row, titles, formats, slugOf),
    PAGES.others,
  )
  if (!data) return undefined
  const short = new Intl.NumberFormat(formats.locale, {
    notation: 'compact',
    maximumFractionDigits: 1,
  })
  const text = (value: number, isShort = false): string =>
    isShort ? short.format(value) : valueText({ name: 'n', type: data.type }, { n: value }, formats)
  return { data, text }
}

interface CardProps {
  readonly title: string
  readonly answer: ReportAnswer
  readonly titles: Titles
  readonly formats: Formats
  readonly state: ReportState
}

/** The chart of a report, and the ways to draw it. */
export function ReportChartCard({
  title,
  answer,
  titles,
  formats,
  state,
}: CardProps): ReactElement | null {
  const drawn = useChart(answer, titles, formats)
  if (!drawn) return null
  const kind = KINDS.find((one) => one === state.chart) ?? kindOf(answer)
  return (
    <section className="report-chart" aria-label={PAGES.chartOf(title)}>
      <fieldset className="chart-kinds no-print">
        <legend className="visually-hidden">{PAGES.drawnAs}</legend>
        {KINDS.map((one) => (
          <label key={one} title={PAGES.chartKinds[one]}>
            <input
              type="radio"
              name="chart"
              className="visually-hidden"
              checked={one === kind}
              onChange={() => state.change({ chart: one === kindOf(answer) ? undefined : one })}
            />
            <Icon name={ICONS[one]} />
            <span className="visually-hidden">{PAGES.chartKinds[one]}</span>
          </label>
        ))}
      </fieldset>
      <Chart title={title} kind={kind} data={drawn.data} text={drawn.text} />
    </section>
  )
}
