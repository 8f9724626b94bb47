import { useDeskSettings } from '../data/desk-settings.ts'
import type { PinnedReport } from '../data/types.ts'

/** What a person has pinned to their start, and how that changes. */
export function usePinnedReports(): {
  readonly all: readonly PinnedReport[]
  readonly find: (report: string, query: string) => PinnedReport | undefined
  readonly add: (pin: PinnedReport) => void
  readonly remove: (pin: PinnedReport) => void
} {
  const { settings, change } = useDeskSettings()
  const all = settings.reports ?? []
  const isSame = (one: PinnedReport, other: PinnedReport): boolean =>
    one.report === other.report && one.query === other.query
  return {
    all,
    find: (report, query) => all.find((pin) => pin.report === report && pin.query === query),
    add: (pin) => change((now) => ({ ...now, reports: [...(now.reports ?? []), pin] })),
    remove: (pin) =>
      change((now) => ({
        ...now,
        reports: (now.reports ?? []).filter((one) => !isSame(one, pin)),
      })),
  }
}
