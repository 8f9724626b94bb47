import { useState } from 'react'
import type { Answer } from '../data/client.ts'
import type { RecordData, Row } from '../data/types.ts'
import { namesOf } from './draft-store.ts'

/** The record a draft stands on, and what somebody else has made of it meanwhile. */
export interface Held {
  readonly answer: Answer<RecordData> | undefined
  /** The record as it is now, where somebody else has changed the very fields that are being typed in. */
  readonly theirs: Answer<RecordData> | undefined
  /** Goes on with this one. */
  readonly take: (answer: Answer<RecordData>) => void
}

/**
 * Holds the record as it was read while somebody types. What others change elsewhere in it comes by itself; what they change in
 * the same field waits for an answer.
 */
export function useHeld(
  latest: Answer<RecordData> | undefined,
  changes: Row,
  isSaving: boolean,
): Held {
  const [held, setHeld] = useState(latest)
  const isNew = latest !== held
  const isFree = isNew && isApart(held?.body ?? {}, changes, latest?.body ?? {})
  if (isFree) setHeld(latest)
  return {
    answer: isFree ? latest : held,
    theirs: isNew && !isFree && !isSaving ? latest : undefined,
    take: setHeld,
  }
}

/** Whether somebody else has left all the fields that were changed here as they were, or has made the same of them. */
export function isApart(base: Row, changes: Row, theirs: Row): boolean {
  return namesOf(changes).every((name) => {
    const now = plain(theirs[name])
    return plain(base[name]) === now || plain(changes[name]) === now
  })
}

function plain(value: unknown): string {
  return JSON.stringify(value ?? null, (key, part) => (key === '_titles' ? undefined : part))
}
