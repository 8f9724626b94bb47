import { useQueries } from '@tanstack/react-query'
import { useDesk } from '../boot/desk-context.ts'
import { useDeskSettings } from '../data/desk-settings.ts'
import { stepKey } from '../data/passed-steps.ts'
import type { ListAnswer, ResourceEntry } from '../data/types.ts'
import type { Workspace, WorkspaceStep } from './workspace-types.ts'

/** A first step as it stands. */
export interface FirstStep extends WorkspaceStep {
  readonly entry: ResourceEntry
  readonly isDone: boolean
  readonly isSkipped: boolean
  /** Where it is done: a new record, or the newest of those it is done on; undefined where that is not there yet. */
  readonly href: string | undefined
  /** Whether it is done on a record that is there. */
  readonly isOn: boolean
}

/** The first steps of a workspace with what is done of them; undefined while that is not known, or they are over. */
export function useFirstSteps(
  { steps }: Workspace,
  isOver: boolean,
): readonly FirstStep[] | undefined {
  const { client, entryOf } = useDesk()
  const { settings } = useDeskSettings()
  const own = steps.flatMap((step) => {
    const entry = entryOf(step.resource)
    return entry && !entry.locked && entry.can.includes('create') ? [{ ...step, entry }] : []
  })
  const newest = (slug: string, filter = '') => ({
    // A change of these records makes it old, as it does their lists.
    queryKey: ['list', slug, 'newest', filter],
    queryFn: async () =>
      (await client.ask<ListAnswer>(`/v1/${slug}?fields=id&limit=1&sort=-created&${filter}`)).body
        .data[0]?.id ?? null,
    enabled: !isOver,
  })
  const made = useQueries({ queries: own.map(({ resource, filter }) => newest(resource, filter)) })
  const places = useQueries({ queries: own.map(({ on, resource }) => newest(on ?? resource)) })
  if (isOver || [...made, ...places].some(({ data }) => data === undefined)) return undefined
  return own.map((step, at) => {
    const { resource, on } = step
    const place = on === undefined ? null : (places[at]?.data ?? null)
    const passed = settings.passedSteps?.[stepKey(step)]
    const isMade = made[at]?.data !== null
    const isNew = place === null && (on === undefined || on === resource)
    return {
      ...step,
      isDone: isMade || passed !== undefined,
      isSkipped: passed === 'skipped' && !isMade,
      isOn: place !== null,
      href: place
        ? `/${on}/${encodeURIComponent(place)}?mode=paper`
        : isNew
          ? `/${resource}/new`
          : undefined,
    }
  })
}
