import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { followJob, hasEnded, type Job, tellJob } from '../data/jobs.ts'
import type { ResourceInfo } from '../data/types.ts'
import { useToast } from '../ui/toast.tsx'
import { WORDS } from '../words/en.ts'
import { type BulkScope, type BulkVerb, beginBulk } from './bulk.ts'

/** Work on many records, as the bar of a list shows it. */
export interface BulkWork {
  readonly job: Job | undefined
  readonly isRunning: boolean
  readonly run: (scope: BulkScope, verb: BulkVerb) => Promise<void>
  readonly stop: () => void
  /** Lets go of what has ended. */
  readonly settle: () => void
}

/** Work on the records of a resource; `onLeft` hears which of them could not be changed. */
export function useBulk(
  { slug }: ResourceInfo,
  onLeft: (ids: readonly string[]) => void,
): BulkWork {
  const { client } = useDesk()
  const queries = useQueryClient()
  const tell = useToast()
  const [job, setJob] = useState<Job>()
  const gone = useRef(new AbortController())
  useEffect(() => {
    const here = new AbortController()
    gone.current = here
    return () => here.abort()
  }, [])

  async function renew(): Promise<void> {
    await queries.invalidateQueries({ queryKey: ['list'] })
    void queries.invalidateQueries({ queryKey: ['record', slug] })
  }

  async function undo(id: string): Promise<void> {
    try {
      const { failed } = await followJob(client, await tellJob(client, id, 'undo'), {
        tell: () => {},
      })
      await renew()
      if (failed.length === 0) tell(WORDS.undone)
      else tell(WORDS.bulkFailed(failed.length), 'problem')
    } catch (error) {
      tell((error as Error).message, 'problem')
    }
  }

  async function run(scope: BulkScope, verb: BulkVerb): Promise<void> {
    try {
      const begun = await beginBulk(client, slug, scope, verb)
      const { signal } = gone.current
      const end = await followJob(client, begun, { tell: setJob, signal })
      // Who has left the list finds the job among their jobs.
      if (!hasEnded(end)) return
      await renew()
      const { succeeded = 0, message } = end.result ?? {}
      if (end.state === 'failed') tell(message ?? WORDS.failed, 'problem')
      else
        tell(
          WORDS.bulkDone(succeeded, end.total),
          'done',
          succeeded > 0 ? () => void undo(end.id) : undefined,
        )
      // What could not be changed stays chosen, to be tried again.
      if (end.failed.length === 0) setJob(undefined)
      onLeft(end.failed.flatMap(({ id }) => id ?? []))
    } catch (error) {
      setJob(undefined)
      tell((error as Error).message, 'problem')
    }
  }

  return {
    job,
    isRunning: job !== undefined && !hasEnded(job),
    run,
    stop: () => {
      if (job) void tellJob(client, job.id, 'stop').catch(() => undefined)
    },
    settle: () => setJob(undefined),
  }
}
