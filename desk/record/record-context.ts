import { type ComponentType, createContext, useContext } from 'react'
import type { RecordData, ResourceInfo } from '../data/types.ts'

/** The saved record whose values are shown, and can be asked why they are so. */
export interface ShownRecord {
  readonly resource: ResourceInfo
  readonly record: RecordData
}

/** What makes a record that a link was to lead to. */
export interface NewLinkedProps {
  readonly target: string
  /** What was typed: what it is to be called. */
  readonly text: string
  readonly onMade: (id: string, title: string) => void
  readonly onClose: () => void
}

/** Provider of the dialog that makes records on the way; without one nothing new is offered. */
export const NewLinkedContext = createContext<ComponentType<NewLinkedProps> | undefined>(undefined)

/** Provider of the saved record that is shown; undefined where nothing is saved. */
export const RecordContext = createContext<ShownRecord | undefined>(undefined)

/** The saved record that is shown. */
export function useShownRecord(): ShownRecord | undefined {
  return useContext(RecordContext)
}
