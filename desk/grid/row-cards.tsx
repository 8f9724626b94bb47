import '../style/grid.css'
import { type ReactElement, useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { formatValue } from '../data/format.ts'
import type { FieldInfo, Row } from '../data/types.ts'
import { FieldInput } from '../record/field-input.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { WORDS } from '../words/en.ts'
import { sentenceCase } from '../words/sentence-case.ts'
import type { GridProps } from './grid.tsx'
import { changedRows } from './row-changes.ts'

/** Facts of a row that a card has room for, beside what it is of and its amount. */
const MOST_FACTS = 3

/** Rows of a document on a phone: a card each, which opens a sheet with all its fields. */
export function RowCards(props: GridProps): ReactElement {
  const { columns, rows, shown, canEdit, parent, problems, onRows } = props
  const [open, setOpen] = useState<number>()
  const { formats } = useDesk()
  const [first, ...others] = columns
  const amount = others.findLast(({ type }) => type === 'currency')
  const text = (field: FieldInfo | undefined, row: Row): string =>
    field ? formatValue(field, row, formats, parent) : ''
  return (
    <div className="row-cards">
      <ul>
        {shown.map((row, at) => (
          <li key={typeof row.row_id === 'string' ? row.row_id : at}>
            <button
              type="button"
              aria-invalid={problems.has(at) || undefined}
              onClick={() => setOpen(at)}
            >
              <strong>{text(first, row) || WORDS.emptyRow(at + 1)}</strong>
              <span className="number">{text(amount, row)}</span>
              <span className="quiet">
                {others
                  .filter((field) => field !== amount && text(field, row) !== '')
                  .slice(0, MOST_FACTS)
                  .map((field) => text(field, row))
                  .join(' · ')}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {canEdit ? (
        <button
          type="button"
          className="link-button"
          onClick={() => {
            onRows((now) => [...now, {}])
            setOpen(rows.length)
          }}
        >
          <Icon name="plus" />
          {WORDS.addRow}
        </button>
      ) : null}
      {open !== undefined && rows[open] ? (
        <RowSheet key={open} {...props} at={open} onGo={setOpen} />
      ) : null}
    </div>
  )
}

interface SheetProps extends GridProps {
  readonly at: number
  readonly onGo: (at: number | undefined) => void
}

/** All fields of one row, and the ways to the rows before and after it. */
function RowSheet(props: SheetProps): ReactElement {
  const { table, columns, rows, shown, parent, canEdit, problems, onRows, at, onGo } = props
  const { formats } = useDesk()
  const row = shown[at] ?? {}
  return (
    <Dialog title={`${sentenceCase(table.label)} ${at + 1}`} onClose={() => onGo(undefined)}>
      <div className="dialog-form section-like">
        {columns.map((field) =>
          canEdit && !field.readOnly ? (
            <FieldInput
              key={field.name}
              field={field}
              row={row}
              error={problems.get(at)?.[field.name]}
              onChange={(name, value, title) =>
                onRows((now) => changedRows(now, { row: at, column: 0 }, { [name]: value }, title))
              }
            />
          ) : (
            <dl key={field.name} className="texts">
              <dt>{sentenceCase(field.label)}</dt>
              <dd>{formatValue(field, row, formats, parent) || '–'}</dd>
            </dl>
          ),
        )}
      </div>
      <div className="dialog-actions">
        {canEdit ? (
          <IconButton
            icon="trash-2"
            label={`${WORDS.deleteRow} ${at + 1}`}
            onClick={() => {
              onRows((now) => now.toSpliced(at, 1))
              onGo(undefined)
            }}
          />
        ) : null}
        <IconButton
          icon="chevron-left"
          label={WORDS.rowBefore}
          disabled={at === 0}
          onClick={() => onGo(at - 1)}
        />
        <IconButton
          icon="chevron-right"
          label={WORDS.rowAfter}
          disabled={at === rows.length - 1}
          onClick={() => onGo(at + 1)}
        />
        <Button kind="primary" onClick={() => onGo(undefined)}>
          {WORDS.done}
        </Button>
      </div>
    </Dialog>
  )
}
