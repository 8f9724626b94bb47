import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import type { FieldInfo } from '../data/types.ts'
import type { Place } from './grid-keys.ts'

/** Where a grid is worked in. */
export interface PlaceWork {
  readonly box: RefObject<HTMLDivElement | null>
  readonly active: Place
  /** The key that began the editing, or null; undefined while nothing is edited. */
  readonly editing: string | null | undefined
  readonly setEditing: (editing: string | null | undefined) => void
  /** Goes to a cell, which gets the focus; what was edited is no longer. */
  readonly goTo: (place: Place) => void
}

const START: Place = { row: 0, column: 0 }

/** The cell of a grid that has the focus, and whether it is edited. It stays in its column where others come before it. */
export function usePlace(columns: readonly FieldInfo[]): PlaceWork {
  const box = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState<Place & { readonly name?: string | undefined }>(START)
  const found = columns.findIndex(({ name }) => name === place.name)
  const column = found < 0 ? Math.min(place.column, Math.max(0, columns.length - 1)) : found
  const active = { row: place.row, column }
  const [editing, setEditing] = useState<string | null>()
  const [wantsFocus, setWantsFocus] = useState(0)

  // Before anything else is typed: what ends in one cell goes on in the next.
  useLayoutEffect(() => {
    if (wantsFocus === 0) return
    const cell = box.current?.querySelector<HTMLElement>(
      `[data-cell="${active.row}:${active.column}"]`,
    )
    // An editor that has begun in it already keeps the focus.
    if (!cell?.contains(document.activeElement)) cell?.focus()
    cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [wantsFocus, active.row, active.column])

  function goTo(to: Place): void {
    setPlace({ ...to, name: columns[to.column]?.name })
    setEditing(undefined)
    setWantsFocus((count) => count + 1)
  }
  return { box, active, editing, setEditing, goTo }
}
