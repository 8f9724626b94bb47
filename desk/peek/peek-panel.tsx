import '../style/record.css'
import '../style/peek.css'
import { type ReactElement, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import { formatValue } from '../data/format.ts'
import { useRecord, useResource } from '../data/queries.ts'
import type { FieldInfo, RecordData, ResourceInfo, Row } from '../data/types.ts'
import { State, titleOf } from '../list/row-parts.tsx'
import { FieldText } from '../record/field-text.tsx'
import { layoutOf, type Section, tableColumns } from '../record/layout.ts'
import { useOwnCompany } from '../record/own-company.ts'
import { PlainTable } from '../record/plain-table.tsx'
import { RecordContext } from '../record/record-context.ts'
import { IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { PageSkeleton } from '../ui/skeleton.tsx'
import { WORDS } from '../words/en.ts'
import { sentenceCase } from '../words/sentence-case.ts'
import { type Peeked, usePeek } from './peek-context.ts'

interface PanelProps {
  readonly peeked: Peeked
  readonly takesFocus: boolean
  /** Goes to the record looked at before. */
  readonly onBack: (() => void) | undefined
}

/** A record beside the page, only to read. */
export function PeekPanel({ peeked, takesFocus, onBack }: PanelProps): ReactElement {
  const { slug, id } = peeked
  const { close } = usePeek()
  const resource = useResource(slug)
  const record = useRecord(slug, id)
  const panel = useRef<HTMLElement>(null)
  const row = record.data?.body
  const error = resource.error ?? (row ? null : record.error)
  useEffect(() => {
    if (takesFocus) panel.current?.focus()
  }, [takesFocus])
  return (
    <aside ref={panel} className="peek" aria-label={WORDS.peek} tabIndex={-1} data-peek={id}>
      <header>
        {onBack ? <IconButton icon="arrow-left" label={WORDS.back} onClick={onBack} /> : null}
        <span className="crumbs">
          {resource.data ? sentenceCase(resource.data.label) : ''} <span>{id}</span>
        </span>
        <Link
          href={`/${slug}/${encodeURIComponent(id)}`}
          className="icon-button"
          aria-label={WORDS.open(id)}
        >
          <Icon name="maximize-2" />
        </Link>
        <IconButton icon="x" label={WORDS.close} onClick={close} />
      </header>
      {error ? <p role="alert">{error.message}</p> : null}
      {resource.data && row ? (
        <RecordContext value={{ resource: resource.data, record: row }}>
          <PeekBody resource={resource.data} row={row} />
        </RecordContext>
      ) : error ? null : (
        <PageSkeleton />
      )}
    </aside>
  )
}

function PeekBody({ resource, row }: { resource: ResourceInfo; row: RecordData }): ReactElement {
  const company = useOwnCompany()
  const { sections, totals } = layoutOf(resource, row, 'read', { company })
  return (
    <div className="peek-body">
      <div className="record-title">
        <h2>{titleOf(resource, row)}</h2>
        <State resource={resource} row={row} />
      </div>
      {totals.length > 0 ? (
        <dl className="fields texts">
          {totals
            .filter(({ name }) => resource.list_fields.includes(name))
            .map((field) => (
              <FieldText key={field.name} field={field} row={row} />
            ))}
        </dl>
      ) : null}
      {sections.filter(hasAny).map(({ key, title, fields, tables }) => (
        <section key={key}>
          {title ? <h3>{sentenceCase(title)}</h3> : null}
          {fields.length > 0 ? (
            <dl className="fields texts">
              {fields.map((field) => (
                <FieldText key={field.name} field={field} row={row} />
              ))}
            </dl>
          ) : null}
          {tables.map((table) => (
            <PeekTable key={table.name} table={table} row={row} />
          ))}
        </section>
      ))}
    </div>
  )
}

function hasAny({ fields, tables }: Section): boolean {
  return fields.length + tables.length > 0
}

/** Columns of a table that have room beside a page, and rows that are shown. */
const MOST_COLUMNS = 4
const MOST_ROWS = 20

function PeekTable({ table, row }: { table: FieldInfo; row: RecordData }): ReactElement | null {
  const { formats } = useDesk()
  const rows = (row[table.name] ?? []) as readonly Row[]
  const columns = tableColumns(table, rows, false, row).slice(0, MOST_COLUMNS)
  if (rows.length === 0 || columns.length === 0) return null
  return (
    <PlainTable
      label={sentenceCase(table.label)}
      columns={columns}
      rows={rows}
      most={MOST_ROWS}
      textOf={(field, one) => formatValue(field, one, formats, row)}
    />
  )
}
