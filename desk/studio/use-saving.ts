import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { useToast } from '../ui/toast.tsx'
import { PAGES } from '../words/pages/en.ts'
import { withoutNothing } from './grammar.ts'
import type { SavedAnswer, TrialAnswer, Wish, Words } from './studio-types.ts'

/** Tries and saves definitions, and takes a save back; what holds then is read anew everywhere. */
export function useSaving(onSaved: (saved: SavedAnswer) => void): {
  readonly isBusy: boolean
  readonly trial: TrialAnswer | undefined
  readonly forget: () => void
  readonly review: (wish: Wish) => Promise<void>
  readonly save: (wish: Wish, hash: string | null, acceptLosses: boolean) => Promise<void>
} {
  const { client } = useDesk()
  const queries = useQueryClient()
  const tell = useToast()
  const [isBusy, setBusy] = useState(false)
  const [trial, setTrial] = useState<TrialAnswer>()

  async function ask<T>(path: string, body: object): Promise<T | undefined> {
    setBusy(true)
    try {
      return (await client.ask<T>(path, { method: 'POST', body })).body
    } catch (error) {
      tell((error as Error).message, 'problem')
      return undefined
    } finally {
      setBusy(false)
    }
  }

  async function holds(saved: SavedAnswer): Promise<void> {
    queries.removeQueries({ queryKey: ['system'] })
    await queries.invalidateQueries()
    onSaved(saved)
  }

  async function undo(doctype: string): Promise<void> {
    const saved = await ask<SavedAnswer>('/v1/studio/undo', { doctype })
    if (!saved) return
    tell(PAGES.studioUndone(doctype))
    await holds(saved)
  }

  return {
    isBusy,
    trial,
    forget: () => setTrial(undefined),
    async review(wish) {
      setTrial(await ask<TrialAnswer>('/v1/studio/trial', sent(wish)))
    },
    async save(wish, hash, acceptLosses) {
      const body = { ...sent(wish), hash, accept_losses: acceptLosses }
      const saved = await ask<SavedAnswer>('/v1/studio/save', body)
      if (!saved) return
      setTrial(undefined)
      tell(PAGES.studioSaved(wish.doctype), 'done', () => void undo(wish.doctype))
      await holds(saved)
    },
  }
}

/** A wish without words that say nothing: a field somebody has opened and left empty. */
function sent(wish: Wish): Wish {
  return { ...wish, definition: (withoutNothing(wish.definition) ?? {}) as Words }
}
