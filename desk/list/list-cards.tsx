import type { ReactElement } from 'react'
import { Link } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import { formatValue } from '../data/format.ts'
import { columnsOf, statusField, titleField } from './list-state.ts'
import { type RowsProps, recordAddress, State, titleOf } from './row-parts.tsx'

/** The rows of a list on a phone: a card each, with the title, one amount, its state and its day. */
export function ListCards({ resource, rows, state }: RowsProps): ReactElement {
  const { formats } = useDesk()
  const columns = columnsOf(resource, state.fields)
  const amount = columns.find(({ type }) => type === 'currency')
  const day = columns.find(({ type }) => type === 'date')
  const other = columns.find(
    ({ name, type }) =>
      type !== 'currency' &&
      type !== 'date' &&
      type !== 'datetime' &&
      name !== statusField(resource)?.name,
  )
  const hasTitle = titleField(resource) !== 'id'
  return (
    <ul className="cards">
      {rows.map((row) => {
        const second = [
          hasTitle ? row.id : undefined,
          day && formatValue(day, row, formats),
          !day && other && formatValue(other, row, formats),
        ]
        return (
          <li key={row.id}>
            <Link href={recordAddress(resource, row)}>
              <strong>{titleOf(resource, row)}</strong>
              <span className="number">{amount ? formatValue(amount, row, formats) : ''}</span>
              <span className="quiet">{second.filter(Boolean).join(' · ')}</span>
              <State resource={resource} row={row} />
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
