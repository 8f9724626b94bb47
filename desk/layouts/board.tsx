import '../style/layouts.css'
import { type KeyboardEvent, type ReactElement, useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import { formatAge, formatValue, isNumber } from '../data/format.ts'
import type { RecordData, ResourceInfo } from '../data/types.ts'
import { type BoardPlan, boardOf } from '../list/layouts.ts'
import { filterKey } from '../list/list-address.ts'
import type { ListState } from '../list/list-state.ts'
import { recordAddress, titleOf } from '../list/row-parts.tsx'
import { Pill } from '../ui/pill.tsx'
import { PageSkeleton } from '../ui/skeleton.tsx'
import { WORDS } from '../words/en.ts'
import { sentenceCase } from '../words/sentence-case.ts'
import { CardStep } from './card-step.tsx'
import { type BoardColumn, useBoard } from './use-board.ts'

interface BoardProps {
  readonly resource: ResourceInfo
  readonly state: ListState
}

/** A card on its way to another column. */
interface Dragged {
  readonly card: RecordData
  readonly from: string
}

/** A list as a board: drag a card, or Shift and an arrow; only columns it may go to take it. */
export function Board({ resource, state }: BoardProps): ReactElement {
  const plan = boardOf(resource)!
  const { columns, move } = useBoard(resource, state, plan)
  const [dragged, setDragged] = useState<Dragged>()
  const [moved, setMoved] = useState<{ readonly id: string; readonly to: string }>()
  const box = useRef<HTMLDivElement>(null)
  // A card that was moved by the keyboard keeps the focus in its new column.
  useEffect(() => {
    if (moved === undefined) return
    const column = `[data-column="${CSS.escape(moved.to)}"]`
    const card = box.current?.querySelector<HTMLElement>(
      `${column} [data-card="${CSS.escape(moved.id)}"]`,
    )
    if (!card) return
    card.focus()
    setMoved(undefined)
  })
  if (!columns) return <PageSkeleton />
  function drop(to: BoardColumn): void {
    if (dragged && accepts(to)) void move(dragged.card, dragged.from, to.value)
    setDragged(undefined)
  }
  const from = columns.find(({ value }) => value === dragged?.from)
  const accepts = ({ value }: BoardColumn): boolean | undefined => from?.targets.has(value)
  function press(event: KeyboardEvent, card: RecordData, column: BoardColumn): void {
    const to = targetOf(event, columns!, column)
    if (to === null) moveFocus(event)
    else event.preventDefault()
    if (!to) return
    setMoved({ id: card.id, to: to.value })
    void move(card, column.value, to.value)
  }
  return (
    <div ref={box} className="board" data-layout="board">
      {columns.map((column) => (
        <section
          key={column.value}
          className="board-column"
          aria-label={`${column.label}, ${column.count}`}
          data-column={column.value}
          data-accepts={accepts(column)}
          onDragOver={(event) => {
            if (accepts(column)) event.preventDefault()
          }}
          onDrop={() => drop(column)}
        >
          <ColumnHead column={column} plan={plan} />
          <ul>
            {column.cards.map((card) => (
              <li key={card.id}>
                <Card
                  resource={resource}
                  plan={plan}
                  card={card}
                  isFixed={column.targets.size === 0}
                  isDragged={dragged?.card.id === card.id}
                  onDrag={(isOn) => setDragged(isOn ? { card, from: column.value } : undefined)}
                  onPress={(event) => press(event, card, column)}
                />
                {column.targets.size === 0 ? <CardStep resource={resource} card={card} /> : null}
              </li>
            ))}
          </ul>
          {column.count > column.cards.length && column.cards.length > 0 ? (
            <button
              type="button"
              className="link-button"
              onClick={() =>
                state.change({ layout: undefined, [filterKey(plan.by.name, 'eq')]: column.value })
              }
            >
              {WORDS.showAll(column.count)}
            </button>
          ) : null}
        </section>
      ))}
    </div>
  )
}

/** The next column on the side of the arrow that takes a card of this one; null for keys that move none. */
function targetOf(
  { key, shiftKey }: KeyboardEvent,
  columns: readonly BoardColumn[],
  column: BoardColumn,
): BoardColumn | undefined | null {
  if (!shiftKey || (key !== 'ArrowRight' && key !== 'ArrowLeft')) return null
  const at = columns.indexOf(column)
  const side = key === 'ArrowRight' ? columns.slice(at + 1) : columns.slice(0, at).reverse()
  return side.find(({ value }) => column.targets.has(value))
}

function ColumnHead({ column, plan }: { column: BoardColumn; plan: BoardPlan }): ReactElement {
  const { formats } = useDesk()
  const { sum } = plan
  return (
    <h2>
      <Pill text={column.label} color={column.color} />
      <span className="quiet">{column.count.toLocaleString(formats.locale)}</span>
      {sum && column.sum ? (
        <span className="quiet board-sum">
          {formatValue(sum, { [sum.name]: column.sum }, formats)}
        </span>
      ) : null}
    </h2>
  )
}

interface CardProps {
  readonly resource: ResourceInfo
  readonly plan: BoardPlan
  readonly card: RecordData
  /** Whether it cannot be moved. */
  readonly isFixed: boolean
  readonly isDragged: boolean
  readonly onDrag: (isOn: boolean) => void
  readonly onPress: (event: KeyboardEvent) => void
}

function Card(props: CardProps): ReactElement {
  const { resource, plan, card, isFixed, isDragged, onDrag, onPress } = props
  const { formats } = useDesk()
  const money = plan.card.filter(({ type }) => type === 'currency')
  const lines = plan.card.filter(
    (field) => field.type !== 'currency' && formatValue(field, card, formats) !== '',
  )
  const owner = String(card.owner ?? '')
  return (
    <Link
      href={recordAddress(resource, card)}
      className="card"
      data-card={card.id}
      data-dragged={isDragged || undefined}
      aria-keyshortcuts={isFixed ? undefined : 'Shift+ArrowRight Shift+ArrowLeft'}
      draggable={!isFixed}
      onDragStart={() => onDrag(true)}
      onDragEnd={() => onDrag(false)}
      onKeyDown={onPress}
    >
      <strong>{titleOf(resource, card)}</strong>
      {lines.map((field) => (
        <span key={field.name} className="quiet">
          {isNumber(field) ? `${sentenceCase(field.label)} ` : ''}
          {formatValue(field, card, formats)}
        </span>
      ))}
      <span className="card-foot">
        <span>{money.map((field) => formatValue(field, card, formats)).join(' · ')}</span>
        <span className="quiet" title={owner}>
          {typeof card.modified === 'string' ? formatAge(card.modified, formats) : ''}
        </span>
        {owner === '' ? null : (
          <span className="mini-avatar" title={owner} aria-hidden="true">
            {owner.slice(0, 2).toUpperCase()}
          </span>
        )}
      </span>
    </Link>
  )
}

/** Arrows go from card to card: up and down in a column, left and right between them. */
function moveFocus(event: KeyboardEvent): void {
  const here = event.target as HTMLElement
  const columns = [...document.querySelectorAll('.board-column')].map((column) => [
    ...column.querySelectorAll<HTMLElement>('[data-card]'),
  ])
  const at = columns.findIndex((cards) => cards.includes(here))
  const row = columns[at]?.indexOf(here) ?? 0
  const side = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
  const down = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 }[event.key]
  if (down !== undefined) columns[at]?.[row + down]?.focus()
  else if (side !== undefined) {
    const order = side > 0 ? columns.slice(at + 1) : columns.slice(0, at).reverse()
    const next = order.find((cards) => cards.length > 0)
    next?.[Math.min(row, next.length - 1)]?.focus()
  } else return
  event.preventDefault()
}
