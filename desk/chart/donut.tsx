import type { ReactElement } from 'react'
import type { ChartData } from './chart-data.ts'
import { color } from './color.ts'

interface DonutProps {
  readonly data: ChartData
  readonly text: (value: number, isShort?: boolean) => string
  readonly height: number
}

const THICK = 30

/** Parts of a whole as a ring, with their names, amounts and shares beside it. Of several series each is a part. */
export function Donut({ data, text, height }: DonutProps): ReactElement {
  const { places, series } = data
  const [only] = series
  const all =
    series.length === 1 && only
      ? places.map((label, at) => ({ label, value: only.values[at] ?? 0 }))
      : series.map(({ label, values }) => ({
          label,
          value: values.reduce((sum, value) => sum + value, 0),
        }))
  const parts = all.filter(({ value }) => value > 0).slice(0, 6)
  const whole = all.reduce((sum, { value }) => sum + Math.max(0, value), 0)
  const size = Math.min(height, 220)
  const radius = (size - THICK) / 2
  const around = 2 * Math.PI * radius
  let before = 0
  return (
    <div className="donut">
      <svg aria-hidden="true" width={size} height={size}>
        <g transform={`rotate(-90 ${size / 2} ${size / 2})`} fill="none" strokeWidth={THICK}>
          {parts.map(({ label, value }, at) => {
            const share = value / whole
            const offset = before
            before += share
            return (
              <circle
                key={label}
                cx={size / 2}
                cy={size / 2}
                r={radius}
                stroke={color(at)}
                strokeDasharray={`${Math.max(0, share * around - 2)} ${around}`}
                strokeDashoffset={-offset * around}
              />
            )
          })}
        </g>
        <text x={size / 2} y={size / 2 + 6} textAnchor="middle" className="whole">
          {text(whole, true)}
        </text>
      </svg>
      <ul>
        {parts.map(({ label, value }, at) => (
          <li key={label}>
            <span className="swatch" style={{ background: color(at) }} />
            <span>{label}</span>
            <b>{text(value)}</b>
            <span className="quiet">{Math.round((value / whole) * 100)} %</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
