import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { ApiError, type Client } from '../data/client.ts'
import { BACKUPS, type BackupsState, type Phase } from './backup-types.ts'

/** Milliseconds between two looks at what is under way. */
const LOOK_AGAIN_MS = 1_000

/** The backups there are, and what is under way. After a restore the page is loaded anew: all that it knows is of the workspace before. */
export function useBackups(): {
  readonly state: BackupsState | undefined
  readonly error: Error | null
} {
  const { client } = useDesk()
  const { data, error } = useQuery({
    queryKey: ['system', BACKUPS],
    queryFn: () => stateOf(client),
    retry: false,
    refetchInterval: ({ state }) =>
      state.data?.making || state.data?.restoring ? LOOK_AGAIN_MS : false,
  })
  const restoring = data?.restoring ?? null
  const before = useRef(restoring)
  useEffect(() => {
    if (before.current && !restoring && data?.problem === null) location.reload()
    before.current = restoring
  }, [restoring, data?.problem])
  return { state: data, error: restoring ? null : error }
}

/** What the server tells; while it restores, what it says of its health, which is all that it answers. */
async function stateOf(client: Client): Promise<BackupsState> {
  try {
    return (await client.ask<BackupsState>(BACKUPS)).body
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 503) throw error
    const answer = await fetch('/healthz')
    const health = (await answer.json()) as { status: string; phase: Phase }
    if (health.status !== 'restoring') throw error
    const restoring = { id: '', phase: health.phase }
    return { data: [], making: null, restoring, restored: null, problem: null }
  }
}
