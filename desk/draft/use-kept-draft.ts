import { useEffect, useRef, useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import type { ResourceInfo, Row } from '../data/types.ts'
import type { Draft } from './draft.ts'
import { namesOf } from './draft-store.ts'
import { type DraftOf, forgetDraft, type KeptDraft, keepDraft, keptDraft } from './kept-drafts.ts'

/** Milliseconds after the last change until it is kept. */
const KEPT_AFTER_MS = 300

/** What was typed into a record and never saved: it is offered, never put there silently. */
export interface OfferedDraft {
  readonly kept: KeptDraft
  /** Whether the record has been changed since. */
  readonly isOld: boolean
  readonly restore: () => void
  readonly forget: () => void
}

/** Keeps what is typed in this browser until it is saved or discarded; answers what is kept from before. */
export function useKeptDraft(
  resource: ResourceInfo,
  id: string | undefined,
  draft: Draft,
  isLocked: boolean,
): OfferedDraft | undefined {
  const { boot } = useDesk()
  const [of] = useState<DraftOf>({ person: boot.person.name, slug: resource.slug, id })
  const [kept, setKept] = useState(() => keptDraft(of))
  const [first] = useState(draft.changes)
  const hasChanged = useRef(false)
  const changes = draft.changes()
  const { modified } = draft.base
  useEffect(() => {
    if (changes === first && !hasChanged.current) return
    hasChanged.current = true
    if (namesOf(changes).length === 0) return forgetDraft(of)
    const keep = (): void =>
      keepDraft(of, {
        changes: withoutSecrets(changes, resource),
        at: new Date().toISOString(),
        modified: typeof modified === 'string' ? modified : undefined,
      })
    const timer = setTimeout(keep, KEPT_AFTER_MS)
    // Whoever reloads at once loses nothing.
    addEventListener('pagehide', keep)
    return () => {
      clearTimeout(timer)
      removeEventListener('pagehide', keep)
    }
  }, [changes, first, modified, of, resource])
  if (!kept || isLocked) return undefined
  return {
    kept,
    isOld: kept.modified !== undefined && kept.modified !== modified,
    restore() {
      draft.replace({ ...draft.changes(), ...kept.changes })
      setKept(undefined)
    },
    forget() {
      if (!draft.isDirty) forgetDraft(of)
      setKept(undefined)
    },
  }
}

/** Passwords are not kept. */
function withoutSecrets(changes: Row, { fields }: ResourceInfo): Row {
  const secret = new Set(fields.filter(({ type }) => type === 'password').map(({ name }) => name))
  return Object.fromEntries(Object.entries(changes).filter(([name]) => !secret.has(name)))
}
