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
  readonly sort: string
  readonly order: 'asc' | 'desc'
  readonly offset: number
  readonly limit: number
  /** Names of the columns that were chosen; undefined for the usual ones. */
  readonly fields: readonly string[] | undefined
  readonly filters: readonly Filter[]
  /** Goes to the same list with other parameters; an undefined value takes one away. */
  readonly change: (
    changes: Readonly<Record<string, string | undefined>>,
    how?: { replace: boolean },
  ) => void
}

/** Parameters that are none of filters. */
const OWN = new Set(['q', 'sort', 'order', 'offset', 'limit', 'fields', 'view', 'layout', 'month'])

/** Rows of a page, unless its address says otherwise. */
export const PAGE_ROWS = 50

/** The state of the list at this address. */
export function useListState(): ListState {
  const search = useSearch()
  const [path, navigate] = useLocation()
  return useMemo(() => {
    const given = new URLSearchParams(search)
    return {
      q: given.get('q') ?? '',
      view: given.get('view') ?? '',
      layout: given.get('layout') ?? 'table',
      month: given.get('month') ?? '',
      sort: given.get('sort') ?? 'modified',
      order: given.get('order') === 'asc' ? 'asc' : 'desc',
      offset: numberIn(given.get('offset'), 0),
      limit: Math.min(100, numberIn(given.get('limit'), PAGE_ROWS)),
      fields: given.get('fields')?.split(',').filter(Boolean),
      filters: [...given].filter(([key]) => !OWN.has(key)).map(filterOf),
      change(changes, how = { replace: false }) {
        const next = new URLSearchParams(search)
        for (const [key, value] of Object.entries({ offset: undefined, ...changes })) {
          if (value === undefined || value === '') next.delete(key)
          else next.set(key, value)
        }
        const text = next.toString()
        navigate(text === '' ? path : `${path}?${text}`, how)
      },
    } satisfies ListState
  }, [search, path, navigate])
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
  return new URLSearchParams({
    ...narrowing(state),
    fields: [...wanted].join(','),
    sort: state.sort,
    order: state.order,
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
