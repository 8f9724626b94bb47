import { useQueryClient } from '@tanstack/react-query'
import { type ReactElement, useRef, useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { Button } from '../ui/button.tsx'
import { useToast } from '../ui/toast.tsx'
import { PAGES } from '../words/pages/en.ts'
import { BACKUPS } from './backup-types.ts'

/** Brings a backup that is elsewhere into the list: it is read whole before it counts. */
export function BackupBring(): ReactElement {
  const { client } = useDesk()
  const queries = useQueryClient()
  const tell = useToast()
  const input = useRef<HTMLInputElement>(null)
  const [share, setShare] = useState<number>()
  async function bring(file: File | undefined): Promise<void> {
    if (!file) return
    setShare(0)
    try {
      await client.send(BACKUPS, file, setShare)
      await queries.invalidateQueries({ queryKey: ['system'] })
    } catch (error) {
      tell((error as Error).message, 'problem')
    } finally {
      setShare(undefined)
    }
  }
  return (
    <>
      <Button icon="upload" busy={share !== undefined} onClick={() => input.current?.click()}>
        {PAGES.bringBackup}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={PAGES.bringBackup}
        onChange={(event) => {
          void bring(event.currentTarget.files?.[0])
          event.currentTarget.value = ''
        }}
      />
      {share === undefined ? null : (
        <progress
          aria-label={PAGES.bringingBackup}
          max={1}
          {...(share < 1 ? { value: share } : {})}
        />
      )}
    </>
  )
}
