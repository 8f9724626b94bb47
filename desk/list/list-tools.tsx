import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactElement, Suspense, useEffect, useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { choicesOf } from '../data/format.ts'
import { useGroups } from '../data/queries.ts'
import type { Choice, FieldInfo, Groups, ListAnswer, ResourceInfo } from '../data/types.ts'
import { Icon } from '../ui/icon.tsx'
import { Pill } from '../ui/pill.tsx'
import { Popover } from '../ui/popover.tsx'
import { useNarrow } from '../ui/use-narrow.ts'
import { WORDS } from '../words/en.ts'
import { inSentence, sentenceCase } from '../words/sentence-case.ts'
import { ColumnPicker } from './column-picker.tsx'
import { filterParts } from './filter-words.ts'
import { type Filter, filterKey, narrowing } from './list-address.ts'
import type { ListState } from './list-state.ts'

const FilterForm = lazy(() =>
  import('./filter-form.tsx').then((file) => ({ default: file.FilterForm })),
)

const GroupChoice = lazy(() =>
  import('./group-choice.tsx').then((file) => ({ default: file.GroupChoice })),
)

interface ToolsProps {
  readonly resource: ResourceInfo
  readonly state: ListState
}

/** Milliseconds after the last key until the list is searched. */
const SEARCH_MS = 220

/** Chips beside the search box, at most. */
const MOST_CHIPS = 3

/** Choices of a chip that are taken from the records themselves, at most: the most frequent. */
const MOST_CHOICES = 12

/** Resource whose records hardly tell those of a list apart, by what it serves. */
const NOT_CHIPPED = 'companies'

/** What narrows a list: its search box, chips of its choices, filters, and what columns it has. */
export function ListTools({ resource, state }: ToolsProps): ReactElement {
  const { entryOf } = useDesk()
  const isNarrow = useNarrow()
  const isChip = ({ name, type, filterable, resource: target }: FieldInfo): boolean =>
    filterable &&
    name !== resource.tree &&
    resource.list_fields.includes(name) &&
    (type === 'select' || (target !== undefined && entryOf(target)?.serves !== NOT_CHIPPED))
  const chips = resource.fields
    .filter(isChip)
    // States first, then what records belong to.
    .sort((a, b) => Number(b.type === 'select') - Number(a.type === 'select'))
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
          {(close) => (
            <Suspense>
              <FilterForm resource={resource} state={state} close={close} />
            </Suspense>
          )}
        </Popover>
      </span>
      {state.filters.map((filter) => (
        <FilterPill key={filter.key} filter={filter} resource={resource} state={state} />
      ))}
      <span className="tools-end" hidden={['board', 'calendar'].includes(state.layout)}>
        {state.layout === 'table' && !isNarrow ? (
          <Popover
            label={WORDS.groupBy}
            className={state.group === '' ? 'icon-button' : 'icon-button chosen'}
            tip={WORDS.groupBy}
            trigger={
              <>
                <Icon name="rows-3" />
                <span className="visually-hidden">{WORDS.groupBy}</span>
              </>
            }
          >
            {() => (
              <Suspense>
                <GroupChoice resource={resource} state={state} />
              </Suspense>
            )}
          </Popover>
        ) : null}
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
  const counts = new Map(data?.groups.map(({ value, count }) => [String(value ?? ''), count]))
  return (
    <fieldset className="checks tall">
      <legend className="visually-hidden">{label}</legend>
      {choicesIn(field, data, chosen).map(({ value, label: text, color }) => (
        <label key={value}>
          <input type="checkbox" checked={chosen.has(value)} onChange={() => onToggle(value)} />
          {field.type === 'select' ? (
            <Pill text={text} color={color ?? boot.colors[value]} />
          ) : (
            <span className="check-text">{text}</span>
          )}
          <span className="check-count">
            {counts.get(value)?.toLocaleString(formats.locale) ?? ''}
          </span>
        </label>
      ))}
    </fieldset>
  )
}

/** The choices of a select; of other fields the values that most records have, and those that are chosen. */
function choicesIn(
  field: FieldInfo,
  found: Groups | undefined,
  chosen: ReadonlySet<string>,
): readonly Choice[] {
  if (field.type === 'select') return choicesOf(field)
  if (field.type === 'check')
    return [
      { value: 'true', label: WORDS.yes },
      { value: 'false', label: WORDS.no },
    ]
  const groups = (found?.groups ?? [])
    .filter(({ value }) => value !== null && value !== '')
    .slice(0, MOST_CHOICES)
    .map(({ value, label }) => ({ value: String(value), label: label || String(value) }))
  const others = [...chosen].filter((value) => !groups.some((one) => one.value === value))
  return [...others.map((value) => ({ value, label: value })), ...groups]
}

/** An active filter in words; pressing it takes it away. */
function FilterPill({ filter, resource, state }: ToolsProps & { filter: Filter }): ReactElement {
  const { formats } = useDesk()
  const title = useLinkTitle(resource, filter)
  const { label, operator, value } = filterParts(resource, filter, formats, title)
  return (
    <button
      type="button"
      className="chip active"
      aria-label={WORDS.remove(`${label} ${operator} ${value}`)}
      onClick={() => state.change({ [filter.key]: undefined })}
    >
      <span>
        {label} <em>{operator}</em> {value}
      </span>
      <Icon name="x" size={12} />
    </button>
  )
}

/** Title of the one record that a filter of a link names. */
function useLinkTitle({ fields }: ResourceInfo, filter: Filter): string | undefined {
  const { client, entryOf } = useDesk()
  const field = fields.find(({ name }) => name === filter.field)
  const target = field?.resource === undefined ? undefined : entryOf(field.resource)
  const isOne = filter.operator === 'eq' && filter.value !== ''
  return useQuery({
    queryKey: ['link-title', target?.slug, filter.value],
    queryFn: async () => {
      const fieldName = target?.title_field ?? 'id'
      const query = new URLSearchParams({ id: filter.value, fields: fieldName, limit: '1' })
      const { body } = await client.ask<ListAnswer>(`/v1/${target?.slug}?${query}`)
      const title = body.data[0]?.[fieldName]
      return typeof title === 'string' && title !== '' ? title : filter.value
    },
    enabled: isOne && target !== undefined && !target.locked,
    staleTime: Number.POSITIVE_INFINITY,
  }).data
}
