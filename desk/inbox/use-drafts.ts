import { useQueries } from '@tanstack/react-query'
import { useDesk } from '../boot/desk-context.ts'
import { recordPath } from '../data/client.ts'
import { useResources } from '../data/queries.ts'
import type { ListAnswer, RecordData, ResourceInfo } from '../data/types.ts'
import { type Notification, useNotifications } from '../together/use-notifications.ts'

/** Kind of the notifications that tell of a draft by an agent (contract §7.4). */
const APPROVAL = 'approval'

/** A draft that an agent has made and that waits for the person. */
export interface WaitingDraft {
  readonly notice: Notification
  readonly resource: ResourceInfo
  readonly record: RecordData
  readonly etag: string | undefined
}

/**
 * The drafts that wait for the person, as they stand now, without those that were decided here: what was submitted or deleted
 * meanwhile waits no more.
 */
export function useWaitingDrafts(decided: ReadonlySet<string>): readonly WaitingDraft[] {
  const { client, entryOf } = useDesk()
  const { data } = useNotifications(true)
  const notices = (data?.pages.flatMap((page) => page.data) ?? []).filter(
    ({ id, kind, resource, record_id }) =>
      kind === APPROVAL &&
      !decided.has(id) &&
      record_id !== null &&
      entryOf(resource ?? '') !== undefined,
  )
  const slugs = [...new Set(notices.map(({ resource }) => resource ?? ''))].sort()
  const resources = useResources(slugs)
  const there = useQueries({
    queries: slugs.map((slug) => {
      const ids = notices.flatMap((one) => (one.resource === slug ? (one.record_id ?? []) : []))
      const query = new URLSearchParams({ id__in: ids.join(','), docstatus: '0', fields: 'id' })
      return {
        queryKey: ['list', slug, 'drafts of agents', ids.join()],
        queryFn: async () =>
          (await client.ask<ListAnswer>(`/v1/${slug}?${query}&limit=100`)).body.data,
      }
    }),
  })
  const ids = new Map(
    slugs.map((slug, at) => [slug, new Set(there[at]?.data?.map(({ id }) => id))]),
  )
  const open = notices.filter(({ resource, record_id }) =>
    ids.get(resource ?? '')?.has(record_id ?? ''),
  )
  const records = useQueries({
    queries: open.map(({ resource, record_id }) => ({
      // As the page of the record has it, so that what changes there changes here.
      queryKey: ['record', resource, record_id],
      queryFn: () =>
        client.ask<RecordData>(`${recordPath(resource ?? '', record_id ?? '')}?_titles=1&_can=1`),
      staleTime: 0,
    })),
  })
  return open.flatMap((notice, at) => {
    const answer = records[at]?.data
    const resource = resources.get(notice.resource ?? '')
    return answer && resource && answer.body.docstatus === 0
      ? [{ notice, resource, record: answer.body, etag: answer.etag }]
      : []
  })
}
