import { type ReactElement, useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { type Formats, formatDate } from '../data/format.ts'
import type { FieldInfo, Row } from '../data/types.ts'
import { TextField } from '../ui/fields.tsx'
import { Icon } from '../ui/icon.tsx'
import { Popover } from '../ui/popover.tsx'
import { PAGES } from '../words/pages/en.ts'
import { sentenceCase } from '../words/sentence-case.ts'
import { dayPresets, type Preset, presets } from './spans.ts'
import type { ReportState } from './use-parameters.ts'

interface SpanProps {
  readonly from: FieldInfo
  /** The same as `from` where a report is on one day. */
  readonly to: FieldInfo
  readonly values: Row
  readonly state: ReportState
  readonly problems: ReadonlyMap<string, string>
}

/** The days a report is about: those people ask for most by one press, others by their dates. */
export function SpanChip({ from, to, values, state, problems }: SpanProps): ReactElement {
  const { formats } = useDesk()
  const [today] = useState(() => new Date())
  const isDay = from === to
  const known = isDay ? dayPresets(today) : presets(today)
  const first = String(values[from.name] ?? '')
  const last = String(values[to.name] ?? '')
  const chosen = known.find((one) => one.from === first && one.to === last)
  const days = isDay ? formatDate(first, formats) : spanText(first, last, formats)
  const take = (preset: Preset): void =>
    state.change({ [from.name]: preset.from, [to.name]: preset.to })
  const isGiven = state.given.has(from.name) || state.given.has(to.name)
  const isWrong = problems.has(from.name) || problems.has(to.name)
  return (
    <Popover
      label={PAGES.period}
      className={`chip span-chip${isGiven ? ' active' : ''}${isWrong ? ' wrong' : ''}`}
      trigger={
        <>
          <Icon name="calendar-days" size={14} />
          {chosen ? <span className="chip-label">{chosen.label}</span> : null}
          <span className="chip-value">{days === '' ? PAGES.period : days}</span>
          <Icon name="chevron-down" size={12} />
        </>
      }
    >
      {(close) => (
        <div className="span-sheet">
          <ul>
            {known.map((preset) => (
              <li key={preset.label}>
                <button
                  type="button"
                  className="menu-item"
                  aria-pressed={preset === chosen}
                  onClick={() => {
                    take(preset)
                    close()
                  }}
                >
                  <span className="menu-text">{preset.label}</span>
                  {preset === chosen ? <Icon name="check" size={14} /> : null}
                </button>
              </li>
            ))}
          </ul>
          <div className="span-days">
            {[from, ...(isDay ? [] : [to])].map((field) => (
              <TextField
                key={field.name}
                label={sentenceCase(field.label)}
                type="date"
                value={String(values[field.name] ?? '')}
                error={problems.get(field.name)}
                onChange={(value) => value !== '' && state.change({ [field.name]: value })}
              />
            ))}
          </div>
        </div>
      )}
    </Popover>
  )
}

/** Two days as people write a span: `1 – 30 Nov 2026`. */
function spanText(from: string, to: string, formats: Formats): string {
  const [first, last] = [from, to].map((day) => new Date(`${day}T00:00:00Z`))
  if (!first || !last || Number.isNaN(first.getTime()) || Number.isNaN(last.getTime())) return ''
  const format = new Intl.DateTimeFormat(formats.locale, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })
  return format.formatRange(first, last)
}
