import {
  type QueryClient,
  type UseQueryResult,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useDesk } from '../boot/desk-context.ts'
import { recordPath } from '../data/client.ts'
import type { ListAnswer, RecordData } from '../data/types.ts'
import type { BankLine } from './bank-types.ts'

/** Lines asked for at once: the most the API has. */
const MOST = 100

/** Lines that nothing stands for yet, the oldest first; of one account, or of all. */
export function useOpenLines(
  slug: string,
  account: string,
): UseQueryResult<{ readonly lines: readonly BankLine[]; readonly total: number }> {
  const { client } = useDesk()
  const query = new URLSearchParams({
    unallocated_amount__gt: '0',
    docstatus__lt: '2',
    sort: 'date,id',
    limit: String(MOST),
    _titles: '1',
    ...(account === '' ? {} : { bank_account: account }),
  })
  return useQuery({
    queryKey: ['list', slug, 'to match', query.toString()],
    queryFn: async ({ signal }) => {
      const { body } = await client.ask<ListAnswer>(`/v1/${slug}?${query}`, { signal })
      return { lines: body.data as readonly BankLine[], total: body.meta.total }
    },
  })
}

/** Accounts that have lines to match, with how many and how much they come to. */
export interface AccountLines {
  readonly id: string
  readonly label: string
  readonly count: number
}

/** How many lines each account has to be matched. */
export function useAccounts(slug: string): UseQueryResult<readonly AccountLines[]> {
  const { client } = useDesk()
  return useQuery({
    queryKey: ['list', slug, 'accounts'],
    queryFn: async () => {
      const query = 'unallocated_amount__gt=0&docstatus__lt=2&_count_by=bank_account'
      const { body } = await client.ask<{
        groups: readonly { value: string; label: string; count: number }[]
      }>(`/v1/${slug}?${query}`)
      return body.groups.map(({ value, label, count }) => ({
        id: value,
        label: label || value,
        count,
      }))
    },
  })
}

/** Runs actions of lines, and reads anew what they change. */
export function useActions(slug: string): {
  readonly run: (
    id: string,
    action: string,
    input?: Readonly<Record<string, unknown>>,
  ) => Promise<void>
  /** Whether an action would leave nothing open of the line; nothing is done. */
  readonly wouldDo: (
    id: string,
    action: string,
    input: Readonly<Record<string, unknown>>,
  ) => Promise<boolean>
} {
  const { client } = useDesk()
  const queries = useQueryClient()
  return {
    async run(id, action, input = {}) {
      await client.ask<RecordData>(recordPath(slug, id, 'actions', action), {
        method: 'POST',
        body: input,
      })
      await renew(queries)
    },
    async wouldDo(id, action, input) {
      try {
        const path = `${recordPath(slug, id, 'actions', action)}?_preview=1`
        const { body } = await client.ask<{
          problems: readonly unknown[]
          record: Partial<BankLine>
        }>(path, { method: 'POST', body: input })
        return body.problems.length === 0 && body.record.unallocated_amount === 0
      } catch (_refused) {
        return false
      }
    },
  }
}

/** Reads all lists anew. */
export function renew(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({ queryKey: ['list'] })
}
