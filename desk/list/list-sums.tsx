import type { ReactElement } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { formatValue } from '../data/format.ts'
import { useGroups } from '../data/queries.ts'
import type { FieldInfo, ResourceInfo } from '../data/types.ts'
import { WORDS } from '../words/en.ts'
import { narrowing } from './list-address.ts'
import { type ListState, statusField } from './list-state.ts'

interface SumsProps {
  readonly resource: ResourceInfo
  readonly state: ListState
  readonly columns: readonly FieldInfo[]
  /** Cells before the first column. */
  readonly before: number
}

/** Columns that are added up, at most. */
const MOST_SUMS = 10

/** Currencies that have a line of their own, at most. */
const MOST_CURRENCIES = 4

/** Money of all records that match, beneath its column: a line for each currency. */
export function ListSums({ resource, state, columns, before }: SumsProps): ReactElement | null {
  const { formats } = useDesk()
  const money = moneyColumns(columns, resource)
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

/** Columns of amounts that add up to something. */
export function moneyColumns(
  columns: readonly FieldInfo[],
  resource: ResourceInfo,
): readonly FieldInfo[] {
  return columns.filter((field) => addsUp(field, resource)).slice(0, MOST_SUMS)
}

/**
 * The currency of all records that match, as the field that says it with its value; empty where amounts are in the company's, undefined
 * where there are several or no amounts.
 */
export function useOneCurrency(
  resource: ResourceInfo,
  state: ListState,
  money: readonly FieldInfo[],
): Readonly<Record<string, unknown>> | undefined {
  const code = currencyFieldOf(money, resource)
  const query = new URLSearchParams({ ...narrowing(state), _count_by: code ?? '' })
  const { data } = useGroups(resource.slug, query.toString(), code !== undefined)
  if (money.length === 0) return undefined
  if (code === undefined)
    return money.every((one) => one.currency_field === undefined) ? {} : undefined
  return data?.groups.length === 1 ? { [code]: data.groups[0]?.value } : undefined
}

/** Whether amounts of a column add up to something: not what is entered into masters, such as the prices of things. */
function addsUp({ type, readOnly }: FieldInfo, resource: ResourceInfo): boolean {
  const isOfWork = resource.submittable || statusField(resource) !== undefined
  return type === 'currency' && (readOnly || isOfWork)
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
