import type { ReactElement, ReactNode } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { choicesOf, formatAge, formatValue } from '../data/format.ts'
import type { FieldInfo, RecordData, ResourceInfo, Row } from '../data/types.ts'
import { Icon } from '../ui/icon.tsx'
import { Pill } from '../ui/pill.tsx'
import { WORDS } from '../words/en.ts'
import { statusField, titleField } from './list-state.ts'

/** What the rows of a list, as a table or as cards, are made of. */
export interface RowsProps {
  readonly resource: ResourceInfo
  readonly rows: readonly RecordData[]
  readonly state: import('./list-state.ts').ListState
  readonly selected: ReadonlySet<string>
  readonly onSelect: (selected: ReadonlySet<string>) => void
}

/** Text people know a record by. */
export function titleOf(resource: ResourceInfo, row: Row): string {
  const name = titleField(resource)
  return row._titles?.[name] ?? String(row[name] ?? row.id ?? '')
}

/** Address of a record in the Desk. */
export function recordAddress({ slug }: ResourceInfo, { id }: RecordData): string {
  return `/${slug}/${encodeURIComponent(id)}`
}

/** A value in a list. */
export function Cell({
  field,
  row,
  resource,
}: {
  field: FieldInfo
  row: Row
  resource: ResourceInfo
}): ReactNode {
  const { formats } = useDesk()
  const value = row[field.name]
  if (field.name === statusField(resource)?.name) return <State resource={resource} row={row} />
  if (field.name === 'modified' || field.name === 'created')
    return <time dateTime={String(value)}>{formatAge(String(value), formats)}</time>
  if (field.type === 'check') return value === true ? <Checked /> : <span />
  const text = formatValue(field, row, formats)
  return value === 0 ? <span className="quiet">{text}</span> : text
}

function Checked(): ReactElement {
  return (
    <>
      <Icon name="check" />
      <span className="visually-hidden">{WORDS.yes}</span>
    </>
  )
}

const DOCSTATUS = [
  ['draft', 'grey'],
  ['submitted', 'blue'],
  ['cancelled', 'red'],
] as const

/** How far a record has come, as a pill; nothing where it has no states. */
export function State({
  resource,
  row,
}: {
  resource: ResourceInfo
  row: Row
}): ReactElement | null {
  const { boot } = useDesk()
  const field = statusField(resource)
  const value = field ? row[field.name] : undefined
  if (field && typeof value === 'string' && value !== '') {
    const choice = choicesOf(field).find((one) => one.value === value)
    return <Pill text={choice?.label ?? value} color={choice?.color ?? boot.colors[value]} />
  }
  if (!resource.submittable || typeof row.docstatus !== 'number') return null
  const [name, color] = DOCSTATUS[row.docstatus] ?? DOCSTATUS[0]
  return <Pill text={WORDS[name]} color={color} />
}
