import { createContext, useContext } from 'react'
import type { Client } from '../data/client.ts'
import type { Formats } from '../data/format.ts'
import type { Boot, ResourceEntry } from '../data/types.ts'

/** What every part of the Desk knows. */
export interface DeskState {
  readonly boot: Boot
  readonly client: Client
  readonly formats: Formats
  readonly entryOf: (slug: string) => ResourceEntry | undefined
  /** Slug of the resource of a DocType; empty for an unknown one. */
  readonly slugOf: (doctype: unknown) => string
}

/** Provider of what every part of the Desk knows. */
export const DeskContext = createContext<DeskState | undefined>(undefined)

/** What every part of the Desk knows. Throws outside the Desk. */
export function useDesk(): DeskState {
  const state = useContext(DeskContext)
  if (!state) throw new Error('expected to be drawn within the Desk')
  return state
}
