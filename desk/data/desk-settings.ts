import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useDesk } from '../boot/desk-context.ts'
import { rememberOwnColumns } from '../boot/own-columns.ts'
import type { DeskSettings } from './types.ts'

/** What the person keeps for the Desk, and how it is changed: at once here, and on the server for their other browsers. */
export function useDeskSettings(): {
  readonly settings: DeskSettings
  readonly change: (next: (settings: DeskSettings) => DeskSettings) => void
} {
  const { boot, client } = useDesk()
  const queries = useQueryClient()
  const key = ['desk-settings']
  const { data: settings } = useQuery({
    queryKey: key,
    queryFn: () => boot.desk ?? {},
    initialData: boot.desk ?? {},
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
  return {
    settings,
    change(next) {
      const body = next(queries.getQueryData<DeskSettings>(key) ?? {})
      queries.setQueryData(key, body)
      rememberOwnColumns(body)
      // How a list looks is kept here in any case.
      void client.ask('/v1/me/settings/desk', { method: 'PUT', body }).catch(() => undefined)
    },
  }
}
