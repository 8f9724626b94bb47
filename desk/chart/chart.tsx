import '../style/chart.css'
import { type ReactElement, useId, useLayoutEffect, useRef, useState } from 'react'
import { PAGES } from '../words/pages/en.ts'
import type { ChartData, ChartKind } from './chart-data.ts'
import { color } from './color.ts'
import { Donut } from './donut.tsx'
import { Plot } from './plot.tsx'

interface ChartProps {
  readonly title: string
  readonly kind: ChartKind
  readonly data: ChartData
  /** Text of a number for people; `isShort` for an axis. */
  readonly text: (value: number, isShort?: boolean) => string
  readonly height?: number
}

/** A chart as SVG of our own, with what it shows in a sentence for who cannot see it. */
export function Chart({ title, kind, data, text, height = 260 }: ChartProps): ReactElement {
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  const id = useId()
  const Drawing = kind === 'donut' ? Donut : Plot
  return (
    <figure className="chart" aria-labelledby={id}>
      <figcaption id={id} className="visually-hidden">
        {told(title, data, text)}
      </figcaption>
      {data.series.length > 1 && kind !== 'donut' ? (
        <ul className="legend" aria-hidden="true">
          {data.series.map(({ label }, at) => (
            <li key={label}>
              <span className="swatch" style={{ background: color(at) }} />
              {label}
            </li>
          ))}
        </ul>
      ) : null}
      <div ref={box} className="plot" style={{ minHeight: height }} aria-hidden="true">
        {width > 0 ? (
          <Drawing kind={kind} data={data} text={text} width={width} height={height} />
        ) : null}
      </div>
    </figure>
  )
}

/** What a chart shows, in a sentence: each series with its sum, its highest and its lowest place. */
function told(title: string, { places, series }: ChartData, text: ChartProps['text']): string {
  const parts = series.map(({ label, values }) => {
    const highest = values.indexOf(Math.max(...values))
    const lowest = values.indexOf(Math.min(...values))
    const all = values.reduce((sum, value) => sum + value, 0)
    return PAGES.chartTells(
      label,
      text(all),
      `${places[highest]} (${text(values[highest] ?? 0)})`,
      `${places[lowest]} (${text(values[lowest] ?? 0)})`,
    )
  })
  return `${title}. ${parts.join(' ')}`
}

function useWidth(box: React.RefObject<HTMLDivElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    setWidth(element.clientWidth)
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [box])
  return width
}
