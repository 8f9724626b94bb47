import type { RefObject } from 'react'
import type { FieldInfo, Row } from '../data/types.ts'
import { type Place, placeAfter } from './grid-keys.ts'
import { changedRows, filledRows, movedRows, pastedRows } from './row-changes.ts'
import { usePlace } from './use-place.ts'

/** What a grid works on. */
export interface GridData {
  readonly rows: readonly Row[]
  readonly columns: readonly FieldInfo[]
  readonly locale: string
  readonly canEdit: boolean
  readonly maxRows: number
  /** Changes the rows as they are at that very moment. */
  readonly onRows: (change: RowsChange) => void
  /** Told of rows with links that are only what somebody typed, here or elsewhere. */
  readonly onUnknown: (rows: readonly Row[], how: 'exact' | 'first') => void
}

/** What rows become of what they are. */
export type RowsChange = (rows: readonly Row[]) => readonly Row[]

/** How the editing of a cell has ended. */
export interface EndedEdit {
  /** The column. */
  readonly name: string
  /** What it has now; without it, it stays as it was. */
  readonly taken?: { readonly value: unknown; readonly title?: string | undefined } | undefined
  /** Whether the value is a link that is only typed: what it means is still to be found. */
  readonly isSought?: 'exact' | 'first' | undefined
  /** The key that ended it: it leads on; `stay` keeps the focus in the cell, `leave` lets it go elsewhere. */
  readonly key: 'Enter' | 'Tab' | 'stay' | 'leave'
  readonly isShifted?: boolean
}

/** A grid at work: where its focus is, what is edited, and what its keys do. */
export interface GridWork {
  readonly box: RefObject<HTMLDivElement | null>
  readonly active: Place
  /** The key that began the editing, or null; undefined while nothing is edited. */
  readonly editing: string | null | undefined
  readonly goTo: (place: Place) => void
  readonly edit: (typed?: string) => void
  readonly stop: () => void
  readonly done: (ended: EndedEdit) => void
  readonly addRow: () => void
  readonly removeRow: (at: number) => void
  readonly moveRow: (from: number, to: number) => void
  readonly press: (event: PressedKey) => void
  readonly paste: (text: string) => void
}

/** The part of a key event that a grid reads. */
interface PressedKey {
  readonly key: string
  readonly shiftKey: boolean
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  preventDefault(): void
}

/** The work of a grid over its rows. */
export function useGrid(data: GridData): GridWork {
  const { rows, columns, canEdit, maxRows, onRows, onUnknown } = data
  const { box, active, editing, setEditing, goTo } = usePlace(columns)
  const size = { rows: rows.length, columns: columns.length }

  function edit(typed?: string) {
    const field = columns[active.column]
    if (!canEdit || !field || field.readOnly) return
    if (field.type === 'check')
      return change({ [field.name]: rows[active.row]?.[field.name] !== true })
    setEditing(typed ?? null)
  }

  function change(values: Row): void {
    onRows((now) => changedRows(now, active, values))
  }

  const done: GridWork['done'] = ({ name, taken, isSought, key, isShifted = false }) => {
    // Enter in the last row goes on to a new one.
    const isLast = key === 'Enter' && active.row === rows.length - 1 && rows.length < maxRows
    if (taken || isLast)
      onRows((now) => {
        const values = { [name]: taken?.value }
        const kept = taken ? changedRows(now, active, values, taken.title) : now
        return isLast ? [...kept, {}] : kept
      })
    if (taken && isSought) onUnknown([{ [name]: taken.value }], isSought)
    if (key === 'leave') return setEditing(undefined)
    if (key === 'stay') return goTo(active)
    const step = key === 'Enter' ? 'ArrowDown' : key
    const after = { ...size, rows: rows.length + (isLast ? 1 : 0) }
    goTo(placeAfter(step, isShifted, active, after) ?? active)
  }

  function addRow(): void {
    if (!canEdit || rows.length >= maxRows) return
    onRows((now) => [...now, {}])
    goTo({ row: rows.length, column: 0 })
  }

  function removeRow(at: number) {
    if (!canEdit || rows[at] === undefined) return
    onRows((now) => now.toSpliced(at, 1))
    goTo({ row: Math.max(0, Math.min(at, rows.length - 2)), column: active.column })
  }

  function moveRow(from: number, to: number): void {
    if (!canEdit || movedRows(rows, from, to) === rows) return
    onRows((now) => movedRows(now, from, to))
    goTo({ row: to, column: active.column })
  }

  function paste(text: string): void {
    if (!canEdit) return
    onRows((now) => pastedRows({ ...data, rows: now }, active, text))
    onUnknown(pastedRows(data, active, text), 'exact')
  }

  const field = columns[active.column]
  const press = (event: PressedKey): void =>
    pressKey(event, {
      move: (key, isShifted) => placeAfter(key, isShifted, active, size),
      goTo,
      edit,
      removeRow: () => removeRow(active.row),
      moveRow: (by) => moveRow(active.row, active.row + by),
      fill: () => {
        if (canEdit && field && !field.readOnly) onRows((now) => filledRows(now, active, field))
      },
      clear: canEdit && field && !field.readOnly ? () => change({ [field.name]: null }) : undefined,
    })

  const stop = (): void => goTo(active)
  return { box, active, editing, goTo, edit, stop, done, addRow, removeRow, moveRow, press, paste }
}

interface KeyHandlers {
  readonly move: (key: string, isShifted: boolean) => Place | undefined
  readonly goTo: (place: Place) => void
  readonly edit: (typed?: string) => void
  readonly removeRow: () => void
  readonly moveRow: (by: number) => void
  /** Takes the value of the cell above. */
  readonly fill: () => void
  /** Empties the cell, where it may be. */
  readonly clear: (() => void) | undefined
}

const BEGINS = new Set(['Enter', 'F2', ' '])

/** What a key does that is pressed on a cell nobody edits. */
function pressKey(event: PressedKey, handlers: KeyHandlers): void {
  const { move, goTo, edit, removeRow, moveRow, fill, clear } = handlers
  const { key, shiftKey } = event
  const isCommand = event.ctrlKey || event.metaKey
  const step = { ArrowDown: 1, ArrowUp: -1 }[key]
  const by = event.altKey ? step : undefined
  const isFill = isCommand && key.toLowerCase() === 'd'
  const isKnown = by !== undefined || isFill || (isCommand && key === 'Delete')
  if (!isKnown && (event.altKey || isCommand)) return
  const next = isKnown ? undefined : move(key, shiftKey)
  if (by !== undefined) moveRow(by)
  else if (isFill) fill()
  else if (isCommand) removeRow()
  else if (next) goTo(next)
  else if (BEGINS.has(key)) edit()
  else if ((key === 'Delete' || key === 'Backspace') && clear) clear()
  else if (key.length === 1) edit(key)
  else return
  event.preventDefault()
}
