import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { Icon } from '../ui/icon.tsx'
import { Popover } from '../ui/popover.tsx'
import { useToast } from '../ui/toast.tsx'
import { WORDS } from '../words/en.ts'

/** Long work that goes on by itself (contract §7.4). */
interface Job {
  readonly id: string
  readonly kind: string
  readonly state: string
  readonly done: number
  readonly total: number
}

/** Milliseconds between two questions while something is under way. */
const ASKED_EVERY_MS = 1_000

const UNDER_WAY = new Set(['queued', 'running'])

/** What goes on by itself, how far it has come, and the way to stop it; nothing is drawn while nothing does. */
export function Jobs(): ReactElement | null {
  const { client, formats } = useDesk()
  const { data = [] } = useQuery({
    queryKey: ['jobs'],
    queryFn: async ({ signal }) => {
      const { body } = await client.ask<{ data: readonly Job[] }>('/v1/jobs?limit=10', { signal })
      return body.data
    },
    refetchInterval: ({ state }) =>
      state.data?.some(({ state: of }) => UNDER_WAY.has(of)) ? ASKED_EVERY_MS : false,
  })
  const running = data.filter(({ state }) => UNDER_WAY.has(state))
  if (running.length === 0) return null
  const shown = (number: number): string => number.toLocaleString(formats.locale)
  const [done, total] = [sumOf(running, 'done'), sumOf(running, 'total')]
  return (
    <Popover
      label={WORDS.jobs}
      className="chip jobs-chip"
      trigger={
        <>
          <progress
            aria-label={WORDS.jobs}
            value={total === 0 ? undefined : done}
            max={total || 1}
          />
          {WORDS.progress(shown(done), shown(total))}
        </>
      }
    >
      {() => (
        <ul className="jobs">
          {running.map((job) => (
            <JobLine key={job.id} job={job} />
          ))}
        </ul>
      )}
    </Popover>
  )
}

function sumOf(jobs: readonly Job[], name: 'done' | 'total'): number {
  return jobs.reduce((sum, job) => sum + job[name], 0)
}

function JobLine({ job }: { job: Job }): ReactElement {
  const { client, formats } = useDesk()
  const queries = useQueryClient()
  const tell = useToast()
  const { id, kind, done, total } = job
  const shown = (number: number): string => number.toLocaleString(formats.locale)
  async function stop(): Promise<void> {
    try {
      await client.ask(`/v1/jobs/${encodeURIComponent(id)}/stop`, { method: 'POST', body: {} })
    } catch (error) {
      tell((error as Error).message, 'problem')
    }
    void queries.invalidateQueries({ queryKey: ['jobs'] })
  }
  const name = WORDS.jobKinds[kind] ?? kind.replaceAll('_', ' ')
  return (
    <li>
      <Icon name="list-tree" />
      <span>
        <strong>{name}</strong>
        <progress aria-label={name} value={total === 0 ? undefined : done} max={total || 1} />
        <span className="quiet">{WORDS.progress(shown(done), shown(total))}</span>
      </span>
      <button type="button" className="link-button" onClick={() => void stop()}>
        {WORDS.stop}
      </button>
    </li>
  )
}
