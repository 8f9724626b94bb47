import { type ReactElement, useMemo, useRef, useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { formatValue } from '../data/format.ts'
import type { FieldInfo, ResourceInfo, Row } from '../data/types.ts'
import type { Draft } from '../draft/draft.ts'
import type { Problems } from '../draft/problems.ts'
import type { Foreseen } from '../draft/use-preview.ts'
import { Grid } from '../grid/grid.tsx'
import { RowCards } from '../grid/row-cards.tsx'
import type { RowsChange } from '../grid/use-grid.ts'
import { Icon } from '../ui/icon.tsx'
import { useNarrow } from '../ui/use-narrow.ts'
import { WORDS } from '../words/en.ts'
import { sentenceCase } from '../words/sentence-case.ts'
import { Explained } from './explained.tsx'
import { FieldInput } from './field-input.tsx'
import { FieldText } from './field-text.tsx'
import { type Mode, type Section, tableColumns } from './layout.ts'

/** What a part of a form is drawn of. */
export interface SectionProps {
  readonly section: Section
  readonly totals: readonly FieldInfo[]
  readonly resource: ResourceInfo
  readonly mode: Mode
  readonly draft: Draft
  /** What the draft would become. */
  readonly next: Foreseen
  readonly problems: Problems
  /** Whether it begins with all it has. */
  readonly isWhole?: boolean
}

/** A part of a form: its fields, what is shown when asked for, and its tables. */
export function SectionCard({
  section,
  totals,
  resource,
  mode,
  draft,
  next,
  problems,
  isWhole: isWholeFirst = false,
}: SectionProps): ReactElement {
  const [isWhole, setWhole] = useState(isWholeFirst)
  const { fields, more, tables } = section
  const { shown, folded } = sortTables(tables, isWhole, (table) =>
    isTableOpen(table, next.row, mode, draft.changed),
  )
  const hidden = isWhole ? 0 : more.length + folded.length
  // A title that is the name of the only table, or of the record itself, would be said twice.
  const ofTable = tables.length > 0 && fields.length === 0 && tables[0]!.label === section.title
  const isSaid = ofTable || isOfRecord(section.title, resource)
  return (
    <section className="section" aria-label={section.title ?? WORDS.details}>
      {section.title && !isSaid ? <h2>{sentenceCase(section.title)}</h2> : null}
      <Fields
        fields={isWhole ? [...fields, ...more] : fields}
        mode={mode}
        draft={draft}
        next={next}
        problems={problems}
      />
      {shown.map((table) => (
        <Table
          key={table.name}
          table={table}
          mode={mode}
          draft={draft}
          next={next}
          problems={problems}
        />
      ))}
      {totals.length > 0 ? (
        <Totals totals={totals} resource={resource} row={next.row} isOld={next.isOld} />
      ) : null}
      {hidden > 0 || isWhole ? (
        <button
          type="button"
          className="link-button more-fields"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          <Icon name={isWhole ? 'arrow-up' : 'chevron-down'} size={14} />
          {isWhole ? WORDS.fewerFields : WORDS.moreFields(hidden)}
        </button>
      ) : null}
    </section>
  )
}

function isOfRecord(title: string | undefined, { label }: ResourceInfo): boolean {
  return title !== undefined && label.toLowerCase().endsWith(title.toLowerCase())
}

function sortTables(
  tables: readonly FieldInfo[],
  isWhole: boolean,
  isOpen: (table: FieldInfo) => boolean,
) {
  const shown = tables.filter((table) => isWhole || isOpen(table))
  return { shown, folded: tables.filter((table) => !shown.includes(table)) }
}

/** Whether a table is shown without being asked for: it has to have rows, or has some; of a new record those that somebody gave it. */
export function isTableOpen(
  { name, required }: FieldInfo,
  row: Row,
  mode: Mode,
  typed: ReadonlySet<string>,
): boolean {
  const rows = row[name]
  if (required || (mode === 'new' && typed.has(name))) return true
  return mode !== 'new' && Array.isArray(rows) && rows.length > 0
}

interface PartProps {
  readonly mode: Mode
  readonly draft: Draft
  /** What the draft would become. */
  readonly next: Foreseen
  readonly problems: Problems
}

function Fields({
  fields,
  mode,
  draft,
  next,
  problems,
}: PartProps & { fields: readonly FieldInfo[] }): ReactElement | null {
  if (fields.length === 0) return null
  const isFixed = (field: FieldInfo): boolean =>
    mode === 'read' || field.readOnly || (mode === 'edit' && field.createOnly)
  const inputs = fields.filter((field) => !isFixed(field))
  const texts = fields.filter(isFixed)
  return (
    <>
      {inputs.length > 0 ? (
        <div className="fields">
          {inputs.map((field) => (
            <div key={field.name} className={isWide(field) ? 'wide-field' : undefined}>
              <FieldInput
                field={field}
                row={next.row}
                error={problems.fields[field.name]}
                onChange={draft.set}
              />
            </div>
          ))}
        </div>
      ) : null}
      {texts.length > 0 ? (
        <dl className="fields texts">
          {texts.map((field) => (
            <FieldText key={field.name} field={field} row={next.row} />
          ))}
        </dl>
      ) : null}
    </>
  )
}

function isWide({ type }: FieldInfo): boolean {
  return ['text', 'long_text', 'markdown', 'html', 'code', 'json'].includes(type)
}

const NO_ROWS: readonly Row[] = []
const NO_CELLS: ReadonlyMap<number, Readonly<Record<string, string>>> = new Map()

function Table({
  table,
  mode,
  draft,
  next,
  problems,
}: PartProps & { table: FieldInfo }): ReactElement {
  const value = draft.changed.has(table.name) ? draft.row[table.name] : next.row[table.name]
  const rows = Array.isArray(value) ? (value as readonly Row[]) : NO_ROWS
  const foreseen = next.row[table.name]
  const shown =
    Array.isArray(foreseen) && foreseen.length === rows.length ? (foreseen as readonly Row[]) : rows
  const canEdit = mode !== 'read' && !table.readOnly
  const columns = useKeptColumns(table, shown, canEdit, draft.isDirty, next.row)
  // What was typed a moment ago counts, whether it is drawn yet or not.
  const onRows = (change: RowsChange, isPart?: boolean): void =>
    draft.revise(
      table.name,
      (now) => change(Array.isArray(now) ? (now as readonly Row[]) : rows),
      isPart,
    )
  const error = problems.fields[table.name]
  const Rows = useNarrow() ? RowCards : Grid
  return (
    <div className="table-part">
      <h3>{sentenceCase(table.label)}</h3>
      <Rows
        table={table}
        columns={columns}
        rows={rows}
        shown={shown}
        parent={next.row}
        canEdit={canEdit}
        problems={problems.rows.get(table.name) ?? NO_CELLS}
        onRows={onRows}
      />
      {error ? <p className="field-error">{error}</p> : null}
    </div>
  )
}

/** Columns of a table; while something is typed in it none goes that was there. */
function useKeptColumns(
  table: FieldInfo,
  rows: readonly Row[],
  canEdit: boolean,
  isDirty: boolean,
  parent: Row,
): readonly FieldInfo[] {
  const kept = useRef<ReadonlySet<string>>(new Set())
  const found = new Set(tableColumns(table, rows, canEdit, parent).map(({ name }) => name))
  const names = isDirty ? kept.current.union(found) : found
  kept.current = names
  const fields = table.fields ?? []
  const key = [...names].sort().join(' ')
  return useMemo(() => fields.filter(({ name }) => key.split(' ').includes(name)), [fields, key])
}

interface TotalsProps {
  readonly totals: readonly FieldInfo[]
  readonly resource: ResourceInfo
  readonly row: Row
  /** Whether they are of before what was changed. */
  readonly isOld: boolean
}

/** The sums of a document, at the end of its rows; those a list shows stand out. */
function Totals({ totals, resource, row, isOld }: TotalsProps): ReactElement {
  const { formats } = useDesk()
  return (
    <dl className="totals" data-old={isOld}>
      {totals.map((field) => (
        <div
          key={field.name}
          className={resource.list_fields.includes(field.name) ? 'main-total' : undefined}
        >
          <dt>{sentenceCase(field.label)}</dt>
          <dd>
            <Explained field={field} text={formatValue(field, row, formats)} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
