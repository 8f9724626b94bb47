import { type ReactElement, useEffect, useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { choicesOf, formatDate } from '../data/format.ts'
import { useGroups } from '../data/queries.ts'
import type { FieldInfo, ResourceInfo } from '../data/types.ts'
import { Icon } from '../ui/icon.tsx'
import { Pill } from '../ui/pill.tsx'
import { Popover } from '../ui/popover.tsx'
import { WORDS } from '../words/en.ts'
import { inSentence, sentenceCase } from '../words/sentence-case.ts'
import { ColumnPicker } from './column-picker.tsx'
import { FilterForm } from './filter-form.tsx'
import { type Filter, filterKey, type ListState, narrowing } from './list-state.ts'

interface ToolsProps {
  readonly resource: ResourceInfo
  readonly state: ListState
}

/** Milliseconds after the last key until the list is searched. */
const SEARCH_MS = 220

/** Chips beside the search box, at most. */
const MOST_CHIPS = 3

/** What narrows a list: its search box, chips of its choices, filters, and what columns it has. */
export function ListTools({ resource, state }: ToolsProps): ReactElement {
  const chips = resource.fields.filter(
    ({ name, type, filterable }) =>
      type === 'select' && filterable && resource.list_fields.includes(name),
  )
  return (
    <div className="tools">
      <SearchBox resource={resource} state={state} />
      {chips.slice(0, MOST_CHIPS).map((field) => (
        <ChoiceChip key={field.name} resource={resource} field={field} state={state} />
      ))}
      <span data-filter>
        <Popover
          label={WORDS.filter}
          className="chip dashed"
          trigger={
            <>
              <Icon name="list-filter" size={14} />
              {WORDS.filter}
            </>
          }
        >
          {(close) => <FilterForm resource={resource} state={state} close={close} />}
        </Popover>
      </span>
      {state.filters.map((filter) => (
        <FilterPill key={filter.key} filter={filter} resource={resource} state={state} />
      ))}
      <span className="tools-end" hidden={['board', 'calendar'].includes(state.layout)}>
        <Popover
          label={WORDS.columns}
          className="icon-button"
          trigger={
            <>
              <Icon name="columns-3" />
              <span className="visually-hidden">{WORDS.columns}</span>
            </>
          }
        >
          {() => <ColumnPicker resource={resource} state={state} />}
        </Popover>
      </span>
    </div>
  )
}

function SearchBox({ resource, state }: ToolsProps): ReactElement {
  const [text, setText] = useState(state.q)
  const { change, q } = state
  useEffect(() => {
    if (text === q) return
    const timer = setTimeout(() => change({ q: text }, { replace: true }), SEARCH_MS)
    return () => clearTimeout(timer)
  }, [text, q, change])
  // The address may change without the box: by the way back, or by what clears all filters.
  const [known, setKnown] = useState(q)
  if (known !== q) {
    setKnown(q)
    if (q !== text.trim()) setText(q)
  }
  const label = WORDS.searchIn(inSentence(resource.label_plural))
  return (
    <span className="search-box">
      <Icon name="search" size={14} />
      <input
        type="search"
        data-search
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </span>
  )
}

/** Chooses among the values of a select, several of them too. */
function ChoiceChip({ resource, field, state }: ToolsProps & { field: FieldInfo }): ReactElement {
  const own = state.filters.find(
    (one) => one.field === field.name && ['eq', 'in'].includes(one.operator),
  )
  const chosen = new Set(own === undefined ? [] : own.value.split(','))
  const label = sentenceCase(field.label)
  function toggle(value: string): void {
    const next = new Set(chosen)
    if (!next.delete(value)) next.add(value)
    const values = [...next]
    state.change({
      [filterKey(field.name, 'eq')]: values.length === 1 ? values[0] : undefined,
      [filterKey(field.name, 'in')]: values.length > 1 ? values.join(',') : undefined,
    })
  }
  return (
    <Popover
      label={label}
      trigger={
        <>
          {label}
          <Icon name="chevron-down" size={12} />
        </>
      }
    >
      {() => (
        <Choices
          resource={resource}
          field={field}
          state={state}
          label={label}
          chosen={chosen}
          onToggle={toggle}
        />
      )}
    </Popover>
  )
}

interface ChoicesProps extends ToolsProps {
  readonly field: FieldInfo
  readonly label: string
  readonly chosen: ReadonlySet<string>
  readonly onToggle: (value: string) => void
}

/** The choices of a select, each with the records that have it under all the other filters. */
function Choices({ resource, field, state, label, chosen, onToggle }: ChoicesProps): ReactElement {
  const { boot, formats } = useDesk()
  const others = state.filters.filter((one) => one.field !== field.name)
  const query = new URLSearchParams({
    ...narrowing({ ...state, filters: others }),
    _count_by: field.name,
  })
  const { data } = useGroups(resource.slug, query.toString())
  const counts = new Map(data?.groups.map(({ value, count }) => [value, count]))
  return (
    <fieldset className="checks">
      <legend className="visually-hidden">{label}</legend>
      {choicesOf(field).map(({ value, label: text, color }) => (
        <label key={value}>
          <input type="checkbox" checked={chosen.has(value)} onChange={() => onToggle(value)} />
          <Pill text={text} color={color ?? boot.colors[value]} />
          <span className="check-count">
            {counts.get(value)?.toLocaleString(formats.locale) ?? ''}
          </span>
        </label>
      ))}
    </fieldset>
  )
}

/** An active filter in words; pressing it takes it away. */
function FilterPill({ filter, resource, state }: ToolsProps & { filter: Filter }): ReactElement {
  const { formats } = useDesk()
  const field = resource.fields.find(({ name }) => name === filter.field)
  const label = field ? sentenceCase(field.label) : filter.field
  const value =
    field?.type === 'date' ? formatDate(filter.value, formats) : filter.value.replaceAll(',', ', ')
  const words = `${label} ${WORDS.ops[filter.operator] ?? filter.operator} ${value}`
  return (
    <button
      type="button"
      className="chip active"
      aria-label={WORDS.remove(words)}
      onClick={() => state.change({ [filter.key]: undefined })}
    >
      <span>
        {label} <em>{WORDS.ops[filter.operator] ?? filter.operator}</em> {value}
      </span>
      <Icon name="x" size={12} />
    </button>
  )
}
