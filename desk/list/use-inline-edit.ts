import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { recordPath } from '../data/client.ts'
import type { FieldInfo, ListAnswer, RecordData, ResourceInfo } from '../data/types.ts'
import type { EndedEdit } from '../grid/use-grid.ts'
import { useToast } from '../ui/toast.tsx'

/** A cell of a list that is edited. */
interface EditedCell {
  readonly id: string
  readonly field: string
}

type Taken = NonNullable<EndedEdit['taken']>

/** Editing in a list: one cell at a time, each saved by itself. */
export interface InlineEdit {
  readonly at: EditedCell | undefined
  /** Begins in a cell, or in the first of the row that may be changed. */
  readonly begin: (row: RecordData, field?: FieldInfo) => void
  readonly stop: () => void
  readonly done: (row: RecordData, field: FieldInfo, ended: EndedEdit) => void
}

/** Editing in the list of a resource; these are its columns. */
export function useInlineEdit(resource: ResourceInfo, columns: readonly FieldInfo[]): InlineEdit {
  const { client, entryOf } = useDesk()
  const queries = useQueryClient()
  const tell = useToast()
  const [at, setAt] = useState<EditedCell>()
  const back = useRef<string>(undefined)
  const may = entryOf(resource.slug)?.can.includes('update') === true && !resource.read_only
  const open = columns.filter(canBeEdited)

  // Once nothing is edited any more, the keys work on the row again.
  useEffect(() => {
    if (at || back.current === undefined) return
    document.querySelector<HTMLElement>(`[data-row="${CSS.escape(back.current)}"]`)?.focus()
    back.current = undefined
  }, [at])

  function begin(row: RecordData, field = open[0]): void {
    if (!may || !field || !canBeEdited(field) || (row.docstatus ?? 0) !== 0) return
    setAt({ id: row.id, field: field.name })
  }

  function stop(): void {
    back.current = at?.id
    setAt(undefined)
  }

  async function save(before: RecordData, { name }: FieldInfo, { value, title }: Taken) {
    if (value === (before[name] ?? null)) return
    const { id } = before
    const change = (row: RecordData): RecordData => ({
      ...row,
      [name]: value,
      _titles: { ...row._titles, ...(title === undefined ? {} : { [name]: title }) },
    })
    const key = ['list', resource.slug]
    queries.setQueriesData<ListAnswer>({ queryKey: key }, (answer) =>
      answer?.data
        ? { ...answer, data: answer.data.map((row) => (row.id === id ? change(row) : row)) }
        : answer,
    )
    try {
      const body = { [name]: value }
      await client.ask(recordPath(resource.slug, id), { method: 'PATCH', body })
    } catch (error) {
      tell((error as Error).message, 'problem')
    }
    void queries.invalidateQueries({ queryKey: key })
    void queries.invalidateQueries({ queryKey: ['record', resource.slug, id] })
  }

  function done(row: RecordData, field: FieldInfo, { taken, key, isShifted }: EndedEdit): void {
    if (taken) void save(row, field, taken)
    const step = key === 'Tab' ? (isShifted ? -1 : 1) : 0
    const next = step === 0 ? undefined : open[open.indexOf(field) + step]
    if (next) setAt({ id: row.id, field: next.name })
    else if (key === 'leave') setAt(undefined)
    else stop()
  }

  return { at, begin, stop, done }
}

const LONG = new Set(['table', 'check', 'text', 'long_text', 'markdown', 'html', 'json', 'code'])

function canBeEdited({ readOnly, createOnly, type }: FieldInfo): boolean {
  return !readOnly && !createOnly && !LONG.has(type)
}
