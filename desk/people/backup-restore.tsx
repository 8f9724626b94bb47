import { type ReactElement, useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { formatMoment } from '../data/format.ts'
import { useChange, useSystem } from '../developer/use-system.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/fields.tsx'
import { WORDS } from '../words/en.ts'
import { PAGES } from '../words/pages/en.ts'
import { BackupFacts } from './backup-facts.tsx'
import { BACKUPS, type Found, type KeptBackup, PHASES, type Phase } from './backup-types.ts'

/** Restores a backup once its name was typed: what it holds and what is lost with it are said before. */
export function BackupRestoreDialog({
  backup,
  onClose,
}: {
  backup: KeptBackup
  onClose: () => void
}): ReactElement {
  const { formats } = useDesk()
  const { data, error } = useSystem<Found>(`${BACKUPS}/${backup.id}`)
  const { change, isBusy } = useChange()
  const [typed, setTyped] = useState('')
  async function restore(): Promise<void> {
    if (await change('POST', `${BACKUPS}/${backup.id}/restore`)) onClose()
  }
  return (
    <Dialog title={PAGES.restoreBackup} onClose={onClose} wide>
      <form
        className="dialog-form section-like"
        onSubmit={(event) => {
          event.preventDefault()
          void restore()
        }}
      >
        <BackupFacts found={data} error={error} />
        {data ? (
          <>
            <p className="notice problem">
              {PAGES.restoreLoses(formatMoment(data.created, formats))}
            </p>
            <p>{PAGES.restoreStops}</p>
            <TextField label={PAGES.typeName(backup.id)} value={typed} onChange={setTyped} />
          </>
        ) : null}
        <div className="dialog-actions">
          <Button onClick={onClose}>{WORDS.back}</Button>
          <Button kind="danger" type="submit" busy={isBusy} disabled={!data || typed !== backup.id}>
            {PAGES.restore}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** How far a restore is. */
export function RestoreProgress({ phase }: { phase: Phase }): ReactElement {
  const at = PHASES.indexOf(phase)
  return (
    <div className="notice">
      <p role="status">{PAGES.restorePhases[phase]}</p>
      <progress max={PHASES.length} value={at + 0.5} aria-label={PAGES.restoreBackup} />
    </div>
  )
}
