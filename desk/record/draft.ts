import { useMemo, useState, useSyncExternalStore } from 'react'
import type { FieldInfo, Row } from '../data/types.ts'
import { createDraftStore, type DraftStore, namesOf } from './draft-store.ts'

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
  /** Sets a field by what it has at this very moment, which may not be drawn yet; a part is taken back with the change before it. */
  readonly revise: (name: string, how: (value: unknown) => unknown, isPart?: boolean) => void
  /** Forgets these changes, but what was typed since; all of them without any. */
  readonly reset: (sent?: Row) => void
  /** Goes on with other changes, those of a kept draft. */
  readonly replace: (changes: Row) => void
  /** The changed fields as they are at this very moment. */
  readonly changes: () => Row
  /** What is sent of them. */
  readonly body: () => Readonly<Record<string, unknown>>
}

/** The changes of a draft and their store; `named` is what is set from the start. */
export function useChanges(named: Row): { readonly store: DraftStore; readonly changes: Row } {
  const [store] = useState(() => createDraftStore(named))
  return { store, changes: useSyncExternalStore(store.subscribe, store.now) }
}

/** The draft of changes over a record; `base` is what was read, or what a new record begins with. */
export function useDraft(
  base: Row,
  fields: readonly FieldInfo[],
  { store, changes }: ReturnType<typeof useChanges>,
): Draft {
  return useMemo(() => {
    const names = namesOf(changes)
    const titles: Record<string, string> = { ...base._titles, ...changes._titles }
    for (const name of names) if (changes._titles?.[name] === undefined) delete titles[name]
    return {
      row: { ...base, ...changes, _titles: titles },
      changed: new Set(names),
      isDirty: names.length > 0,
      base,
      set: (name, value, title) => store.change(name, () => value, { title }),
      revise: (name, how, isPart) => store.change(name, how, { isPart: isPart === true }),
      undo: store.undo,
      redo: store.redo,
      reset: store.forget,
      replace: store.replace,
      changes: store.now,
      body: () => sentValues(store.now(), namesOf(store.now()), fields),
    }
  }, [base, changes, store, fields])
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
