import { createContext, useContext, useSyncExternalStore } from 'react'
import { type Beside, type BesideStore, createBesideStore, isUnsent } from './beside-store.ts'

/** Provider of the files beside the form that is open. */
export const BesideContext = createContext<BesideStore>(createBesideStore())

/** Where files are put beside the form that is open. */
export function useBesideStore(): BesideStore {
  return useContext(BesideContext)
}

/** What stands beside the form that is open. */
export function useBeside(): Beside {
  const store = useBesideStore()
  return useSyncExternalStore(store.subscribe, store.now)
}

/** Whether a file beside the form would be lost by leaving it. */
export function useUnsent(): boolean {
  const store = useBesideStore()
  return useSyncExternalStore(store.subscribe, () => isUnsent(store.now()))
}
