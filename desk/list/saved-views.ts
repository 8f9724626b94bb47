import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { useDesk } from '../boot/desk-context.ts'
import type { ResourceInfo, SavedView } from '../data/types.ts'
import { sortParameters } from './list-address.ts'
import { columnsOf, type ListState } from './list-state.ts'

/** The views of a list: the person's own, and those shared with them. */
export function useSavedViews(slug: string): UseQueryResult<readonly SavedView[]> {
  const { client } = useDesk()
  return useQuery({
    queryKey: ['views', slug],
    queryFn: async ({ signal }) => {
      const path = `/v1/list-views?${new URLSearchParams({ resource: slug })}`
      return (await client.ask<{ data: readonly SavedView[] }>(path, { signal })).body.data
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** What is kept of a list as it stands. */
export interface ViewBody {
  readonly resource: string
  readonly query: string
  readonly columns: readonly { readonly field: string; readonly width?: number }[]
  readonly layout: string
}

/** What a view of this list would keep: all that narrows and sorts it, its columns, and its layout. */
export function viewBody(
  resource: ResourceInfo,
  state: ListState,
  widths: Readonly<Record<string, number>> = {},
): ViewBody {
  const { q, sorts, filters, layout } = state
  const { sort, order } = sortParameters(sorts)
  const query = new URLSearchParams([
    ...filters.map(({ key, value }) => [key, value] as [string, string]),
    ...(q === '' ? [] : [['q', q] as [string, string]]),
    ['sort', sort],
    ...(order === undefined ? [] : [['order', order] as [string, string]]),
    ...(state.group === '' ? [] : [['group', state.group] as [string, string]]),
  ])
  return {
    resource: resource.slug,
    query: query.toString(),
    columns: columnsOf(resource, state.fields).map(({ name }) => {
      const width = widths[name]
      return width === undefined ? { field: name } : { field: name, width }
    }),
    layout,
  }
}

/** Address of a list as a view has it. */
export function viewAddress({ id, resource, query, columns, layout }: SavedView): string {
  const parameters = new URLSearchParams(query)
  if (columns.length > 0) parameters.set('fields', columns.map(({ field }) => field).join(','))
  if (layout !== 'table') parameters.set('layout', layout)
  parameters.set('view', id)
  return `/${resource}?${parameters}`
}

/** Whether a list no longer stands as its view has it. */
export function hasChanged(view: SavedView, resource: ResourceInfo, state: ListState): boolean {
  const now = viewBody(resource, state)
  const sorted = (query: string): string => {
    const parameters = new URLSearchParams(query)
    parameters.sort()
    return parameters.toString()
  }
  return (
    sorted(now.query) !== sorted(view.query) ||
    now.layout !== view.layout ||
    (view.columns.length > 0 &&
      now.columns.map(({ field }) => field).join() !==
        view.columns.map(({ field }) => field).join())
  )
}

/** What a person says of a view beside what the list itself says. */
export interface ViewNaming {
  readonly title: string
  readonly shared_with: string | null
  readonly is_default: boolean
}

/** Keeps, changes and removes views; each throws ApiError. */
export interface ViewWrites {
  readonly create: (body: ViewBody & ViewNaming) => Promise<SavedView>
  readonly change: (id: string, body: Partial<ViewBody & ViewNaming>) => Promise<SavedView>
  readonly remove: (id: string) => Promise<void>
}

/** The writes of the views of a list. */
export function useViewWrites(slug: string): ViewWrites {
  const { client } = useDesk()
  const queries = useQueryClient()
  const renew = (): Promise<void> => queries.invalidateQueries({ queryKey: ['views', slug] })
  return {
    async create(body) {
      const made = await client.ask<SavedView>('/v1/list-views', { method: 'POST', body })
      await renew()
      return made.body
    },
    async change(id, body) {
      const path = `/v1/list-views/${encodeURIComponent(id)}`
      const changed = await client.ask<SavedView>(path, { method: 'PATCH', body })
      await renew()
      return changed.body
    },
    async remove(id) {
      await client.ask(`/v1/list-views/${encodeURIComponent(id)}`, { method: 'DELETE' })
      await renew()
    },
  }
}
