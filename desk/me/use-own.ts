import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useDesk } from '../boot/desk-context.ts'
import type { ListAnswer, RecordData } from '../data/types.ts'
import type { PagePart } from '../home/workspace-types.ts'
import { fieldOf, listPath } from '../work/use-work-page.ts'

/** Records of a list on one's own page. */
const MOST = 6

/** The person's own record; null for who has none. */
export function useOwn(part: PagePart): UseQueryResult<RecordData | null> {
  const { client, boot } = useDesk()
  return useQuery({
    queryKey: ['list', part.resource, 'own', boot.person.name],
    queryFn: async () => {
      const path = listPath(part, { [fieldOf(part, 'user')]: boot.person.name, limit: '1' })
      return (await client.ask<ListAnswer>(path)).body.data[0] ?? null
    },
  })
}

/** The last records of a part that are the person's. */
export function useOwnRecords(
  part: PagePart,
  person: string,
): UseQueryResult<readonly RecordData[]> {
  return useRecords(part, { [fieldOf(part, 'person')]: person, limit: String(MOST) })
}

/** Records of a part with the titles of what they link to. */
export function useRecords(
  part: PagePart,
  parameters: Readonly<Record<string, string>>,
): UseQueryResult<readonly RecordData[]> {
  const { client } = useDesk()
  return useQuery({
    queryKey: ['list', part.resource, 'of me', JSON.stringify([part.filter, parameters])],
    queryFn: async () =>
      (await client.ask<ListAnswer>(listPath(part, { ...parameters, _titles: '1' }))).body.data,
  })
}
