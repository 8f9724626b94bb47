import '../style/grid.css'
import { type ReactElement, useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { isNumber } from '../data/format.ts'
import { mustFill } from '../data/must-fill.ts'
import type { FieldInfo, Row } from '../data/types.ts'
import { usePending } from '../draft/pending.ts'
import { IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { WORDS } from '../words/en.ts'
import { sentenceCase } from '../words/sentence-case.ts'
import { CellEditor } from './cell-editor.tsx'
import type { Place } from './grid-keys.ts'
import { GridRow } from './grid-row.tsx'
import { findPastedLinks, withFoundLinks } from './pasted-links.ts'
import { type GridWork, type RowsChange, useGrid } from './use-grid.ts'
import { useRowDrag } from './use-row-drag.ts'
import { useWidths } from './use-widths.ts'
import { ROW_HEIGHT, rowsInSight, SIGHT_HEIGHT, WINDOWED_FROM } from './window.ts'

/** The rows of a table, and what is told of changes to them. */
export interface GridProps {
  readonly table: FieldInfo
  readonly columns: readonly FieldInfo[]
  readonly rows: readonly Row[]
  /** The rows with what follows from them: what is drawn. */
  readonly shown: readonly Row[]
  /** The record the rows are of. */
  readonly parent: Row
  readonly canEdit: boolean
  /** Problems by row and column. */
  readonly problems: ReadonlyMap<number, Readonly<Record<string, string>>>
  /** Changes the rows as they are at that very moment; a part is taken back with the change before it. */
  readonly onRows: (change: RowsChange, isPart?: boolean) => void
}

/** Rows of a document as a spreadsheet: plain text, and one live editor in the cell that has the focus. */
export function Grid(props: GridProps): ReactElement {
  const { table, columns, rows, shown, parent, canEdit, problems } = props
  const { formats } = useDesk()
  const [scrolled, setScrolled] = useState(0)
  const work = useGridWork(props)
  const drag = useRowDrag(work.moveRow)
  const { first, end } = rowsInSight(rows.length, scrolled)
  const isWindowed = rows.length > WINDOWED_FROM
  const currency = currencyOf(columns, parent)
  const widths = useWidths(columns, shown, formats)
  return (
    <div className="grid-frame">
      <div
        ref={work.box}
        role="grid"
        className="grid"
        aria-label={sentenceCase(table.label)}
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length + 1}
        aria-readonly={!canEdit}
        tabIndex={rows.length === 0 ? 0 : -1}
        style={{
          ['--columns' as string]: `44px ${widths.map((width) => `${width}fr`).join(' ')}`,
          ['--least' as string]: `${widths.reduce((sum, width) => sum + width, 44)}px`,
          maxHeight: isWindowed ? SIGHT_HEIGHT : undefined,
        }}
        onScroll={isWindowed ? (event) => setScrolled(event.currentTarget.scrollTop) : undefined}
        onKeyDown={work.press}
        onPaste={(event) => {
          if (work.editing !== undefined || !canEdit) return
          event.preventDefault()
          work.paste(event.clipboardData.getData('text/plain'))
        }}
        onMouseDown={(event) => choose(event.target, work)}
        onFocus={(event) => follow(event.target, work)}
        onDoubleClick={() => work.edit()}
        {...drag}
      >
        <GridHead columns={columns} canEdit={canEdit} />
        <div
          role="rowgroup"
          style={{ paddingBlock: `${first * ROW_HEIGHT}px ${(rows.length - end) * ROW_HEIGHT}px` }}
        >
          {shown.slice(first, end).map((row, at) => {
            const index = first + at
            const isActive = index === work.active.row
            return (
              <GridRow
                key={typeof row.row_id === 'string' ? row.row_id : index}
                table={table.name}
                row={row}
                index={index}
                columns={columns}
                formats={formats}
                currency={currency}
                active={isActive ? work.active.column : undefined}
                editor={isActive ? editorOf(work, columns, row) : undefined}
                problems={problems.get(index)}
                canEdit={canEdit}
              />
            )
          })}
        </div>
      </div>
      <GridFoot count={rows.length} canEdit={canEdit} work={work} />
    </div>
  )
}

/** The work of the grid; links that are only typed or pasted are looked up, and who saves waits for it. */
function useGridWork({ table, columns, rows, canEdit, onRows }: GridProps): GridWork {
  const { client, formats, entryOf } = useDesk()
  const pending = usePending()
  return useGrid({
    rows,
    columns,
    locale: formats.locale,
    canEdit,
    maxRows: table.max_rows ?? 500,
    onRows,
    onUnknown(unknown, how) {
      const end = pending.begin()
      void findPastedLinks({ client, columns, entryOf, how }, unknown)
        .then(
          (found) => onRows((now) => withFoundLinks(now, found), true),
          // What was typed stays as it is: the server says what it does not know.
          () => {},
        )
        .finally(end)
    },
  })
}

/** Currency of the rows: that of their document. */
function currencyOf(columns: readonly FieldInfo[], parent: Row): string | undefined {
  const name = columns.find(({ currency_field }) => currency_field !== undefined)?.currency_field
  const currency = parent[name ?? '']
  return typeof currency === 'string' ? currency : undefined
}

function editorOf(
  { editing, active, done, stop }: GridWork,
  columns: readonly FieldInfo[],
  row: Row,
): ReactElement | undefined {
  const field = columns[active.column]
  if (editing === undefined || !field) return undefined
  return (
    <CellEditor
      key={`${active.row}:${active.column}`}
      field={field}
      row={row}
      typed={editing ?? undefined}
      onDone={done}
      isSeeking
      onLeave={stop}
    />
  )
}

/** A cell that gets the focus in another way than by the grid's own keys is where they work from then on. */
function follow(target: Element, work: GridWork): void {
  const place = placeOf(target.matches('[data-cell]') ? target : null)
  if (!place || work.editing !== undefined) return
  if (place.row !== work.active.row || place.column !== work.active.column) work.goTo(place)
}

function placeOf(cell: Element | null): Place | undefined {
  const text = cell?.getAttribute('data-cell') ?? ''
  const [row, column] = text.split(':').map(Number)
  return row === undefined || column === undefined || text === '' ? undefined : { row, column }
}

/** A press chooses a cell; one on the cell that has the focus already edits it. */
function choose(target: EventTarget, work: GridWork) {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-cell]') : null
  const place = placeOf(cell)
  if (!place) return
  const { row, column } = place
  const isSame = work.active.row === row && work.active.column === column
  if (isSame && work.editing !== undefined) return
  if (isSame && document.activeElement === cell) return work.edit()
  // What is being edited is taken when its editor loses the focus, before the next cell gets it.
  if (work.editing !== undefined && document.activeElement instanceof HTMLElement)
    document.activeElement.blur()
  work.goTo({ row, column })
}

