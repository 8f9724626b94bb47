import '../style/layouts.css'
import { useQuery } from '@tanstack/react-query'
import type { DragEvent, KeyboardEvent, ReactElement } from 'react'
import { Link } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import { choicesOf, formatDate, formatValue } from '../data/format.ts'
import type { ListAnswer, RecordData, ResourceInfo } from '../data/types.ts'
import { type CalendarPlan, calendarOf } from '../list/layouts.ts'
import { narrowing } from '../list/list-address.ts'
import { type ListState, statusField, titleField } from '../list/list-state.ts'
import { recordAddress, titleOf } from '../list/row-parts.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { useNarrow } from '../ui/use-narrow.ts'
import { WORDS } from '../words/en.ts'
import { type Day, dayAfter, dayOf, daysBetween, monthAfter, today, weeksOf } from './days.ts'
import { type MoveEntry, useCalendarMove } from './use-calendar-move.ts'

interface CalendarProps {
  readonly resource: ResourceInfo
  readonly state: ListState
}

/** Days before a month that are asked for too: what began then may still go on. */
const LOOK_BACK = 31

/** Entries of a day that are shown; the others are a number. */
const MOST = 4

/** A list by the days of a month; on a phone, as the days that have something. */
export function Calendar({ resource, state }: CalendarProps): ReactElement {
  const { boot, formats } = useDesk()
  const isNarrow = useNarrow()
  const plan = calendarOf(resource)!
  const month = /^\d{4}-\d\d$/.test(state.month) ? state.month : today().slice(0, 7)
  const weeks = weeksOf(month, firstDay(boot.formats.first_day))
  const entries = useEntries(resource, state, plan, weeks)
  const move = useCalendarMove(resource, plan)
  const go = (to: string | undefined): void => state.change({ month: to })
  const name = new Date(`${month}-01T00:00:00Z`).toLocaleDateString(formats.locale, {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
  return (
    <div className="calendar" data-layout="calendar">
      <div className="calendar-head">
        <h2 aria-live="polite">{name}</h2>
        <IconButton
          icon="chevron-left"
          label={WORDS.monthBefore}
          onClick={() => go(monthAfter(month, -1))}
        />
        <IconButton
          icon="chevron-right"
          label={WORDS.monthAfter}
          onClick={() => go(monthAfter(month, 1))}
        />
        <Button onClick={() => go(undefined)}>{WORDS.today}</Button>
      </div>
      {isNarrow ? (
        <Agenda resource={resource} plan={plan} weeks={weeks} entries={entries} move={undefined} />
      ) : (
        <Month resource={resource} plan={plan} weeks={weeks} entries={entries} move={move} />
      )}
    </div>
  )
}

/** `1` or `monday` → 1; Sunday is 0. */
function firstDay(said: unknown): number {
  if (typeof said === 'number') return said % 7
  const names = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
  const at = names.indexOf(String(said).toLowerCase())
  return at < 0 ? 1 : at
}

type Entries = ReadonlyMap<string, readonly RecordData[]>

/** The records of the days that are shown, by day. */
function useEntries(
  resource: ResourceInfo,
  state: ListState,
  plan: CalendarPlan,
  weeks: readonly (readonly Day[])[],
): Entries {
  const { client } = useDesk()
  const first = weeks[0]?.[0]?.key ?? ''
  const last = weeks.at(-1)?.at(-1)?.key ?? ''
  const { start, end, title } = plan
  const status = statusField(resource)
  const wanted = [start, end, title, status].flatMap((field) => (field ? [field.name] : []))
  const from = end ? dayAfter(first, -LOOK_BACK) : first
  const isMoment = start.type === 'datetime'
  const query = new URLSearchParams({
    ...narrowing(state),
    [`${start.name}__gte`]: isMoment ? `${from}T00:00:00Z` : from,
    [`${start.name}__lte`]: isMoment ? `${last}T23:59:59Z` : last,
    fields: [
      ...new Set([
        ...['id', titleField(resource), ...wanted],
        ...(resource.submittable ? ['docstatus'] : []),
      ]),
    ].join(','),
    sort: start.name,
    order: 'asc',
    limit: '100',
    _titles: '1',
  }).toString()
  const { data } = useQuery({
    queryKey: ['list', resource.slug, 'calendar', query],
    queryFn: async () => (await client.ask<ListAnswer>(`/v1/${resource.slug}?${query}`)).body.data,
  })
  const byDay = new Map<string, RecordData[]>()
  for (const row of data ?? []) {
    const begin = dayOf(row[start.name])
    if (begin === undefined) continue
    const until = (end && dayOf(row[end.name])) ?? begin
    for (let day = begin; day <= until && day <= last; day = dayAfter(day, 1)) {
      if (day < first) continue
      byDay.set(day, [...(byDay.get(day) ?? []), row])
    }
  }
  return byDay
}

interface DaysProps {
  readonly resource: ResourceInfo
  readonly plan: CalendarPlan
  readonly weeks: readonly (readonly Day[])[]
  readonly entries: Entries
  readonly move: MoveEntry | undefined
}

function Month({ resource, plan, weeks, entries, move }: DaysProps): ReactElement {
  const { formats, entryOf } = useDesk()
  const mayCreate = entryOf(resource.slug)?.can.includes('create') === true
  const now = today()
  return (
    <table className="month">
      <thead>
        <tr>
          {(weeks[0] ?? []).map(({ key }) => (
            <th key={key}>
              {new Date(`${key}T00:00:00Z`).toLocaleDateString(formats.locale, {
                weekday: 'short',
                timeZone: 'UTC',
              })}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]?.key}>
            {week.map(({ key, date, isInside }) => {
              const rows = entries.get(key) ?? []
              return (
                <td
                  key={key}
                  data-day={key}
                  data-inside={isInside}
                  data-today={key === now}
                  onDragOver={(event) => {
                    if (move && event.dataTransfer.types.includes(DRAGGED)) event.preventDefault()
                  }}
                  onDrop={(event) => {
                    const { id, day } = readDragged(event.dataTransfer.getData(DRAGGED))
                    const row = entries.get(day)?.find((one) => one.id === id)
                    if (row) move?.(row, daysBetween(day, key))
                  }}
                >
                  {mayCreate ? (
                    <Link
                      className="day"
                      href={`/${resource.slug}/new?${new URLSearchParams({ [plan.start.name]: key })}`}
                      aria-label={WORDS.newOn(formatDate(key, formats))}
                    >
                      {date}
                    </Link>
                  ) : (
                    <span className="day">{date}</span>
                  )}
                  {rows.slice(0, MOST).map((row) => (
                    <Entry
                      key={row.id}
                      resource={resource}
                      plan={plan}
                      row={row}
                      day={key}
                      move={move}
                    />
                  ))}
                  {rows.length > MOST ? (
                    <span className="quiet">{WORDS.moreOfDay(rows.length - MOST)}</span>
                  ) : null}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Agenda({ resource, plan, weeks, entries }: DaysProps): ReactElement {
  const { formats } = useDesk()
  const days = weeks.flat().filter(({ key, isInside }) => isInside && entries.has(key))
  if (days.length === 0) return <p className="agenda quiet">{WORDS.nothingThisMonth}</p>
  return (
    <ul className="agenda">
      {days.map(({ key }) => (
        <li key={key}>
          <h3>{formatDate(key, formats)}</h3>
          {(entries.get(key) ?? []).map((row) => (
            <Entry
              key={row.id}
              resource={resource}
              plan={plan}
              row={row}
              day={key}
              move={undefined}
            />
          ))}
        </li>
      ))}
    </ul>
  )
}

/** Kind of what is dragged from one day to another, and what it says. */
const DRAGGED = 'text/x-entry'

function readDragged(text: string): { readonly id: string; readonly day: string } {
  const [day = '', ...id] = text.split(' ')
  return { day, id: id.join(' ') }
}

/** Days that a key moves an entry by, with Shift. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowLeft: -1,
  ArrowDown: 7,
  ArrowUp: -7,
}

interface EntryProps {
  readonly resource: ResourceInfo
  readonly plan: CalendarPlan
  readonly row: RecordData
  readonly day: string
  readonly move: MoveEntry | undefined
}

/** A record on one of its days: it is dragged to another, or moved by Shift and the arrows. */
function Entry({ resource, plan, row, day, move }: EntryProps): ReactElement {
  const { boot, formats } = useDesk()
  const status = statusField(resource)
  const value = status ? String(row[status.name] ?? '') : ''
  const choice = status && choicesOf(status).find((one) => one.value === value)
  const tone = choice?.color ?? boot.colors[value] ?? 'grey'
  const own = plan.title ? formatValue(plan.title, row, formats) : ''
  return (
    <Link
      href={recordAddress(resource, row)}
      className={`entry tone-${tone}`}
      data-entry={row.id}
      draggable={move !== undefined}
      onDragStart={(event: DragEvent<HTMLElement>) =>
        event.dataTransfer.setData(DRAGGED, `${day} ${row.id}`)
      }
      onKeyDown={(event: KeyboardEvent<HTMLElement>) => {
        const step = STEPS[event.key]
        if (!move || !event.shiftKey || step === undefined) return
        event.preventDefault()
        const isTurned = document.dir === 'rtl' && Math.abs(step) === 1
        move(row, isTurned ? -step : step)
      }}
      title={[own || titleOf(resource, row), choice?.label].filter(Boolean).join(' · ')}
    >
      {own || titleOf(resource, row)}
    </Link>
  )
}
