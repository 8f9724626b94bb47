import { type PointerEvent, type ReactElement, useState } from 'react'
import type { ChartData, ChartKind } from './chart-data.ts'
import { color } from './color.ts'
import { type Scale, scaleOf, stacked } from './scale.ts'

interface PlotProps {
  readonly kind: ChartKind
  readonly data: ChartData
  readonly text: (value: number, isShort?: boolean) => string
  readonly width: number
  readonly height: number
}

const TOP = 10
const BOTTOM = 26
const END = 8
/** Width of a letter of the axis, about. */
const LETTER = 6.6

/** Bars, lines or areas over an axis, with the numbers of the place the pointer is at. */
export function Plot({ kind, data, text, width, height }: PlotProps): ReactElement {
  const { places, series } = data
  const [at, setAt] = useState<number>()
  const isStacked = data.isStacked && kind !== 'line'
  const spans = isStacked
    ? stacked(series.map(({ values }) => values))
    : series.map(({ values }) => values.map((value) => [0, value] as const))
  const scale = scaleOf(spans.flatMap((own) => own.flat()))
  const labels = scale.ticks.map((tick) => text(tick, true))
  const start = Math.max(...labels.map(({ length }) => length)) * LETTER + 12
  const inner = Math.max(40, width - start - END)
  const band = inner / places.length
  const y = (value: number): number =>
    TOP + ((scale.largest - value) / (scale.largest - scale.least)) * (height - TOP - BOTTOM)
  const middle = (place: number): number => start + band * (place + 0.5)
  function point({ nativeEvent }: PointerEvent): void {
    const place = Math.floor((nativeEvent.offsetX - start) / band)
    setAt(place >= 0 && place < places.length ? place : undefined)
  }
  const drawing = { spans, band, middle, y }
  return (
    <>
      <svg
        aria-hidden="true"
        width={width}
        height={height}
        onPointerMove={point}
        onPointerLeave={() => setAt(undefined)}
      >
        {scale.ticks.map((tick, index) => (
          <g key={tick} className={tick === 0 ? 'axis zero' : 'axis'}>
            <line x1={start} x2={width - END} y1={y(tick)} y2={y(tick)} />
            <text x={start - 8} y={y(tick) + 4} textAnchor="end">
              {labels[index]}
            </text>
          </g>
        ))}
        {at === undefined ? null : (
          <rect
            className="at"
            x={start + band * at}
            y={TOP}
            width={band}
            height={height - TOP - BOTTOM}
            rx={6}
          />
        )}
        {kind === 'bar' ? (
          <Bars {...drawing} isStacked={isStacked} />
        ) : (
          <Lines {...drawing} isFilled={kind === 'area'} isStacked={isStacked} at={at} />
        )}
        <Places places={places} band={band} middle={middle} y={height - 8} scale={scale} />
      </svg>
      {at === undefined ? null : (
        <div
          className="chart-tip"
          style={{ insetInlineStart: Math.min(middle(at) + 12, width - 190), insetBlockStart: TOP }}
        >
          <strong>{places[at]}</strong>
          {series.map(({ label, values }, index) => (
            <span key={label}>
              <i className="swatch" style={{ background: color(index) }} />
              {label}
              <b>{text(values[at] ?? 0)}</b>
            </span>
          ))}
        </div>
      )}
    </>
  )
}

interface DrawingProps {
  /** Where each value of a series begins and ends. */
  readonly spans: readonly (readonly (readonly [from: number, to: number])[])[]
  readonly band: number
  readonly middle: (place: number) => number
  readonly y: (value: number) => number
  readonly isStacked: boolean
}

function Bars({ spans, band, middle, y, isStacked }: DrawingProps): ReactElement {
  const count = isStacked ? 1 : spans.length
  const wide = Math.max(2, Math.min(46, (band * 0.72) / count))
  return (
    <>
      {spans.map((own, series) => (
        <g key={series} fill={color(series)}>
          {own.map(([from, to], place) => {
            const top = y(Math.max(from, to))
            const tall = Math.abs(y(from) - y(to))
            const x = middle(place) - (wide * count) / 2 + (isStacked ? 0 : series * wide)
            return tall === 0 ? null : (
              <rect
                key={place}
                x={x + 1}
                y={top}
                width={wide - 2}
                height={Math.max(1, tall - (isStacked ? 1 : 0))}
                rx={Math.min(4, wide / 5, tall)}
              />
            )
          })}
        </g>
      ))}
    </>
  )
}

interface LineProps extends DrawingProps {
  readonly isFilled: boolean
  readonly at: number | undefined
}

function Lines({ spans, middle, y, isFilled, isStacked, at }: LineProps): ReactElement {
  return (
    <>
      {spans.map((own, series) => {
        const tops = own.map(([, to], place) => `${middle(place)},${y(to)}`)
        const feet = own.map(([from], place) => `${middle(place)},${y(isStacked ? from : 0)}`)
        const marked = own.length === 1 ? 0 : at
        const end = marked === undefined ? undefined : own[marked]?.[1]
        return (
          <g key={series}>
            {isFilled ? (
              <polygon
                points={[...tops, ...feet.toReversed()].join(' ')}
                fill={color(series)}
                opacity={isStacked ? 0.75 : 0.16}
              />
            ) : null}
            <polyline
              points={tops.join(' ')}
              fill="none"
              stroke={color(series)}
              strokeWidth={2.25}
              strokeLinejoin="round"
              strokeLinecap="round"
            />
            {end === undefined || marked === undefined ? null : (
              <circle
                cx={middle(marked)}
                cy={y(end)}
                r={4.5}
                fill={color(series)}
                className="dot"
              />
            )}
          </g>
        )
      })}
    </>
  )
}

interface PlacesProps {
  readonly places: readonly string[]
  readonly band: number
  readonly middle: (place: number) => number
  readonly y: number
  readonly scale: Scale
}

/** Names below the axis: as many as have room, the others at the pointer. */
function Places({ places, band, middle, y }: PlacesProps): ReactElement {
  const longest = Math.max(...places.map(({ length }) => length)) * LETTER
  const every = Math.max(1, Math.ceil(Math.min(longest, 96) / band))
  const room = Math.max(3, Math.floor((band * every) / LETTER))
  return (
    <g className="axis">
      {places.map((place, at) =>
        at % every === 0 ? (
          <text key={place} x={middle(at)} y={y} textAnchor="middle">
            {place.length > room ? `${place.slice(0, room - 1)}…` : place}
          </text>
        ) : null,
      )}
    </g>
  )
}
