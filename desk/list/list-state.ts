import { useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import type { FieldInfo, ResourceInfo } from '../data/types.ts'

/** A filter of a list as its address has it: `grand_total__gte=100`. */
export interface Filter {
  readonly key: string
  readonly field: string
  readonly operator: string
  readonly value: string
}

/** What a list shows, all of it read from its address: an address is a request of the API too. */
export interface ListState {
  readonly q: string
  /** The saved view it began with; empty for none. */
  readonly view: string
  readonly layout: string
  /** The month of a calendar, `2026-11`; empty for this one. */
  readonly month: string
  /** What it is sorted by, the first field first. */
  readonly sorts: readonly Sort[]
  readonly offset: number
  readonly limit: number
  /** Names of the columns that were chosen; undefined for the usual ones. */
  readonly fields: readonly string[] | undefined
  /** Field whose values it stands in groups by; empty for none. */
  readonly group: string
  readonly filters: readonly Filter[]
  /** Goes to the same list with other parameters; an undefined value takes one away. */
  readonly change: (
    changes: Readonly<Record<string, string | undefined>>,
    how?: { replace: boolean },
  ) => void
}

/** A field that a list is sorted by, and which way. */
export interface Sort {
  readonly field: string
  readonly isDown: boolean
}

/** Parameters that are none of filters. */
const OWN = new Set([
  ...['q', 'sort', 'order', 'offset', 'limit', 'fields', 'view', 'layout', 'month', 'group'],
])

/** Fields a list is sorted by at most (contract §7.3). */
const MOST_SORTS = 3

/** Rows of a page, unless its address says otherwise. */
export const PAGE_ROWS = 50

/** The state of the list at this address; `kept` are the columns of a list whose address names none. */
export function useListState(kept?: readonly string[]): ListState {
  const search = useSearch()
  const [path, navigate] = useLocation()
  return useMemo(() => {
    const given = new URLSearchParams(search)
    return {
      q: given.get('q') ?? '',
      view: given.get('view') ?? '',
      layout: given.get('layout') ?? 'table',
      month: given.get('month') ?? '',
      group: given.get('group') ?? '',
      sorts: sortsIn(given.get('sort') ?? 'modified', given.get('order')),
      offset: numberIn(given.get('offset'), 0),
      limit: Math.min(100, numberIn(given.get('limit'), PAGE_ROWS)),
      fields: given.get('fields')?.split(',').filter(Boolean) ?? kept,
      filters: [...given].filter(([key]) => !OWN.has(key)).map(filterOf),
      change(changes, how = { replace: false }) {
        const next = new URLSearchParams(search)
        for (const [key, value] of Object.entries({ offset: undefined, ...changes })) {
          // An empty filter finds what has no value.
          if (value === undefined || (value === '' && OWN.has(key))) next.delete(key)
          else next.set(key, value)
        }
        const text = next.toString()
        navigate(text === '' ? path : `${path}?${text}`, how)
      },
    } satisfies ListState
  }, [search, path, navigate, kept])
}

/** As the API reads them: `-a` is downwards; one plain field goes downwards unless `order` says otherwise. */
function sortsIn(text: string, order: string | null): readonly Sort[] {
  const names = text.split(',').filter(Boolean)
  const isOne = names.length === 1 && !text.startsWith('-')
  return names.slice(0, MOST_SORTS).map((name) => ({
    field: name.replace(/^-/, ''),
    isDown: isOne ? order !== 'asc' : name.startsWith('-'),
  }))
}

/** What an address says of a sorting. */
export function sortParameters(sorts: readonly Sort[]): {
  readonly sort: string
  readonly order: string | undefined
} {
  const [first] = sorts
  if (sorts.length === 1 && first)
    return { sort: first.field, order: first.isDown ? 'desc' : 'asc' }
  const sort = sorts.map(({ field, isDown }) => `${isDown ? '-' : ''}${field}`).join(',')
  return { sort, order: undefined }
}

/** A sorting once the head of a column was pressed: by it alone, or by it too, or by it the other way round. */
export function sortedBy(sorts: readonly Sort[], field: string, isToo: boolean): readonly Sort[] {
  const known = sorts.find((one) => one.field === field)
  const turned = { field, isDown: known ? !known.isDown : false }
  if (!isToo) return [turned]
  const others = sorts.map((one) => (one === known ? turned : one))
  return (known ? others : [...others, turned]).slice(-MOST_SORTS)
}

function numberIn(text: string | null, otherwise: number): number {
  const number = Number(text ?? '')
  return Number.isInteger(number) && number > 0 ? number : otherwise
}

function filterOf([key, value]: readonly [string, string]): Filter {
  const at = key.lastIndexOf('__')
  return at < 0
    ? { key, field: key, operator: 'eq', value }
    : { key, field: key.slice(0, at), operator: key.slice(at + 2), value }
}

/** The parameter of a filter: `status`, `grand_total__gte`. */
export function filterKey(field: string, operator: string): string {
  return operator === 'eq' ? field : `${field}__${operator}`
}

/** The columns of a list: those that were chosen, else those the definition names. */
export function columnsOf(
  resource: ResourceInfo,
  chosen: readonly string[] | undefined,
): FieldInfo[] {
  const byName = new Map(resource.fields.map((field) => [field.name, field]))
  const named = chosen ?? [...resource.list_fields, 'modified']
  const title = titleField(resource)
  return named
    .map((name) => byName.get(name))
    .filter((field) => field !== undefined)
    .filter(
      ({ name }) =>
        name !== title && name !== 'id' && name !== resource.id_field && name !== 'name',
    )
}

/** Field whose value people know a record by. */
export function titleField({ title_field, id_field }: ResourceInfo): string {
  return title_field === 'name' || title_field === id_field ? 'id' : title_field
}

/** What narrows a list: its filters and its search. */
export function narrowing({ filters, q }: ListState): Readonly<Record<string, string>> {
  return {
    ...Object.fromEntries(filters.map(({ key, value }) => [key, value])),
    ...(q === '' ? {} : { q }),
  }
}

/** The query that asks the API for what a list shows. */
export function listQuery(resource: ResourceInfo, state: ListState): string {
  const columns = columnsOf(resource, state.fields)
  const known = new Set(resource.fields.map(({ name }) => name))
  const wanted = new Set(['id', titleField(resource), ...columns.map(({ name }) => name)])
  for (const { currency_field } of columns)
    if (currency_field && known.has(currency_field)) wanted.add(currency_field)
  const status = statusField(resource)
  if (status) wanted.add(status.name)
  if (resource.submittable) wanted.add('docstatus')
  const { sort, order } = sortParameters(state.sorts)
  return new URLSearchParams({
    ...narrowing(state),
    fields: [...wanted].join(','),
    sort,
    ...(order === undefined ? {} : { order }),
    limit: String(state.limit),
    offset: String(state.offset),
    _titles: '1',
  }).toString()
}

/** The field that says how far a record has come, where there is one. */
export function statusField({ flow, fields }: ResourceInfo): FieldInfo | undefined {
  const named = flow?.field ?? 'status'
  return fields.find(({ name, type }) => name === named && type === 'select')
}
