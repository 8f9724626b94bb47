import type { ReactElement } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { formatValue } from '../data/format.ts'
import { useGroups } from '../data/queries.ts'
import type { FieldInfo, ResourceInfo } from '../data/types.ts'
import { WORDS } from '../words/en.ts'
import { narrowing } from './list-address.ts'
import type { ListState } from './list-state.ts'

interface SumsProps {
  readonly resource: ResourceInfo
  readonly state: ListState
  readonly columns: readonly FieldInfo[]
  /** Cells before the first column. */
  readonly before: number
}

/** Currencies that have a line of their own, at most. */
const MOST_CURRENCIES = 4

/** Money of all records that match, beneath its column: a line for each currency. */
export function ListSums({ resource, state, columns, before }: SumsProps): ReactElement | null {
  const { formats } = useDesk()
  const money = columns.filter(({ type }) => type === 'currency').slice(0, 10)
  const code = currencyFieldOf(money, resource)
  const query = new URLSearchParams({
    ...narrowing(state),
    _sum: money.map(({ name }) => name).join(','),
    ...(code === undefined ? {} : { _count_by: code }),
  })
  const { data } = useGroups(resource.slug, query.toString(), money.length > 0)
  if (money.length === 0 || !data || data.total < 2) return null
  const lines =
    code === undefined
      ? [{ key: '', sums: data.sums, row: {} }]
      : data.groups
          .slice(0, MOST_CURRENCIES)
          .map(({ value, sums }) => ({ key: String(value), sums, row: { [code]: value } }))
  return (
    <tfoot>
      <tr>
        <td colSpan={before}>{WORDS.sum}</td>
        {columns.map((field) => (
          <td key={field.name} className="number">
            {money.includes(field)
              ? lines.map(({ key, sums, row }) => (
                  <div key={key}>
                    {formatValue(field, { ...row, [field.name]: sums[field.name] }, formats)}
                  </div>
                ))
              : null}
          </td>
        ))}
      </tr>
    </tfoot>
  )
}

/** The one field that says the currency of all these amounts; undefined where they differ. */
function currencyFieldOf(
  money: readonly FieldInfo[],
  { fields }: ResourceInfo,
): string | undefined {
  const codes = new Set(money.map(({ currency_field }) => currency_field))
  const [code] = codes
  return codes.size === 1 && fields.some(({ name }) => name === code) ? code : undefined
}
