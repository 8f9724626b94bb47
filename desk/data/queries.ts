import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useDesk } from '../boot/desk-context.ts'
import { type Answer, recordPath } from './client.ts'
import type { ListAnswer, RecordData, ResourceInfo } from './types.ts'

/** One resource whole: what its lists and forms are made of. */
export function useResource(slug: string): UseQueryResult<ResourceInfo> {
  const { client } = useDesk()
  return useQuery({
    queryKey: ['resource', slug],
    queryFn: async ({ signal }) =>
      (await client.ask<ResourceInfo>(`/v1/resources/${encodeURIComponent(slug)}`, { signal }))
        .body,
    staleTime: Number.POSITIVE_INFINITY,
  })
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

/** One record with the titles of what it links to, and its tag. */
export function useRecord(
  slug: string,
  id: string | undefined,
): UseQueryResult<Answer<RecordData>> {
  const { client } = useDesk()
  return useQuery({
    queryKey: ['record', slug, id],
    queryFn: ({ signal }) =>
      client.ask<RecordData>(`${recordPath(slug, id ?? '')}?_titles=1`, { signal }),
    enabled: id !== undefined,
    staleTime: 0,
  })
}
