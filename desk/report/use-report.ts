import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useDesk } from '../boot/desk-context.ts'
import { sentenceCase } from '../words/sentence-case.ts'
import type { ReportAnswer, ReportInfo } from './report-types.ts'

/** Every report that the person may know of, by its slug, with what it can be asked. */
export function useReports(): UseQueryResult<ReadonlyMap<string, ReportInfo>> {
  const { client } = useDesk()
  return useQuery({
    queryKey: ['resource', 'reports'],
    queryFn: async () => {
      const { body } = await client.ask<{ data: readonly ReportInfo[] }>('/v1/reports')
      return new Map(
        body.data.map((one) => [one.slug, { ...one, label: sentenceCase(one.label) }] as const),
      )
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** What a report answers; while another answer is on its way the one before stays. */
export function useReport(
  slug: string,
  query: string,
  enabled = true,
): UseQueryResult<ReportAnswer> {
  const { client } = useDesk()
  return useQuery({
    queryKey: ['report', slug, query],
    queryFn: async ({ signal }) => {
      const path = `/v1/reports/${encodeURIComponent(slug)}${query === '' ? '' : `?${query}`}`
      return (await client.ask<ReportAnswer>(path, { signal })).body
    },
    placeholderData: keepPreviousData,
    enabled,
    staleTime: 30_000,
  })
}
