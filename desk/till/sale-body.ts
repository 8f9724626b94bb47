import type { PagePart } from '../home/workspace-types.ts'
import { fieldOf } from '../work/use-work-page.ts'
import type { CartLine, OpenTill, Taken } from './till-types.ts'

interface Sold {
  readonly till: OpenTill
  readonly lines: readonly CartLine[]
  readonly taken: readonly Taken[]
  /** Day and prices that were told without the network: they stand though others are found when it is sent. */
  readonly day?: string
}

/** What is sent of a sale: a record of the part `sales`, paid at once at its till. */
export function saleBody(
  sales: PagePart,
  { till, lines, taken, day }: Sold,
): Readonly<Record<string, unknown>> {
  const field = (role: string): string => fieldOf(sales, role)
  return {
    ...sales.set,
    [field('till')]: till.id,
    [field('company')]: till.company,
    [field('customer')]: till.customer,
    [field('warehouse')]: till.warehouse,
    ...(day === undefined ? {} : { [field('day')]: day }),
    [field('rows')]: lines.map(({ item, qty }) => ({
      [field('rows.item')]: item.id,
      [field('rows.qty')]: qty,
      ...(day === undefined || item.rate === undefined ? {} : { [field('rows.rate')]: item.rate }),
    })),
    [field('ways')]: taken.map(({ way, amount }) => ({
      [field('ways.way')]: way,
      [field('ways.amount')]: amount,
    })),
  }
}
