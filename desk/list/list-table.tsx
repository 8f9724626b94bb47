import { type KeyboardEvent, type ReactElement, useRef } from 'react'
import { Link } from 'wouter'
import { isNumber } from '../data/format.ts'
import type { FieldInfo, RecordData, ResourceInfo } from '../data/types.ts'
import { Icon } from '../ui/icon.tsx'
import { WORDS } from '../words/en.ts'
import { sentenceCase } from '../words/sentence-case.ts'
import { columnsOf, type ListState, titleField } from './list-state.ts'
import { Cell, type RowsProps, recordAddress, titleOf } from './row-parts.tsx'

/** The rows of a list as a table. Each row's title is a real link; j and k move, x selects, Enter opens. */
export function ListTable({ resource, rows, state, selected, onSelect }: RowsProps): ReactElement {
  const columns = columnsOf(resource, state.fields)
  const hasTitle = titleField(resource) !== 'id'
  const title = resource.fields.find(({ name }) => name === titleField(resource))
  const id = resource.fields.find(({ name }) => name === 'id')
  const last = useRef<string>(undefined)
  const all = rows.length > 0 && rows.every((row) => selected.has(row.id))

  function toggle(row: RecordData, isRange: boolean): void {
    const next = new Set(selected)
    const isChosen = !next.has(row.id)
    for (const one of isRange ? between(rows, last.current, row.id) : [row.id]) {
      if (isChosen) next.add(one)
      else next.delete(one)
    }
    last.current = row.id
    onSelect(next)
  }

  return (
    <table className="list" onKeyDown={(event) => moveInRows(event)}>
      <thead>
        <tr>
          <th className="pick">
            <input
              type="checkbox"
              aria-label={WORDS.selectAll}
              checked={all}
              onChange={() => onSelect(new Set(all ? [] : rows.map((row) => row.id)))}
            />
          </th>
          {title ? (
            <Head field={title} state={state} label={hasTitle ? title.label : 'ID'} />
          ) : null}
          {hasTitle && id ? <Head field={id} state={state} label="ID" /> : null}
          {columns.map((field) => (
            <Head key={field.name} field={field} state={state} />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <ListRow
            key={row.id}
            resource={resource}
            row={row}
            columns={columns}
            isSelected={selected.has(row.id)}
            onToggle={toggle}
          />
        ))}
      </tbody>
    </table>
  )

  function moveInRows(event: KeyboardEvent): void {
    const { key, target, ctrlKey, metaKey, altKey } = event
    if (ctrlKey || metaKey || altKey || !(target instanceof HTMLElement)) return
    const links = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row]')]
    const at = links.findIndex((link) => link.closest('tr') === target.closest('tr'))
    const step = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 }[key]
    if (step !== undefined) {
      event.preventDefault()
      links[Math.max(0, Math.min(links.length - 1, at + step))]?.focus()
    }
    const row = rows[at]
    if (key === 'x' && row) toggle(row, false)
  }
}

interface ListRowProps {
  readonly resource: ResourceInfo
  readonly row: RecordData
  readonly columns: readonly FieldInfo[]
  readonly isSelected: boolean
  readonly onToggle: (row: RecordData, isRange: boolean) => void
}

function ListRow({ resource, row, columns, isSelected, onToggle }: ListRowProps): ReactElement {
  const hasTitle = titleField(resource) !== 'id'
  return (
    <tr aria-selected={isSelected}>
      <td className="pick">
        <input
          type="checkbox"
          aria-label={WORDS.select(titleOf(resource, row))}
          checked={isSelected}
          onChange={() => {}}
          onClick={(event) => onToggle(row, event.shiftKey)}
        />
      </td>
      <td className="title">
        <Link href={recordAddress(resource, row)} data-row={row.id}>
          {titleOf(resource, row)}
        </Link>
      </td>
      {hasTitle ? <td className="quiet id">{row.id}</td> : null}
      {columns.map((field) => (
        <td key={field.name} className={isNumber(field) ? 'number' : undefined}>
          <Cell field={field} row={row} resource={resource} />
        </td>
      ))}
    </tr>
  )
}

function between(
  rows: readonly RecordData[],
  from: string | undefined,
  to: string,
): readonly string[] {
  const ids = rows.map(({ id }) => id)
  const start = from === undefined ? -1 : ids.indexOf(from)
  const end = ids.indexOf(to)
  return start < 0 ? [to] : ids.slice(Math.min(start, end), Math.max(start, end) + 1)
}

/** Head of a column; pressing it sorts by it, and pressing it again the other way round. */
function Head({
  field,
  state,
  label,
}: {
  field: FieldInfo
  state: ListState
  label?: string
}): ReactElement {
  const name = label ?? (field.name === 'modified' ? WORDS.updated : sentenceCase(field.label))
  const isSorted = state.sort === field.name
  const order = isSorted && state.order === 'asc' ? 'desc' : 'asc'
  const direction = state.order === 'asc' ? 'ascending' : 'descending'
  return (
    <th
      className={isNumber(field) ? 'number' : undefined}
      aria-sort={isSorted ? direction : undefined}
    >
      <button
        type="button"
        className="sort"
        onClick={() => state.change({ sort: field.name, order })}
      >
        {name}
        {isSorted ? (
          <Icon name={state.order === 'asc' ? 'arrow-up' : 'arrow-down'} size={12} />
        ) : null}
      </button>
    </th>
  )
}
