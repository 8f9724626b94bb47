import type { ReactElement } from 'react'
import { Link } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import { formatDate } from '../data/format.ts'
import type { WorkPage } from '../home/workspace-types.ts'
import { PageSkeleton } from '../ui/skeleton.tsx'
import { WORK } from '../words/work/en.ts'
import { type Balance, type Movement, sumOf, useBalances, useMovements } from './use-stock.ts'

/** The numbers of an item, in the order in which they lead from what is there to what will be. */
const NUMBERS = [
  ['onHand', (one: Balance) => one.onHand],
  ['reserved', (one: Balance) => one.reserved],
  ['ordered', (one: Balance) => one.ordered],
  ['forecast', (one: Balance) => one.forecast],
] as const

/** One item: what is there, promised, ordered and forecast, by warehouse too, and what moved it last. */
export function ItemCard({ page, item }: { page: WorkPage; item: string }): ReactElement {
  const { formats } = useDesk()
  const { data, error } = useBalances(page.parts.balances!, item)
  const onHand = data && sumOf(data, (one) => one.onHand)
  const movements = useMovements(page.parts.movements, item, onHand)
  const number = (value: number): string =>
    value.toLocaleString(formats.locale, { maximumFractionDigits: 3 })
  if (error) return <p role="alert">{error.message}</p>
  if (!data) return <PageSkeleton />
  return (
    <div className="item-card">
      <header>
        <h2>
          <Link href={`/${page.parts.items!.resource}/${encodeURIComponent(item)}`}>
            {data[0]?.title ?? item}
          </Link>
        </h2>
        <Link href="/stock">{WORK.allOfStock}</Link>
      </header>
      <dl className="item-numbers">
        {NUMBERS.map(([name, of]) => (
          <div key={name} data-short={name === 'forecast' && sumOf(data, of) < 0}>
            <dt>{WORK[name]}</dt>
            <dd>{number(sumOf(data, of))}</dd>
          </div>
        ))}
      </dl>
      {data.length === 0 ? (
        <p className="quiet stock-none">{WORK.noStock}</p>
      ) : (
        <table className="item-places">
          <thead>
            <tr>
              <th scope="col">{WORK.warehouse}</th>
              {NUMBERS.map(([name]) => (
                <th key={name} scope="col" className="number">
                  {WORK[name]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.map((one) => (
              <tr key={one.id}>
                <th scope="row">{one.warehouseTitle}</th>
                {NUMBERS.map(([name, of]) => (
                  <td key={name} className="number">
                    {number(of(one))}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {movements && movements.length > 0 ? <Movements all={movements} /> : null}
    </div>
  )
}

function Movements({ all }: { all: readonly Movement[] }): ReactElement {
  const { formats } = useDesk()
  const signed = new Intl.NumberFormat(formats.locale, {
    ...{ maximumFractionDigits: 3, signDisplay: 'exceptZero' },
  })
  return (
    <section aria-labelledby="movements">
      <h2 id="movements">{WORK.movements}</h2>
      <table className="item-moves">
        <thead>
          <tr>
            <th scope="col">{WORK.day}</th>
            <th scope="col">{WORK.document}</th>
            <th scope="col" className="wide">
              {WORK.warehouse}
            </th>
            <th scope="col" className="number">
              {WORK.moved}
            </th>
            <th scope="col" className="number">
              {WORK.balance}
            </th>
          </tr>
        </thead>
        <tbody>
          {all.map((one) => (
            <tr key={one.id}>
              <td>{formatDate(one.day, formats)}</td>
              <td>
                {one.href ? <Link href={one.href}>{one.document}</Link> : one.document}
                <span className="quiet">{one.about === one.document ? '' : one.about}</span>
              </td>
              <td className="wide">{one.warehouse}</td>
              <td className="number">{signed.format(one.qty)}</td>
              <td className="number">{one.balance.toLocaleString(formats.locale)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
