import { type DragEvent, useRef } from 'react'

/** Handlers of a grid whose rows are dragged by their numbers. */
export interface RowDrag {
  readonly onDragStart: (event: DragEvent) => void
  readonly onDragOver: (event: DragEvent) => void
  readonly onDrop: (event: DragEvent) => void
}

/** Moves rows that are dragged by their numbers to where they are let go. */
export function useRowDrag(move: (from: number, to: number) => void): RowDrag {
  const from = useRef<number>(undefined)
  return {
    onDragStart(event) {
      from.current = rowAt(event.target)
      event.dataTransfer.effectAllowed = 'move'
    },
    onDragOver(event) {
      if (from.current !== undefined && rowAt(event.target) !== undefined) event.preventDefault()
    },
    onDrop(event) {
      const to = rowAt(event.target)
      if (from.current === undefined || to === undefined) return
      event.preventDefault()
      move(from.current, to)
      from.current = undefined
    },
  }
}

/** Number of the row that something stands in, from 0; its head has none. */
function rowAt(target: EventTarget): number | undefined {
  const row = target instanceof Element ? target.closest('[aria-rowindex]') : null
  const index = Number(row?.getAttribute('aria-rowindex')) - 2
  return row && index >= 0 ? index : undefined
}
