import { memo, type ReactElement } from 'react'
import { type Formats, formatValue, isNumber } from '../data/format.ts'
import type { FieldInfo, Row } from '../data/types.ts'
import { Explained } from '../record/explained.tsx'
import { ValueText } from '../record/field-text.tsx'
import { Icon } from '../ui/icon.tsx'

interface GridRowProps {
  /** Name of the table. */
  readonly table: string
  readonly row: Row
  readonly index: number
  readonly columns: readonly FieldInfo[]
  readonly formats: Formats
  /** The record the row is of: where its currency stands. */
  readonly currency: string | undefined
  /** Column that has the focus, where it is in this row. */
  readonly active: number | undefined
  /** The one live editor, where it is in this row. */
  readonly editor: ReactElement | undefined
  readonly problems: Readonly<Record<string, string>> | undefined
  readonly canEdit: boolean
}

/** A row of a grid: plain text, but for the one cell that is edited. It is drawn again only when it changes. */
export const GridRow = memo(function GridRow(props: GridRowProps): ReactElement {
  const { table, row, index, columns, formats, currency, active, editor, problems, canEdit } = props
  return (
    <div role="row" className="grid-row" aria-rowindex={index + 2}>
      <div role="rowheader" className="grid-number" draggable={canEdit}>
        {index + 1}
      </div>
      {columns.map((field, column) => {
        const isActive = active === column
        const problem = problems?.[field.name]
        const kind = [
          'grid-cell',
          isNumber(field) ? 'number' : '',
          field.readOnly && canEdit ? 'fixed' : '',
          isActive ? 'active' : '',
          problem ? 'wrong' : '',
        ]
        return (
          <div
            key={field.name}
            role="gridcell"
            className={kind.filter(Boolean).join(' ')}
            data-cell={`${index}:${column}`}
            aria-colindex={column + 2}
            aria-readonly={!canEdit || field.readOnly}
            aria-invalid={problem ? true : undefined}
            title={problem}
            tabIndex={isActive ? 0 : -1}
          >
            {isActive && editor ? (
              editor
            ) : (
              <CellText
                field={field}
                row={row}
                formats={formats}
                currency={currency}
                isFixed={!canEdit}
                place={canEdit && !field.readOnly ? undefined : `${table}[${index}].${field.name}`}
              />
            )}
          </div>
        )
      })}
    </div>
  )
})

interface CellTextProps {
  readonly field: FieldInfo
  readonly row: Row
  readonly formats: Formats
  readonly currency: string | undefined
  /** Whether nobody can edit the rows. */
  readonly isFixed: boolean
  /** Where it stands in its record, where it may be asked why it is what it is. */
  readonly place: string | undefined
}

function CellText({ field, row, formats, currency, isFixed, place }: CellTextProps): ReactElement {
  const value = row[field.name]
  if (field.type === 'check') return value === true ? <Icon name="check" /> : <span />
  // What nobody can edit is text, and its links lead on.
  if (isFixed && value && (field.resource ?? field.resource_from))
    return (
      <span className="grid-text">
        <ValueText field={field} row={row} parent={row} />
      </span>
    )
  // Money of a row is in the currency of its document.
  const own = { ...formats, currency: currency ?? formats.currency }
  const text = formatValue(field, row, own)
  return (
    <span className="grid-text">
      {place && isNumber(field) ? <Explained field={field} text={text} place={place} /> : text}
    </span>
  )
}
