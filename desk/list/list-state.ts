import { useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import type { FieldInfo, ResourceInfo } from '../data/types.ts'
import { isOwnParameter, type ListAddress, pageQuery, readListAddress } from './list-address.ts'

/** What a list shows, all of it read from its address. */
export interface ListState extends ListAddress {
  /** Goes to the same list with other parameters; an undefined value takes one away. */
  readonly change: (
    changes: Readonly<Record<string, string | undefined>>,
    how?: { replace: boolean },
  ) => void
}

/** The state of the list at this address; `kept` are the columns of a list whose address names none. */
export function useListState(kept?: readonly string[]): ListState {
  const search = useSearch()
  const [path, navigate] = useLocation()
  return useMemo(() => {
    const address = readListAddress(search)
    return {
      ...address,
      fields: address.fields ?? kept,
      change(changes, how = { replace: false }) {
        const next = new URLSearchParams(search)
        for (const [key, value] of Object.entries({ offset: undefined, ...changes })) {
          // An empty filter finds what has no value.
          if (value === undefined || (value === '' && isOwnParameter(key))) next.delete(key)
          else next.set(key, value)
        }
        const text = next.toString()
        navigate(text === '' ? path : `${path}?${text}`, how)
      },
    } satisfies ListState
  }, [search, path, navigate, kept])
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

/** The query that asks the API for what a list shows. */
export function listQuery(resource: ResourceInfo, state: ListState): string {
  if (!state.fields) return pageQuery(state)
  const columns = columnsOf(resource, state.fields)
  const known = new Set(resource.fields.map(({ name }) => name))
  const wanted = new Set(['id', titleField(resource), ...columns.map(({ name }) => name)])
  for (const { currency_field } of columns)
    if (currency_field && known.has(currency_field)) wanted.add(currency_field)
  const status = statusField(resource)
  if (status) wanted.add(status.name)
  if (resource.submittable) wanted.add('docstatus')
  return pageQuery(state, [...wanted].join(','))
}

/** The field that says how far a record has come, where there is one. */
export function statusField({ flow, fields }: ResourceInfo): FieldInfo | undefined {
  const named = flow?.field ?? 'status'
  return fields.find(({ name, type }) => name === named && type === 'select')
}
