import { type ReactElement, useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { ApiError } from '../data/client.ts'
import { formatDate, formatValue } from '../data/format.ts'
import type { FieldInfo, Row } from '../data/types.ts'
import { FieldInput } from '../record/field-input.tsx'
import { type Titles, useTitles } from '../record/use-titles.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Popover } from '../ui/popover.tsx'
import { WORDS } from '../words/en.ts'
import { PAGES } from '../words/pages/en.ts'
import { sentenceCase } from '../words/sentence-case.ts'
import type { ReportAnswer, ReportInfo } from './report-types.ts'
import { SpanChip } from './span-chip.tsx'
import { dayParameter, spanParameters } from './spans.ts'
import type { ReportState } from './use-parameters.ts'

interface FiltersProps {
  readonly info: ReportInfo
  readonly state: ReportState
  readonly answer: ReportAnswer | undefined
  readonly error: Error | null
}

/** Filters that are shown before the others are behind a button. */
const MOST_SHOWN = 6

/** What a report is asked with: each parameter a chip with its value, which opens its field. */
export function ReportFilters({ info, state, answer, error }: FiltersProps): ReactElement {
  const values = valuesOf(info, state, answer)
  const titles = useParameterTitles(info, values)
  const problems = new Map(
    error instanceof ApiError ? error.details.map(({ field, message }) => [field, message]) : [],
  )
  const span = spanParameters(info.params)
  const day = dayParameter(info.params)
  const rest = info.params.filter(
    (field) => field !== day && field !== span?.[0] && field !== span?.[1],
  )
  const isOpen = ({ name, type, required }: FieldInfo): boolean =>
    (required && type !== 'int') || state.given.has(name) || problems.has(name)
  const [more, setMore] = useState(false)
  const ordered = [...rest.filter(isOpen), ...rest.filter((field) => !isOpen(field))]
  const shown = more || ordered.length <= MOST_SHOWN + 1 ? ordered : ordered.slice(0, MOST_SHOWN)
  const others = ordered.length - shown.length
  const isGiven = [...state.given.keys()].some((name) => name !== 'limit' && name !== 'order_by')
  return (
    <div className="report-filters no-print">
      {span ? (
        <SpanChip from={span[0]} to={span[1]} values={values} state={state} problems={problems} />
      ) : null}
      {day ? (
        <SpanChip from={day} to={day} values={values} state={state} problems={problems} />
      ) : null}
      {shown.map((field) => (
        <ParameterChip
          key={field.name}
          field={field}
          values={values}
          titles={titles}
          state={state}
          problem={problems.get(field.name)}
        />
      ))}
      {others > 0 ? (
        <button type="button" className="chip dashed" onClick={() => setMore(true)}>
          <Icon name="list-filter" size={14} />
          {PAGES.moreFilters(String(others))}
        </button>
      ) : null}
      {isGiven ? (
        <button
          type="button"
          className="link-button"
          onClick={() =>
            state.change(
              Object.fromEntries([...state.given.keys()].map((name) => [name, undefined])),
            )
          }
        >
          {PAGES.asUsual}
        </button>
      ) : null}
      {[...problems].map(([name, message]) => (
        <p key={name} className="field-error" role="alert">
          {sentenceCase(info.params.find((field) => field.name === name)?.label ?? '')} {message}
        </p>
      ))}
    </div>
  )
}

/** What holds now: what the report took, over that what the address says. */
function valuesOf(
  { params }: ReportInfo,
  { given }: ReportState,
  answer: ReportAnswer | undefined,
): Row {
  const usual = params.flatMap(({ name, default: value }) =>
    value === undefined ? [] : [[name, value] as const],
  )
  const values: Record<string, unknown> = { ...Object.fromEntries(usual), ...answer?.meta.params }
  for (const { name, type } of params) {
    const text = given.get(name)
    if (text === undefined) continue
    values[name] = type === 'check' ? text === 'true' || text === '1' : text
  }
  return values
}

function useParameterTitles({ params }: ReportInfo, values: Row): Titles {
  const { slugOf } = useDesk()
  return useTitles(
    params.flatMap((field) => {
      const slug = field.resource ?? slugOf(values[field.resource_from ?? ''])
      const id = values[field.name]
      return slug && typeof id === 'string' && id !== '' ? [{ slug, id }] : []
    }),
  )
}

interface ChipProps {
  readonly field: FieldInfo
  readonly values: Row
  readonly titles: Titles
  readonly state: ReportState
  readonly problem: string | undefined
}

function ParameterChip({ field, values, titles, state, problem }: ChipProps): ReactElement {
  const { formats, slugOf } = useDesk()
  const { name, type } = field
  const label = sentenceCase(field.label)
  const value = values[name]
  const slug = field.resource ?? slugOf(values[field.resource_from ?? ''])
  const title = titles.get(`${slug}/${value}`)
  if (type === 'check')
    return (
      <label className={`chip check-chip${value === true ? ' active' : ''}`}>
        <input
          type="checkbox"
          checked={value === true}
          onChange={(event) => state.change({ [name]: String(event.currentTarget.checked) })}
        />
        {label}
      </label>
    )
  const text =
    title ??
    (type === 'date'
      ? formatDate(String(value ?? ''), formats)
      : formatValue(field, values, formats))
  return (
    <Popover
      label={label}
      className={`chip${state.given.has(name) ? ' active' : ''}${problem ? ' wrong' : ''}`}
      trigger={
        <>
          <span className="chip-label">{label}</span>
          {text === '' ? null : <span className="chip-value">{text}</span>}
          <Icon name="chevron-down" size={12} />
        </>
      }
    >
      {(close) => (
        <ParameterForm
          field={field}
          values={title === undefined ? values : { ...values, _titles: { [name]: title } }}
          problem={problem}
          onTake={(next) => {
            state.change({ [name]: next === '' ? undefined : next })
            close()
          }}
        />
      )}
    </Popover>
  )
}

interface FormProps {
  readonly field: FieldInfo
  readonly values: Row
  readonly problem: string | undefined
  readonly onTake: (value: string) => void
}

/** The field of a parameter; what is chosen is taken at once, what is typed by Enter. */
function ParameterForm({ field, values, problem, onTake }: FormProps): ReactElement {
  const [draft, setDraft] = useState<Row>(values)
  const isChosen = field.type === 'select' || field.type.endsWith('link')
  return (
    <form
      className="filter-form"
      onSubmit={(event) => {
        event.preventDefault()
        onTake(String(draft[field.name] ?? ''))
      }}
    >
      <FieldInput
        field={field}
        row={draft}
        error={problem}
        onChange={(name, value) => {
          setDraft({ ...draft, [name]: value })
          if (isChosen) onTake(String(value ?? ''))
        }}
      />
      {isChosen ? null : (
        <Button kind="primary" type="submit">
          {WORDS.apply}
        </Button>
      )}
    </form>
  )
}
