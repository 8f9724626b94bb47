import { useDesk } from '../boot/desk-context.ts'
import { useServing } from '../together/serving.ts'
import { uploadFile } from '../together/upload.ts'
import { useTellAgain } from '../together/use-timeline.ts'
import { useToast } from '../ui/toast.tsx'
import { WORDS } from '../words/en.ts'
import { useBesideStore } from './beside-context.ts'
import type { BesideFile } from './beside-store.ts'

/** Brings the files beside a form to its record, one after the other; each says by itself how far it is, and why it failed. */
export function useSending(): (slug: string, id: string) => Promise<void> {
  const { client } = useDesk()
  const files = useServing('files')
  const store = useBesideStore()
  const tell = useToast()
  const again = useTellAgain()

  async function send({ key, name, content }: BesideFile, slug: string, id: string): Promise<void> {
    store.change(key, { state: 'sending', share: 0 })
    try {
      const file = new File([content], name, { type: content.type })
      await uploadFile(client, files!.slug, file, { slug, id }, (share) =>
        store.change(key, { share }),
      )
      store.change(key, { state: 'kept' })
    } catch (error) {
      const why = (error as Error).message
      store.change(key, { state: 'failed', why })
      store.open(true)
      // Who has left the form is told where they are.
      const isHere = store.now().files.some((one) => one.key === key)
      if (!isHere) tell(WORDS.notAttached(name, why), 'problem')
    }
  }

  return async (slug, id) => {
    const unsent = store
      .now()
      .files.filter(({ state }) => state === 'waiting' || state === 'failed')
    for (const file of unsent) await send(file, slug, id)
    if (unsent.length > 0) await again(slug, id)
    // What is only a line stands among the files of the record now.
    for (const { key, kind, state } of store.now().files)
      if (kind === 'other' && state === 'kept') store.remove(key)
  }
}
