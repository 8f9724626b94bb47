import type { FieldInfo, Groups, ResourceInfo } from '../data/types.ts'
import { filterKey } from './list-address.ts'

/** Fields whose values a list can stand in groups by: what has few of them, and days by their month. */
export function groupableFields({ fields, list_fields }: ResourceInfo): readonly FieldInfo[] {
  return fields
    .filter(
      ({ type, filterable, hidden, resource, operators }) =>
        filterable &&
        !hidden &&
        (type === 'select' ||
          type === 'check' ||
          resource !== undefined ||
          (type === 'date' && operators.includes('between'))),
    )
    .sort((a, b) => Number(list_fields.includes(b.name)) - Number(list_fields.includes(a.name)))
}

/** What asks the API for the groups by a field. */
export function groupedBy({ name, type }: FieldInfo): string {
  return type === 'date' ? `${name}:month` : name
}

/** The filter that finds the records of a group. */
export function groupFilter(
  { name, type }: FieldInfo,
  { value }: Groups['groups'][number],
): Readonly<Record<string, string>> {
  // The API takes an empty text for what has no value.
  if (value === null || value === '') return { [name]: '' }
  if (type !== 'date') return { [name]: String(value) }
  return { [filterKey(name, 'between')]: monthSpan(String(value)) }
}

/** Both ends of a month, `2026-02` → `2026-02-01,2026-02-28`. */
function monthSpan(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const last = new Date(Date.UTC(year, number, 0)).getUTCDate()
  return `${month}-01,${month}-${String(last).padStart(2, '0')}`
}
