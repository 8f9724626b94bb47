import { useCallback, useMemo, useState } from 'react'
import type { FieldInfo, Row } from '../data/types.ts'

/** What somebody has changed and not saved yet, over the record as it was read. */
export interface Draft {
  /** The record as it would be: what was read, with what was changed over it. */
  readonly row: Row
  /** Names of the fields that were changed. */
  readonly changed: ReadonlySet<string>
  readonly isDirty: boolean
  /** The record as it was read. */
  readonly base: Row
  /** Takes the last change back, or makes it again; nothing where there is none. */
  readonly undo: () => void
  readonly redo: () => void
  /** Sets a field; `title` is what the record it links to is called. */
  readonly set: (name: string, value: unknown, title?: string) => void
  readonly reset: () => void
  /** What is sent: the changed fields alone. */
  readonly body: () => Readonly<Record<string, unknown>>
}

/** Changes of a draft, with those before and those taken back. */
interface History {
  readonly past: readonly Row[]
  readonly now: Row
  readonly future: readonly Row[]
  /** The field that is being typed in: letters of one word are one change. */
  readonly typing: string | undefined
}

/** Changes that can be taken back, at most. */
const MOST_CHANGES = 100

/** The draft over a record; `base` is what was read, or what a new record begins with, `named` what is set from the start. */
export function useDraft(base: Row, fields: readonly FieldInfo[], named: Row): Draft {
  const [history, setHistory] = useState<History>(() => begun(named))
  const set = useCallback((name: string, value: unknown, title?: string) => {
    setHistory((before) => {
      const titles = { ...before.now._titles }
      if (title === undefined) delete titles[name]
      else titles[name] = title
      const now = { ...before.now, [name]: value, _titles: titles }
      const typing = Array.isArray(value) ? undefined : name
      const isSame = typing !== undefined && typing === before.typing
      const past = isSame ? before.past : [...before.past.slice(-MOST_CHANGES), before.now]
      return { past, now, future: [], typing }
    })
  }, [])
  const reset = useCallback(() => setHistory(begun({})), [])
  const undo = useCallback(() => setHistory(undone), [])
  const redo = useCallback(() => setHistory(redone), [])
  const changes = history.now
  return useMemo(() => {
    const names = Object.keys(changes).filter((name) => name !== '_titles')
    const titles: Record<string, string> = { ...base._titles, ...changes._titles }
    for (const name of names) if (changes._titles?.[name] === undefined) delete titles[name]
    return {
      row: { ...base, ...changes, _titles: titles },
      changed: new Set(names),
      isDirty: names.length > 0,
      base,
      set,
      undo,
      redo,
      reset,
      body: () => sentValues(changes, names, fields),
    }
  }, [base, changes, set, undo, redo, reset, fields])
}

function begun(now: Row): History {
  return { past: [], now, future: [], typing: undefined }
}

function undone(history: History): History {
  const before = history.past.at(-1)
  if (!before) return history
  const future = [history.now, ...history.future]
  return { past: history.past.slice(0, -1), now: before, future, typing: undefined }
}

function redone(history: History): History {
  const [next, ...future] = history.future
  if (!next) return history
  return { past: [...history.past, history.now], now: next, future, typing: undefined }
}

/** Values of these fields of a record as they are sent. */
export function sentValues(
  row: Row,
  names: readonly string[],
  fields: readonly FieldInfo[],
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    names.map((name) => [
      name,
      sentValue(
        row[name],
        fields.find((one) => one.name === name),
      ),
    ]),
  )
}

/** Rows go without what only the server sets, and without the columns nobody has filled. */
function sentValue(value: unknown, field: FieldInfo | undefined): unknown {
  if (!Array.isArray(value) || field?.type !== 'table') return value === '' ? null : value
  const columns = new Set(
    (field.fields ?? []).filter(({ readOnly }) => !readOnly).map(({ name }) => name),
  )
  return (value as readonly Row[]).map((row) =>
    Object.fromEntries(
      Object.entries(row).filter(
        ([name, cell]) =>
          (name === 'row_id' && typeof cell === 'string') ||
          (columns.has(name) &&
            (cell !== null || row.row_id !== undefined) &&
            cell !== undefined &&
            cell !== ''),
      ),
    ),
  )
}
