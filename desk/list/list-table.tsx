import { type KeyboardEvent, type ReactElement, useRef } from 'react'
import type { RecordData } from '../data/types.ts'
import { usePeek } from '../peek/peek-context.ts'
import { WORDS } from '../words/en.ts'
import { ColumnHead } from './column-head.tsx'
import { ListRow } from './list-row.tsx'
import { titleField } from './list-state.ts'
import { ListSums } from './list-sums.tsx'
import type { RowsProps } from './row-parts.tsx'
import { useColumns } from './use-columns.ts'
import { useInlineEdit } from './use-inline-edit.ts'
import { useUsualColumns } from './usual-columns.ts'

/** The rows of a list as a table. Each row's title is a real link; j and k move, x selects, Space peeks, F2 edits. */
export function ListTable({ resource, rows, state, selected, onSelect }: RowsProps): ReactElement {
  const columns = useUsualColumns(resource, state, rows)
  const kept = useColumns(resource, state)
  const head = { resource, state, columns: kept }
  const hasTitle = titleField(resource) !== 'id'
  const title = resource.fields.find(({ name }) => name === titleField(resource))
  const id = resource.fields.find(({ name }) => name === 'id')
  const last = useRef<string>(undefined)
  const all = rows.length > 0 && rows.every((row) => selected.has(row.id))
  const edit = useInlineEdit(resource, columns)
  const press = useRowKeys({ rows, slug: resource.slug, toggle, edit: edit.begin })

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
    <table className="list" onKeyDown={press}>
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
            <ColumnHead {...head} field={title} label={hasTitle ? title.label : 'ID'} />
          ) : null}
          {hasTitle && id ? <ColumnHead {...head} field={id} label="ID" /> : null}
          {columns.map((field) => (
            <ColumnHead key={field.name} {...head} field={field} />
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
            widths={kept.widths}
            isSelected={selected.has(row.id)}
            onToggle={toggle}
            edit={edit}
          />
        ))}
      </tbody>
      <ListSums resource={resource} state={state} columns={columns} before={hasTitle ? 3 : 2} />
    </table>
  )
}

interface RowKeys {
  readonly rows: readonly RecordData[]
  readonly slug: string
  readonly toggle: (row: RecordData, isRange: boolean) => void
  readonly edit: (row: RecordData) => void
}

/** What the keys do on a row; while something is peeked at, it follows the row. */
function useRowKeys({ rows, slug, toggle, edit }: RowKeys) {
  const { peek, close, peeked } = usePeek()
  return (event: KeyboardEvent): void => {
    const { key, target, ctrlKey, metaKey, altKey, shiftKey } = event
    if (ctrlKey || metaKey || altKey || !(target instanceof HTMLElement)) return
    if (target.matches('input:not([type=checkbox]), select, textarea')) return
    const links = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row]')]
    const at = links.findIndex((link) => link.closest('tr') === target.closest('tr'))
    const step = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 }[key]
    const row = rows[at]
    if (step !== undefined) {
      const to = Math.max(0, Math.min(links.length - 1, at + step))
      links[to]?.focus()
      const next = rows[to]
      if (peeked && next) peek({ slug, id: next.id }, { isQuiet: true })
    } else if (key === 'x' && row) toggle(row, shiftKey)
    else if (key === ' ' && row && target.matches('[data-row]')) {
      if (peeked?.slug === slug && peeked.id === row.id) close()
      else peek({ slug, id: row.id }, { isQuiet: true })
    } else if (key === 'F2' && row) edit(row)
    else return
    event.preventDefault()
  }
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
