import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useDesk } from '../boot/desk-context.ts'

/** Something a person was told (contract §7.4). */
export interface Notification {
  readonly id: string
  readonly kind: string
  readonly at: string
  readonly actor: string | null
  readonly resource: string | null
  readonly record_id: string | null
  readonly title: string | null
  readonly text: string | null
  readonly read: boolean
}

interface Page {
  readonly data: readonly Notification[]
  readonly next_cursor?: string
}

/** How many of them nobody has read. */
export function useUnread(): number {
  const { boot, client } = useDesk()
  const { data } = useQuery({
    queryKey: ['notifications', 'unread'],
    queryFn: async ({ signal }) => {
      const path = '/v1/notifications?unread=1&limit=1'
      return (await client.ask<{ meta: { total: number } }>(path, { signal })).body.meta.total
    },
    initialData: boot.notifications?.unread ?? 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data
}

/** What a person was told, newest first; the unread alone where only they are wanted. */
export function useNotifications(isUnread: boolean) {
  const { client } = useDesk()
  return useInfiniteQuery({
    queryKey: ['notifications', 'list', isUnread],
    initialPageParam: '',
    queryFn: async ({ pageParam, signal }) => {
      const query = new URLSearchParams({ limit: '20', cursor: pageParam })
      if (isUnread) query.set('unread', '1')
      return (await client.ask<Page>(`/v1/notifications?${query}`, { signal })).body
    },
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
}

/** Marks some as read, or all of them. */
export function useMarkRead() {
  const { client } = useDesk()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (which: readonly string[] | 'all') => {
      const body = which === 'all' ? { all: true } : { ids: which }
      await client.ask('/v1/notifications/read', { method: 'POST', body })
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['notifications'] }),
  }).mutate
}
