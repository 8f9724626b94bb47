import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Answer } from '../data/client.ts'
import type { RecordData } from '../data/types.ts'
import { useDesk } from './desk-context.ts'
import { listenToStream, type ToldChange } from './stream.ts'

/** Milliseconds in which changes are gathered before anything is read anew. */
const GATHERED_MS = 250

/** Resources whose records are about others. */
const ABOUT_OTHERS = new Set(['comments', 'mails', 'files', 'todos'])

/** Keeps everything on the page as it is in the workspace; answers whether it hears of changes now; undefined until it does. */
export function useLive(): boolean | undefined {
  const queries = useQueryClient()
  const { boot, client } = useDesk()
  const [isLive, setLive] = useState<boolean>()
  useEffect(() => {
    let gathered: ToldChange[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const companions = new Set(
      boot.resources.filter(({ serves }) => ABOUT_OTHERS.has(serves ?? '')).map((one) => one.slug),
    )
    const flush = (): void => {
      timer = undefined
      renew(queries, gathered, companions)
      gathered = []
    }
    const end = listenToStream(client.readAt(), (told) => {
      if (told.kind === 'state') setLive(told.isLive)
      else if (told.kind === 'reset') void queries.invalidateQueries({ predicate: isOfRecords })
      else if (told.kind === 'notification')
        void queries.invalidateQueries({ queryKey: ['notifications'] })
      else {
        gathered.push(told.change)
        timer ??= setTimeout(flush, GATHERED_MS)
      }
    })
    return () => {
      clearTimeout(timer)
      end()
    }
  }, [queries, boot, client])
  return isLive
}

/** What never changes while a page stays. */
const FIXED = new Set<unknown>(['boot', 'resource', 'filterable', 'preview'])

function isOfRecords({ queryKey }: { readonly queryKey: readonly unknown[] }): boolean {
  return !FIXED.has(queryKey[0])
}

/** Reads anew what these changes touch, as far as it is shown. */
function renew(
  queries: QueryClient,
  changes: readonly ToldChange[],
  companions: ReadonlySet<string>,
): void {
  const again = (...queryKey: readonly string[]): void =>
    void queries.invalidateQueries({ queryKey })
  for (const slug of new Set(changes.map(({ resource }) => resource))) {
    again('list', slug)
    again('linked', slug)
  }
  for (const { resource, id, modified } of changes) {
    const known = queries.getQueryData<Answer<RecordData>>(['record', resource, id])
    // What this very page has saved is there already.
    if (known?.body.modified === modified) continue
    again('record', resource, id)
    again('timeline', resource, id)
  }
  if (changes.some(({ resource }) => companions.has(resource))) {
    again('timeline')
    again('attached')
  }
  again('jobs')
  // Reports are asked anew when they are looked at next: what is read now stays as it is.
  void queries.invalidateQueries({ queryKey: ['report'], refetchType: 'none' })
}
