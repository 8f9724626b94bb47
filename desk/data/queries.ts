import { keepPreviousData, type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query'
import { useDesk } from '../boot/desk-context.ts'
import { type Answer, type Client, recordPath } from './client.ts'
import type { FieldInfo, Groups, ListAnswer, RecordData, ResourceInfo } from './types.ts'

/** The query of one resource whole; it stays as it is until somebody comes back to the page. */
export function resourceQuery(client: Client, slug: string) {
  return {
    queryKey: ['resource', slug],
    queryFn: async () =>
      (await client.ask<ResourceInfo>(`/v1/resources/${encodeURIComponent(slug)}`)).body,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: 'always' as const,
  }
}

/** One resource whole: what its lists and forms are made of. */
export function useResource(slug: string, enabled = true): UseQueryResult<ResourceInfo> {
  const { client } = useDesk()
  return useQuery({ ...resourceQuery(client, slug), enabled })
}

/** Several resources, as far as they are there yet. */
export function useResources(slugs: readonly string[]): ReadonlyMap<string, ResourceInfo> {
  const { client } = useDesk()
  const answers = useQueries({ queries: slugs.map((slug) => resourceQuery(client, slug)) })
  return new Map(answers.flatMap(({ data }) => (data ? [[data.slug, data] as const] : [])))
}

/** Fields of every resource that may be filters, by slug. */
export function useFilterable(): ReadonlyMap<string, ReadonlySet<string>> | undefined {
  const { client } = useDesk()
  return useQuery({
    queryKey: ['filterable'],
    queryFn: async () => {
      const { body } = await client.ask<{
        data: readonly { slug: string; fields: readonly Pick<FieldInfo, 'name' | 'filterable'>[] }[]
      }>('/v1/resources')
      return new Map(
        body.data.map(({ slug, fields }) => [
          slug,
          new Set(fields.filter(({ filterable }) => filterable).map(({ name }) => name)),
        ]),
      )
    },
    staleTime: Number.POSITIVE_INFINITY,
  }).data
}

/** A page of a list; while the next one is on its way the page before stays. */
export function useList(slug: string, query: string, enabled: boolean): UseQueryResult<ListAnswer> {
  const { client } = useDesk()
  return useQuery({
    queryKey: ['list', slug, query],
    queryFn: async ({ signal }) =>
      (await client.ask<ListAnswer>(`/v1/${encodeURIComponent(slug)}?${query}`, { signal })).body,
    placeholderData: keepPreviousData,
    enabled,
  })
}

/** Records of a list in groups; `query` has `_count_by` or `_sum`. */
export function useGroups(slug: string, query: string, enabled = true): UseQueryResult<Groups> {
  const { client } = useDesk()
  return useQuery({
    queryKey: ['list', slug, 'groups', query],
    queryFn: async ({ signal }) =>
      (await client.ask<Groups>(`/v1/${encodeURIComponent(slug)}?${query}`, { signal })).body,
    placeholderData: keepPreviousData,
    enabled,
  })
}

/** One record with the titles of what it links to, and its tag. */
export function useRecord(
  slug: string,
  id: string | undefined,
): UseQueryResult<Answer<RecordData>> {
  const { client } = useDesk()
  return useQuery({
    queryKey: ['record', slug, id],
    queryFn: ({ signal }) =>
      client.ask<RecordData>(`${recordPath(slug, id ?? '')}?_titles=1&_can=1`, { signal }),
    enabled: id !== undefined,
    staleTime: 0,
  })
}
