import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { recordPath } from '../data/client.ts'
import type { RecordData } from '../data/types.ts'
import { useUndo } from '../draft/use-undo.ts'
import type { NextStep } from '../record/steps.ts'
import { useServing } from '../together/serving.ts'
import { useMarkRead } from '../together/use-notifications.ts'
import { useToast } from '../ui/toast.tsx'
import { WORDS } from '../words/en.ts'
import { PAGES } from '../words/pages/en.ts'
import type { WaitingDraft } from './use-drafts.ts'

/** How a draft is refused: why, and whether it goes for good or stays to be worked on. */
export interface Refusal {
  readonly reason: string
  readonly isDeleted: boolean
}

/** Takes or refuses a draft; what fails is told, what was done can be taken back for a minute. */
export function useDeciding(
  { notice, resource, record, etag }: WaitingDraft,
  onDecided: (isOver: boolean) => void,
): {
  readonly isBusy: boolean
  readonly accept: (step: NextStep) => Promise<void>
  readonly refuse: (refusal: Refusal) => Promise<void>
} {
  const { client } = useDesk()
  const queries = useQueryClient()
  const comments = useServing('comments')
  const undo = useUndo(resource)
  const mark = useMarkRead()
  const tell = useToast()
  const [isBusy, setBusy] = useState(false)
  const { slug } = resource

  async function attempt(write: () => Promise<void>): Promise<void> {
    setBusy(true)
    try {
      await write()
      mark([notice.id])
      onDecided(true)
      void queries.invalidateQueries({ queryKey: ['list'] })
    } catch (error) {
      tell((error as Error).message, 'problem')
      // Somebody else may have been faster.
      void queries.invalidateQueries({ queryKey: ['record', slug, record.id] })
    } finally {
      setBusy(false)
    }
  }

  const accept = ({ verb, label, path }: NextStep): Promise<void> =>
    attempt(async () => {
      await client.ask(recordPath(slug, record.id, ...path), { method: 'POST', body: {} })
      if (verb === 'submit') tell(PAGES.draftAccepted(record.id), 'done', undo.submit(record.id))
      else tell(`${label}: ${record.id}`)
    })

  const refuse = ({ reason, isDeleted }: Refusal): Promise<void> =>
    attempt(async () => {
      if (isDeleted) {
        // The reason goes into the log of events, where the agent reads it: the record is there no more.
        if (reason !== '') await comment(reason)
        await client.ask(recordPath(slug, record.id), { method: 'DELETE', etag })
        tell(PAGES.draftRefused(record.id), 'done', undo.remove(record))
        return
      }
      const made = await comment(reason === '' ? PAGES.refusedWithout : reason)
      tell(PAGES.draftRefused(record.id), 'done', () => void takeBack(made))
    })

  async function comment(text: string): Promise<string> {
    const path = recordPath(slug, record.id, 'comments')
    return (await client.ask<RecordData>(path, { method: 'POST', body: { text } })).body.id
  }

  async function takeBack(id: string): Promise<void> {
    try {
      if (comments) await client.ask(recordPath(comments.slug, id), { method: 'DELETE' })
      onDecided(false)
      tell(WORDS.undone)
    } catch (error) {
      tell((error as Error).message, 'problem')
    }
  }

  return { isBusy, accept, refuse }
}
