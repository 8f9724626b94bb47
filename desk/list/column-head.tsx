import { type KeyboardEvent, type PointerEvent, type ReactElement, useRef } from 'react'
import { isNumber } from '../data/format.ts'
import type { FieldInfo, ResourceInfo } from '../data/types.ts'
import { Icon } from '../ui/icon.tsx'
import { WORDS } from '../words/en.ts'
import { sentenceCase } from '../words/sentence-case.ts'
import { sortedBy, sortParameters } from './list-address.ts'
import { columnsOf, type ListState } from './list-state.ts'
import { type ListColumns, movedColumn, WIDTH_STEP } from './use-columns.ts'

interface HeadProps {
  readonly field: FieldInfo
  readonly resource: ResourceInfo
  readonly state: ListState
  readonly columns: ListColumns
  readonly label?: string
}

/** Kind of what is dragged from one head to another. */
const DRAGGED = 'text/x-column'

/**
 * Head of a column: pressing it sorts by it, with Shift by it too, and again the other way round. Its edge makes it wider,
 * dragging it moves it; Alt with the arrows does the first, with Shift and the arrows the second.
 */
export function ColumnHead({ field, resource, state, columns, label }: HeadProps): ReactElement {
  const { name } = field
  const cell = useRef<HTMLTableCellElement>(null)
  const text = sentenceCase(label ?? (name === 'modified' ? WORDS.updated : field.label))
  const at = state.sorts.findIndex((one) => one.field === name)
  const sort = state.sorts[at]
  const width = columns.widths[name]
  const isMovable = columnsOf(resource, state.fields).some((one) => one.name === name)

  function press(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined || !event.altKey) return
    event.preventDefault()
    const by = document.dir === 'rtl' ? -step : step
    if (!event.shiftKey) columns.widen(name, (cell.current?.offsetWidth ?? 0) + by * WIDTH_STEP)
    else if (isMovable) columns.choose(movedColumn(resource, state, name, by))
  }

  function drop(moved: string): void {
    const names = columnsOf(resource, state.fields).map((one) => one.name)
    const by = names.indexOf(name) - names.indexOf(moved)
    if (by !== 0 && names.includes(moved) && isMovable)
      columns.choose(movedColumn(resource, state, moved, by))
  }

  return (
    <th
      ref={cell}
      className={isNumber(field) ? 'number' : undefined}
      style={width === undefined ? undefined : { width, minWidth: width, maxWidth: width }}
      aria-sort={at === 0 ? (sort?.isDown ? 'descending' : 'ascending') : undefined}
      data-column-name={name}
      draggable={isMovable}
      onDragStart={(event) => event.dataTransfer.setData(DRAGGED, name)}
      onDragOver={(event) => {
        if (event.dataTransfer.types.includes(DRAGGED)) event.preventDefault()
      }}
      onDrop={(event) => drop(event.dataTransfer.getData(DRAGGED))}
    >
      <button
        type="button"
        className="sort"
        title={WORDS.sortTip}
        onKeyDown={press}
        onClick={(event) =>
          state.change({ ...sortParameters(sortedBy(state.sorts, name, event.shiftKey)) })
        }
      >
        {text}
        {sort ? <Icon name={sort.isDown ? 'arrow-down' : 'arrow-up'} size={12} /> : null}
        {sort && state.sorts.length > 1 ? <small>{at + 1}</small> : null}
      </button>
      <Edge head={cell} onWidth={(to) => columns.widen(name, to)} />
    </th>
  )
}

/** The edge of a head, by which it is dragged wider; the keys of the head do the same. */
function Edge({
  head,
  onWidth,
}: {
  head: { readonly current: HTMLTableCellElement | null }
  onWidth: (width: number) => void
}): ReactElement {
  const begin = useRef<{ readonly x: number; readonly width: number }>(undefined)
  const widthAt = (event: PointerEvent): number => {
    const { x, width } = begin.current ?? { x: event.clientX, width: 0 }
    return width + (event.clientX - x) * (document.dir === 'rtl' ? -1 : 1)
  }
  return (
    <span
      className="edge"
      aria-hidden="true"
      draggable
      onDragStart={(event) => {
        event.preventDefault()
        event.stopPropagation()
      }}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        begin.current = { x: event.clientX, width: head.current?.offsetWidth ?? 0 }
      }}
      onPointerMove={(event) => {
        const cell = head.current
        if (!begin.current || !cell) return
        const width = `${Math.max(0, widthAt(event))}px`
        Object.assign(cell.style, { width, minWidth: width, maxWidth: width })
      }}
      onPointerUp={(event) => {
        if (begin.current) onWidth(widthAt(event))
        begin.current = undefined
      }}
    />
  )
}
