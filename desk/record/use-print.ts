import { useDesk } from '../boot/desk-context.ts'
import { useDeskSettings } from '../data/desk-settings.ts'
import { stepKey, withPassed } from '../data/passed-steps.ts'
import { useServing } from '../together/serving.ts'

/** Opens the sheet of a record to be printed. Where sending its paper is a first step of the workspace, that is done by it too. */
export function usePrint(slug: string): (id: string) => void {
  const { boot } = useDesk()
  const { settings, change } = useDeskSettings()
  const mails = useServing('mails')
  const step = boot.workspaces
    ?.flatMap(({ steps }) => steps)
    .find(({ resource, on }) => resource === mails?.slug && on === slug)
  return (id) => {
    open(`/print/${slug}/${encodeURIComponent(id)}`, '_blank', 'noopener')
    if (step && !settings.isSetUp && settings.passedSteps?.[stepKey(step)] !== 'done')
      change((now) => withPassed(now, step, 'done'))
  }
}
