import { useCallback, useMemo, useState } from 'react'
import type { FieldInfo, Row } from '../data/types.ts'

/** What somebody has changed and not saved yet, over the record as it was read. */
export interface Draft {
  /** The record as it would be: what was read, with what was changed over it. */
  readonly row: Row
  /** Names of the fields that were changed. */
  readonly changed: ReadonlySet<string>
  readonly isDirty: boolean
  /** Sets a field; `title` is what the record it links to is called. */
  readonly set: (name: string, value: unknown, title?: string) => void
  readonly reset: () => void
  /** What is sent: the changed fields alone. */
  readonly body: () => Readonly<Record<string, unknown>>
}

/** The draft over a record; `base` is what was read, or what a new record begins with, `named` what is set from the start. */
export function useDraft(base: Row, fields: readonly FieldInfo[], named: Row): Draft {
  const [changes, setChanges] = useState<Row>(named)
  const set = useCallback((name: string, value: unknown, title?: string) => {
    setChanges((before) => {
      const titles = { ...before._titles }
      if (title === undefined) delete titles[name]
      else titles[name] = title
      return { ...before, [name]: value, _titles: titles }
    })
  }, [])
  const reset = useCallback(() => setChanges({}), [])
  return useMemo(() => {
    const names = Object.keys(changes).filter((name) => name !== '_titles')
    const titles: Record<string, string> = { ...base._titles, ...changes._titles }
    for (const name of names) if (changes._titles?.[name] === undefined) delete titles[name]
    return {
      row: { ...base, ...changes, _titles: titles },
      changed: new Set(names),
      isDirty: names.length > 0,
      set,
      reset,
      body: () =>
        Object.fromEntries(
          names.map((name) => [
            name,
            sentValue(
              changes[name],
              fields.find((one) => one.name === name),
            ),
          ]),
        ),
    }
  }, [base, changes, set, reset, fields])
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
