import { createContext, useContext } from 'react'
import type { RecordData, ResourceInfo } from '../data/types.ts'

/** The saved record whose values are shown, and can be asked why they are so. */
export interface ShownRecord {
  readonly resource: ResourceInfo
  readonly record: RecordData
}

/** Provider of the saved record that is shown; undefined where nothing is saved. */
export const RecordContext = createContext<ShownRecord | undefined>(undefined)

/** The saved record that is shown. */
export function useShownRecord(): ShownRecord | undefined {
  return useContext(RecordContext)
}
