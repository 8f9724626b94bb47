import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
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

/** The cell of a grid that has the focus, and whether it is edited. */
export function usePlace(): PlaceWork {
  const box = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState<Place>({ row: 0, column: 0 })
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
  }, [wantsFocus, active])

  function goTo(place: Place): void {
    setActive(place)
    setEditing(undefined)
    setWantsFocus((count) => count + 1)
  }
  return { box, active, editing, setEditing, goTo }
}
