import { useEffect } from 'react'
import { WORDS } from '../words/en.ts'

/** Asks before somebody leaves what is not saved, by a link or by closing the window. */
export function useLeaveGuard(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return
    const unload = (event: BeforeUnloadEvent): void => event.preventDefault()
    const click = (event: MouseEvent): void => {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null
      const isElsewhere =
        link?.getAttribute('target') === '_blank' ||
        link?.hasAttribute('data-beside') ||
        event.ctrlKey ||
        event.metaKey
      if (
        !link ||
        isElsewhere ||
        link.getAttribute('href')?.startsWith('#') ||
        confirm(WORDS.leave)
      )
        return
      event.preventDefault()
      event.stopPropagation()
    }
    addEventListener('beforeunload', unload)
    addEventListener('click', click, { capture: true })
    return () => {
      removeEventListener('beforeunload', unload)
      removeEventListener('click', click, { capture: true })
    }
  }, [isDirty])
}