function GridHead({
  columns,
  canEdit,
}: {
  columns: readonly FieldInfo[]
  canEdit: boolean
}): ReactElement {
  return (
    <div role="rowgroup" className="grid-head">
      <div role="row" className="grid-row" aria-rowindex={1}>
        <div role="columnheader" className="grid-number">
          #
        </div>
        {columns.map((field, column) => (
          <div
            key={field.name}
            role="columnheader"
            aria-colindex={column + 2}
            className={isNumber(field) ? 'grid-cell number' : 'grid-cell'}
          >
            <span className="grid-text">
              {sentenceCase(field.label)}
              {mustFill(field) && canEdit ? <span className="asterisk"> *</span> : null}
            </span>
          </div>
        ))}
      </div>
    </div>
  )
}

function GridFoot({
  count,
  canEdit,
  work,
}: {
  count: number
  canEdit: boolean
  work: GridWork
}): ReactElement {
  return (
    <div className="grid-foot">
      {canEdit ? (
        <>
          <button type="button" className="link-button" onClick={work.addRow}>
            <Icon name="plus" />
            {WORDS.addRow}
          </button>
          <span className="quiet">{WORDS.pasteHint}</span>
          {count > 0 ? (
            <IconButton
              icon="trash-2"
              label={`${WORDS.deleteRow} ${work.active.row + 1}`}
              onClick={() => work.removeRow(work.active.row)}
            />
          ) : null}
        </>
      ) : null}
      <span className="grid-count">{WORDS.rows(count)}</span>
    </div>
  )
}
