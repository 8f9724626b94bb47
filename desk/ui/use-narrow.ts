import { useSyncExternalStore } from 'react'

const NARROW = '(max-width: 47.99rem)'

/** Whether the window is as narrow as a phone's. */
export function useNarrow(): boolean {
  return useSyncExternalStore(
    (changed) => {
      const media = matchMedia(NARROW)
      media.addEventListener('change', changed)
      return () => media.removeEventListener('change', changed)
    },
    () => matchMedia(NARROW).matches,
  )
}
