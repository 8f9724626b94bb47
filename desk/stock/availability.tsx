import { type ReactElement, useMemo } from 'react'
import { Link } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import type { PagePart } from '../home/workspace-types.ts'
import { PageSkeleton } from '../ui/skeleton.tsx'
import { WORK } from '../words/work/en.ts'
import { type Balance, sumOf, useBalances } from './use-stock.ts'

interface AvailabilityProps {
  readonly part: PagePart
  /** Text that items are found by; empty for all. */
  readonly sought: string
}

/** Items down, warehouses across: what is there of each, and in all what is promised, ordered and forecast. */
export function Availability({ part, sought }: AvailabilityProps): ReactElement {
  const { formats } = useDesk()
  const { data, error } = useBalances(part)
  const { items, warehouses } = useMemo(() => gridOf(data ?? [], sought), [data, sought])
  const number = (value: number): string =>
    value === 0 ? '' : value.toLocaleString(formats.locale, { maximumFractionDigits: 3 })
  if (error) return <p role="alert">{error.message}</p>
  if (!data) return <PageSkeleton />
  if (items.length === 0) return <p className="quiet stock-none">{WORK.noStock}</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by the keyboard
    <section className="stock-table" aria-label={WORK.availability} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{WORK.item}</th>
            {[...warehouses.values()].map((title) => (
              <th key={title} scope="col" className="number">
                {title}
              </th>
            ))}
            {[WORK.onHand, WORK.reserved, WORK.ordered, WORK.forecast].map((label) => (
              <th key={label} scope="col" className="number total">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map(([id, balances]) => (
            <tr key={id}>
              <th scope="row">
                <Link href={`/stock?item=${encodeURIComponent(id)}`}>{balances[0]?.title}</Link>
                <span className="quiet">{id}</span>
              </th>
              {[...warehouses.keys()].map((warehouse) => (
                <td key={warehouse} className="number">
                  {number(balances.find((one) => one.warehouse === warehouse)?.onHand ?? 0)}
                </td>
              ))}
              <td className="number total">
                {number(sumOf(balances, (one) => one.onHand)) || '0'}
              </td>
              <td className="number">{number(sumOf(balances, (one) => one.reserved))}</td>
              <td className="number">{number(sumOf(balances, (one) => one.ordered))}</td>
              <td className="number" data-short={sumOf(balances, (one) => one.forecast) < 0}>
                {number(sumOf(balances, (one) => one.forecast)) || '0'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** The balances by item, by their titles, and the warehouses that have any of them. */
function gridOf(all: readonly Balance[], sought: string) {
  const text = sought.trim().toLowerCase()
  const byItem = new Map<string, Balance[]>()
  const warehouses = new Map<string, string>()
  for (const one of all) {
    if (!one.item.toLowerCase().includes(text) && !one.title.toLowerCase().includes(text)) continue
    byItem.set(one.item, [...(byItem.get(one.item) ?? []), one])
    if (one.onHand !== 0) warehouses.set(one.warehouse, one.warehouseTitle)
  }
  const items = [...byItem].sort(([, [one]], [, [other]]) =>
    (one?.title ?? '').localeCompare(other?.title ?? ''),
  )
  return { items, warehouses }
}
