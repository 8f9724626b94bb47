import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { ApiError } from '../data/client.ts'
import { useToast } from '../ui/toast.tsx'

/** What a path of the API answers, kept under that path. */
export function useSystem<T>(path: string, enabled = true): UseQueryResult<T> {
  const { client } = useDesk()
  return useQuery({
    queryKey: ['system', path],
    queryFn: async ({ signal }) => (await client.ask<T>(path, { signal })).body,
    enabled,
    staleTime: 5_000,
  })
}

/** What was refused of a form: by field, and what belongs to none. */
export type Refusals = ReadonlyMap<string, string>

/** Changes what is no record, reads anew all of it that is shown, and tells what was refused. */
export function useChange(): {
  readonly isBusy: boolean
  readonly refusals: Refusals
  readonly change: <T>(method: string, path: string, body?: unknown) => Promise<T | undefined>
} {
  const { client } = useDesk()
  const queries = useQueryClient()
  const tell = useToast()
  const [isBusy, setBusy] = useState(false)
  const [refusals, setRefusals] = useState<Refusals>(new Map())
  return {
    isBusy,
    refusals,
    async change<T>(method: string, path: string, body?: unknown) {
      setBusy(true)
      try {
        const answer = await client.ask<T>(path, {
          method,
          ...(body === undefined ? {} : { body }),
        })
        setRefusals(new Map())
        await queries.invalidateQueries({ queryKey: ['system'] })
        return answer.body ?? (true as T)
      } catch (error) {
        const details = error instanceof ApiError ? error.details : []
        setRefusals(new Map(details.map(({ field, message }) => [field.split('[')[0]!, message])))
        if (details.length === 0) tell((error as Error).message, 'problem')
        return undefined
      } finally {
        setBusy(false)
      }
    },
  }
}
