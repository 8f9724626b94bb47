import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { recordPath } from '../data/client.ts'
import { formatDate } from '../data/format.ts'
import type { RecordData, ResourceInfo } from '../data/types.ts'
import type { CalendarPlan } from '../list/layouts.ts'
import { titleOf } from '../list/row-parts.tsx'
import { useToast } from '../ui/toast.tsx'
import { WORDS } from '../words/en.ts'
import { dayAfter, dayOf } from './days.ts'

/** Moves an entry by so many days, its end with it; drawn at once, and taken back where the server refuses. */
export type MoveEntry = (row: RecordData, days: number) => void

/** What moves the entries of a calendar; undefined for who may not. */
export function useCalendarMove(
  resource: ResourceInfo,
  { start, end }: CalendarPlan,
): MoveEntry | undefined {
  const { client, entryOf, formats } = useDesk()
  const queries = useQueryClient()
  const tell = useToast()
  const follow = useRef<string>(undefined)
  const key = ['list', resource.slug, 'calendar']

  // The entry is drawn anew in another cell: whoever moves it by the keys goes along.
  useEffect(() => {
    if (follow.current === undefined) return
    const entry = `[data-entry="${CSS.escape(follow.current)}"]`
    const found = document.querySelector<HTMLElement>(entry)
    if (document.activeElement === document.body) found?.focus()
  })

  const isOpen = !start.readOnly && !start.createOnly
  if (!isOpen || resource.read_only || !entryOf(resource.slug)?.can.includes('update'))
    return undefined

  async function save(row: RecordData, days: number): Promise<void> {
    const fields = end && !end.readOnly ? [start, end] : [start]
    const body = Object.fromEntries(
      fields.flatMap(({ name }) => {
        const moved = movedBy(row[name], days)
        return moved === undefined ? [] : [[name, moved]]
      }),
    )
    const before = queries.getQueriesData<readonly RecordData[]>({ queryKey: key })
    await queries.cancelQueries({ queryKey: key })
    queries.setQueriesData<readonly RecordData[]>({ queryKey: key }, (rows) =>
      rows?.map((one) => (one.id === row.id ? { ...one, ...body } : one)),
    )
    try {
      await client.ask(recordPath(resource.slug, row.id), { method: 'PATCH', body })
      const day = dayOf(body[start.name])
      tell(WORDS.moved(titleOf(resource, row), day ? formatDate(day, formats) : ''))
    } catch (error) {
      for (const [of, rows] of before) queries.setQueryData(of, rows)
      tell((error as Error).message, 'problem')
    }
    void queries.invalidateQueries({ queryKey: ['list', resource.slug] })
    void queries.invalidateQueries({ queryKey: ['record', resource.slug, row.id] })
  }

  return (row, days) => {
    if (days === 0 || (row.docstatus ?? 0) !== 0) return
    follow.current = row.id
    void save(row, days)
  }
}

/** A day or a moment so many days later, at the same time of the day. */
function movedBy(value: unknown, days: number): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined
  if (value.length === 10) return dayAfter(value, days)
  const date = new Date(value)
  date.setDate(date.getDate() + days)
  return date.toISOString()
}
