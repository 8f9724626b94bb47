import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useDesk } from '../boot/desk-context.ts'
import { recordPath } from '../data/client.ts'

/** Change of one field, as a timeline tells it. */
export interface ToldChange {
  readonly field: string
  readonly label: string
  readonly before: unknown
  readonly after: unknown
  readonly row?: string
  /** Whether the workspace has computed it. */
  readonly computed?: boolean
}

/** Line of a timeline (contract §7.4). */
export interface TimelineEntry {
  readonly id: string
  readonly at: string
  readonly actor: { readonly name: string; readonly title: string }
  readonly kind: string
  readonly changes: readonly ToldChange[]
  readonly text?: string
  readonly events?: readonly string[]
  readonly resource?: string
}

interface Page {
  readonly data: readonly TimelineEntry[]
  readonly next_cursor?: string
}

/** Lines of a timeline that are asked for at once. */
const PAGE = 15

/** What happened to a record and was said about it, newest first. */
export function useTimeline(slug: string, id: string) {
  const { client } = useDesk()
  return useInfiniteQuery({
    queryKey: ['timeline', slug, id],
    initialPageParam: '',
    queryFn: async ({ pageParam, signal }) => {
      const query = new URLSearchParams({ limit: String(PAGE), cursor: pageParam })
      return (await client.ask<Page>(`${recordPath(slug, id, 'timeline')}?${query}`, { signal }))
        .body
    },
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
}

/** Asks anew what is told about records; of one alone, where it is named. */
export function useTellAgain(): (slug: string, id: string) => Promise<void> {
  const queries = useQueryClient()
  return async (slug, id) => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: ['timeline', slug, id] }),
      queries.invalidateQueries({ queryKey: ['attached', slug, id] }),
    ])
  }
}
