import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import {
  type Answer,
  ApiError,
  type Client,
  type LinkedRecord,
  recordPath,
} from '../data/client.ts'
import type { RecordData, ResourceInfo } from '../data/types.ts'
import type { NextStep } from '../record/steps.ts'
import { useToast } from '../ui/toast.tsx'
import { WORDS } from '../words/en.ts'
import type { Draft } from './draft.ts'
import { namesOf } from './draft-store.ts'
import { type DraftOf, forgetDraft, type KeptDraft, keepDraft } from './kept-drafts.ts'
import { usePending } from './pending.ts'
import { NO_PROBLEMS, type Problems, placeProblems } from './problems.ts'
import { isApart } from './use-held.ts'
import { previewsOf } from './use-preview.ts'
import { useUndo } from './use-undo.ts'

/** What is done with a record: each answers whether it went well. */
export interface Writes {
  readonly isBusy: boolean
  readonly problems: Problems
  /** Records that stand in the way of what was tried last. */
  readonly linked: readonly LinkedRecord[]
  /** The record as somebody else has left it, while the draft is of an older one. */
  readonly theirs: Answer<RecordData> | undefined
  readonly settle: () => void
  readonly save: () => Promise<boolean>
  /** Sets fields of the saved record at once. */
  readonly patch: (body: Readonly<Record<string, unknown>>) => Promise<boolean>
  readonly act: (step: NextStep, input?: Readonly<Record<string, unknown>>) => Promise<boolean>
  readonly remove: () => Promise<boolean>
}

interface WriteScene {
  readonly resource: ResourceInfo
  readonly id: string | undefined
  readonly etag: string | undefined
  readonly draft: Draft
  /** Told when a write begins and when it has ended. */
  readonly onBusy: (isBusy: boolean) => void
  /** Told of the record that was made, before its page is opened. */
  readonly onMade: (id: string) => void
}

interface Acted extends RecordData {
  readonly _created?: readonly { readonly resource: string; readonly id: string }[]
}

/** Writes to the record of a form. */
export function useWrites({ resource, id, etag, draft, onBusy, onMade }: WriteScene): Writes {
  const { client, boot } = useDesk()
  const { slug } = resource
  const queries = useQueryClient()
  const tell = useToast()
  const undo = useUndo(resource)
  const [, navigate] = useLocation()
  const { attempt, ...tried } = useAttempts((isBusy) => {
    // What is still on its way would find the record that is made of it.
    if (isBusy) void queries.cancelQueries({ queryKey: previewsOf(slug, id) })
    onBusy(isBusy)
  })
  const pending = usePending()
  const [theirs, setTheirs] = useState<Answer<RecordData>>()

  async function renew(): Promise<void> {
    await queries.invalidateQueries({ queryKey: ['record', slug, id] })
    void queries.invalidateQueries({ queryKey: ['timeline', slug, id] })
    void queries.invalidateQueries({ queryKey: ['list'] })
  }

  const create = async (): Promise<void> => {
    const sent = draft.changes()
    const sending = { method: 'POST', body: draft.body() }
    const made = await client.ask<RecordData>(`/v1/${slug}`, sending)
    draft.reset(sent)
    forgetDraft({ person: boot.person.name, slug, id: undefined })
    keepSince(draft, { person: boot.person.name, slug, id: made.body.id }, made.body.modified)
    tell(WORDS.saved)
    void queries.invalidateQueries({ queryKey: ['list'] })
    onMade(made.body.id)
    navigate(`/${slug}/${encodeURIComponent(made.body.id)}`, { replace: true })
  }

  const save = (): Promise<boolean> =>
    attempt(async () => {
      await pending.settled()
      if (id === undefined) return create()
      const sent = draft.changes()
      const [before, names] = [draft.base, namesOf(sent)]
      const how = await sendDraft(client, recordPath(slug, id), draft, etag)
      if (how === 'merged') tell(WORDS.merged)
      else if (how !== 'sent') return setTheirs(how)
      await renew()
      draft.reset(sent)
      tell(WORDS.saved, 'done', undo.save(id, before, names))
    })

  const patch = (body: Readonly<Record<string, unknown>>): Promise<boolean> =>
    attempt(async () => {
      await client.ask(recordPath(slug, id ?? ''), { method: 'PATCH', body })
      await renew()
      tell(WORDS.saved, 'done', undo.save(id ?? '', draft.base, Object.keys(body)))
    })

  const act = ({ verb, path }: NextStep, input = {}): Promise<boolean> =>
    attempt(async () => {
      const { body } = await client.ask<Acted>(recordPath(slug, id ?? '', ...path), {
        method: 'POST',
        body: input,
      })
      const made =
        body._created?.[0] ?? (body.id === id ? undefined : { resource: slug, id: body.id })
      await renew()
      if (verb === 'submit') tell(WORDS.submitted, 'done', undo.submit(id ?? ''))
      if (verb === 'cancel') tell(WORDS.cancelled, 'done', undo.cancel(id ?? ''))
      if (made) navigate(`/${made.resource}/${encodeURIComponent(made.id)}`)
    })

  const remove = (): Promise<boolean> =>
    attempt(async () => {
      await client.ask(recordPath(slug, id ?? ''), { method: 'DELETE', etag })
      void queries.invalidateQueries({ queryKey: ['list'] })
      tell(WORDS.deleted, 'done', undo.remove(draft.base))
      navigate(`/${slug}`, { replace: true })
    })

  return { ...tried, theirs, settle: () => setTheirs(undefined), save, patch, act, remove }
}

/** Keeps what was typed while a record was being made: it is offered where it goes on. */
function keepSince(draft: Draft, of: DraftOf, modified: KeptDraft['modified']): void {
  const changes = draft.changes()
  if (namesOf(changes).length > 0)
    keepDraft(of, { changes, at: new Date().toISOString(), modified })
}

/**
 * Sends a draft. What somebody else has changed elsewhere in the record meanwhile is merged; answers the record as it is now
 * where they have changed the same. Throws ApiError.
 */
async function sendDraft(
  client: Client,
  path: string,
  draft: Draft,
  etag: string | undefined,
): Promise<'sent' | 'merged' | Answer<RecordData>> {
  const sending = { method: 'PATCH', body: draft.body() }
  try {
    await client.ask(path, { ...sending, etag })
    return 'sent'
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 412) throw error
    const now = await client.ask<RecordData>(`${path}?_titles=1&_can=1`)
    if (!isApart(draft.base, draft.changes(), now.body)) return now
    await client.ask(path, { ...sending, etag: now.etag })
    return 'merged'
  }
}

/** Writes one at a time, with what was wrong with the last one. */
function useAttempts(onBusy: (isBusy: boolean) => void) {
  const tell = useToast()
  const [isBusy, setBusy] = useState(false)
  const [problems, setProblems] = useState<Problems>(NO_PROBLEMS)
  const [linked, setLinked] = useState<readonly LinkedRecord[]>([])
  async function attempt(write: () => Promise<void>): Promise<boolean> {
    setBusy(true)
    onBusy(true)
    setProblems(NO_PROBLEMS)
    setLinked([])
    try {
      await write()
      return true
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setLinked(error.linked)
      if (error.linked.length > 0) return false
      if (error.details.length > 0) setProblems(placeProblems(error.details))
      else tell(error.message, 'problem')
      return false
    } finally {
      setBusy(false)
      onBusy(false)
    }
  }
  return { isBusy, problems, linked, attempt }
}
