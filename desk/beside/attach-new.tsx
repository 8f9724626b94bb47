import { type ReactElement, useRef } from 'react'
import { useServing } from '../together/serving.ts'
import { useDrop } from '../together/use-drop.ts'
import { Button } from '../ui/button.tsx'
import { useToast } from '../ui/toast.tsx'
import { WORDS } from '../words/en.ts'
import { useBeside, useBesideStore } from './beside-context.ts'
import { kindOf } from './file-kind.ts'

/** Takes files for a record that is not there yet: chosen, dropped anywhere, or pasted outside fields. */
export function AttachNew({ slug }: { slug: string }): ReactElement | null {
  const files = useServing('files')
  // The record of a file holds a file already.
  return files?.can.includes('create') && files.slug !== slug ? <AttachButton /> : null
}

function AttachButton(): ReactElement {
  const store = useBesideStore()
  const { files } = useBeside()
  const tell = useToast()
  const input = useRef<HTMLInputElement>(null)
  async function take(all: readonly File[]): Promise<void> {
    for (const content of all)
      try {
        const { name } = content
        const kind = await kindOf(content, name)
        store.add({ key: crypto.randomUUID(), name, content, kind, state: 'waiting' })
      } catch (error) {
        tell(`${content.name}: ${(error as Error).message}`, 'problem')
      }
  }
  const isOver = useDrop((all) => void take(all))
  return (
    <>
      <Button icon="paperclip" data-attach onClick={() => input.current?.click()}>
        {WORDS.attach}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={WORDS.attach}
        onChange={(event) => {
          void take([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ''
        }}
      />
      <span role="status" className="visually-hidden">
        {files.length > 0 ? `${WORDS.beside}: ${files.map(({ name }) => name).join(', ')}` : ''}
      </span>
      {isOver ? <div className="drop-veil">{WORDS.dropHere}</div> : null}
    </>
  )
}
