import { lazy, type ReactElement, Suspense } from 'react'
import { Link } from 'wouter'
import { isNumber } from '../data/format.ts'
import type { FieldInfo, RecordData, ResourceInfo } from '../data/types.ts'
import { WORDS } from '../words/en.ts'
import { titleField } from './list-state.ts'
import { Cell, recordAddress, titleOf } from './row-parts.tsx'
import type { InlineEdit } from './use-inline-edit.ts'

const CellEditor = lazy(() =>
  import('../grid/cell-editor.tsx').then((file) => ({ default: file.CellEditor })),
)

interface ListRowProps {
  readonly resource: ResourceInfo
  readonly row: RecordData
  readonly columns: readonly FieldInfo[]
  /** Widths that were chosen, by field. */
  readonly widths: Readonly<Record<string, number>>
  readonly isSelected: boolean
  readonly onToggle: (row: RecordData, isRange: boolean) => void
  readonly edit: InlineEdit
}

/** A row of a list: its title is a link, its other cells text, but for the one that is edited. */
export function ListRow(props: ListRowProps): ReactElement {
  const { resource, row, columns, widths, isSelected, onToggle, edit } = props
  const widthOf = (name: string) =>
    widths[name] === undefined ? undefined : { maxWidth: widths[name] }
  const hasTitle = titleField(resource) !== 'id'
  const edited = edit.at?.id === row.id ? edit.at.field : undefined
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
      <td className="title" style={widthOf(titleField(resource))}>
        <Link href={recordAddress(resource, row)} data-row={row.id}>
          {titleOf(resource, row)}
        </Link>
      </td>
      {hasTitle ? <td className="quiet id">{row.id}</td> : null}
      {columns.map((field) => {
        const isEdited = edited === field.name
        const kind = [isNumber(field) ? 'number' : '', isEdited ? 'edited' : '']
        return (
          <td
            key={field.name}
            className={kind.filter(Boolean).join(' ') || undefined}
            style={widthOf(field.name)}
            onDoubleClick={() => edit.begin(row, field)}
          >
            {isEdited ? (
              <Suspense>
                <CellEditor
                  field={field}
                  row={row}
                  typed={undefined}
                  onDone={(ended) => edit.done(row, field, ended)}
                  onLeave={edit.stop}
                />
              </Suspense>
            ) : (
              <Cell field={field} row={row} resource={resource} />
            )}
          </td>
        )
      })}
    </tr>
  )
}
