import type { ReactElement } from 'react'
import { useSystem } from '../developer/use-system.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { WORDS } from '../words/en.ts'
import { PAGES } from '../words/pages/en.ts'
import { BackupFacts } from './backup-facts.tsx'
import { BACKUPS, type Found, type KeptBackup } from './backup-types.ts'

/** What a backup holds, read whole again, and the command that restores it where no server runs. */
export function BackupFoundDialog({
  backup,
  onClose,
}: {
  backup: KeptBackup
  onClose: () => void
}): ReactElement {
  const { data, error } = useSystem<Found>(`${BACKUPS}/${backup.id}`)
  return (
    <Dialog title={PAGES.whatIsInIt} onClose={onClose} wide>
      <BackupFacts found={data} error={error} />
      {data ? (
        <>
          <p>{PAGES.howToRestore}</p>
          <pre className="command">
            <code>{data.command.join(' ')}</code>
          </pre>
        </>
      ) : null}
      <div className="dialog-actions">
        <Button onClick={onClose}>{WORDS.back}</Button>
      </div>
    </Dialog>
  )
}
