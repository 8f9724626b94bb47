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
  readonly onRows: (rows: readonly Row[]) => void
  /** Told of rows that were pasted: their links are what somebody typed elsewhere. */
  readonly onPasted: (rows: readonly Row[]) => void
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
  readonly done: (
    value: unknown,
    title: string | undefined,
    key: string,
    isShifted: boolean,
    typedOn?: string,
  ) => void
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
  const { rows, columns, canEdit, maxRows, onRows, onPasted } = data
  const { box, active, editing, setEditing, goTo } = usePlace()
  const size = { rows: rows.length, columns: columns.length }

  function edit(typed?: string) {
    const field = columns[active.column]
    if (!canEdit || !field || field.readOnly) return
    if (field.type === 'check')
      return change({ [field.name]: rows[active.row]?.[field.name] !== true })
    setEditing(typed ?? null)
  }

  function change(values: Row): void {
    onRows(changedRows(rows, active, values))
  }

  const done: GridWork['done'] = (value, title, key, isShifted, typedOn) => {
    const field = columns[active.column]
    if (!field) return
    const isSame = value === (rows[active.row]?.[field.name] ?? null)
    const kept = isSame ? rows : changedRows(rows, active, { [field.name]: value }, title)
    // Enter in the last row goes on to a new one.
    const isLast = key === 'Enter' && active.row === rows.length - 1 && rows.length < maxRows
    const next = isLast ? [...kept, {}] : kept
    if (next !== rows) onRows(next)
    if (key === '') return setEditing(undefined)
    const step = key === 'Enter' ? 'ArrowDown' : key
    goTo(placeAfter(step, isShifted, active, { ...size, rows: next.length }) ?? active)
    if (typedOn) setEditing(typedOn)
  }

  function addRow(): void {
    if (!canEdit || rows.length >= maxRows) return
    onRows([...rows, {}])
    goTo({ row: rows.length, column: 0 })
  }

  function removeRow(at: number) {
    if (!canEdit || rows[at] === undefined) return
    onRows(rows.toSpliced(at, 1))
    goTo({ row: Math.max(0, Math.min(at, rows.length - 2)), column: active.column })
  }

  function moveRow(from: number, to: number): void {
    const next = canEdit ? movedRows(rows, from, to) : rows
    if (next === rows) return
    onRows(next)
    goTo({ row: to, column: active.column })
  }

  function paste(text: string): void {
    if (!canEdit) return
    const next = pastedRows(data, active, text)
    onRows(next)
    onPasted(next)
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
        if (canEdit && field && !field.readOnly) onRows(filledRows(rows, active, field))
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
