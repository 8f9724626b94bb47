import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import { type Answer, ApiError, recordPath } from '../data/client.ts'
import type { RecordData, ResourceInfo } from '../data/types.ts'
import { useToast } from '../ui/toast.tsx'
import { WORDS } from '../words/en.ts'
import type { Draft } from './draft.ts'
import { NO_PROBLEMS, type Problems, placeProblems } from './problems.ts'

/** What is done with a record: each answers whether it went well. */
export interface Writes {
  readonly isBusy: boolean
  readonly problems: Problems
  /** The record as somebody else has left it, while the draft is of an older one. */
  readonly theirs: Answer<RecordData> | undefined
  readonly settle: () => void
  readonly save: () => Promise<boolean>
  /** submit, cancel, amend, or `actions/<name>`. */
  readonly act: (verb: readonly string[]) => Promise<boolean>
  readonly remove: () => Promise<boolean>
}

interface WriteScene {
  readonly resource: ResourceInfo
  readonly id: string | undefined
  readonly etag: string | undefined
  readonly draft: Draft
}

interface Acted extends RecordData {
  readonly _created?: readonly { readonly resource: string; readonly id: string }[]
}

/** Writes to the record of a form. */
export function useWrites({ resource, id, etag, draft }: WriteScene): Writes {
  const { client } = useDesk()
  const queries = useQueryClient()
  const tell = useToast()
  const [, navigate] = useLocation()
  const [isBusy, setBusy] = useState(false)
  const [problems, setProblems] = useState<Problems>(NO_PROBLEMS)
  const [theirs, setTheirs] = useState<Answer<RecordData>>()
  const { slug } = resource

  async function renew(): Promise<void> {
    await queries.invalidateQueries({ queryKey: ['record', slug, id] })
    void queries.invalidateQueries({ queryKey: ['list'] })
  }

  async function attempt(write: () => Promise<void>): Promise<boolean> {
    setBusy(true)
    setProblems(NO_PROBLEMS)
    try {
      await write()
      return true
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.status === 412 && id !== undefined)
        setTheirs(await client.ask<RecordData>(`${recordPath(slug, id)}?_titles=1&_can=1`))
      else if (error.details.length > 0) setProblems(placeProblems(error.details))
      else tell(error.message, 'problem')
      return false
    } finally {
      setBusy(false)
    }
  }

  const save = (): Promise<boolean> =>
    attempt(async () => {
      if (id === undefined) {
        const made = await client.ask<RecordData>(`/v1/${slug}`, {
          method: 'POST',
          body: draft.body(),
        })
        draft.reset()
        tell(WORDS.saved)
        void queries.invalidateQueries({ queryKey: ['list'] })
        return navigate(`/${slug}/${encodeURIComponent(made.body.id)}`, { replace: true })
      }
      await client.ask(recordPath(slug, id), { method: 'PATCH', body: draft.body(), etag })
      await renew()
      draft.reset()
      tell(WORDS.saved)
    })

  const act = (verb: readonly string[]): Promise<boolean> =>
    attempt(async () => {
      const { body } = await client.ask<Acted>(recordPath(slug, id ?? '', ...verb), {
        method: 'POST',
        body: {},
      })
      const made =
        body._created?.[0] ?? (body.id === id ? undefined : { resource: slug, id: body.id })
      await renew()
      if (made) navigate(`/${made.resource}/${encodeURIComponent(made.id)}`)
    })

  const remove = (): Promise<boolean> =>
    attempt(async () => {
      await client.ask(recordPath(slug, id ?? ''), { method: 'DELETE', etag })
      void queries.invalidateQueries({ queryKey: ['list'] })
      tell(WORDS.deleted)
      navigate(`/${slug}`, { replace: true })
    })

  const settle = (): void => setTheirs(undefined)
  return { isBusy, problems, theirs, settle, save, act, remove }
}
