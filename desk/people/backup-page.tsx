import { type ReactElement, useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { formatMoment } from '../data/format.ts'
import { useChange } from '../developer/use-system.ts'
import { NotFound } from '../shell/not-found.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/fields.tsx'
import { Icon } from '../ui/icon.tsx'
import { PageSkeleton } from '../ui/skeleton.tsx'
import { WORDS } from '../words/en.ts'
import { PAGES } from '../words/pages/en.ts'
import { BackupBring } from './backup-bring.tsx'
import { BackupFoundDialog } from './backup-found.tsx'
import { BackupRestoreDialog, RestoreProgress } from './backup-restore.tsx'
import { BACKUPS, type BackupsState, type KeptBackup } from './backup-types.ts'
import { useBackups } from './use-backups.ts'

/** A backup, and the dialog that is open about it. */
interface Asked {
  readonly about: 'found' | 'restore' | 'end'
  readonly backup: KeptBackup
}

/** The backups there are: one is made now, brought home, looked into, restored, and taken away. */
export function BackupPage(): ReactElement {
  const { formats } = useDesk()
  const { state, error } = useBackups()
  const [asked, setAsked] = useState<Asked>()
  if (error) return <NotFound message={error.message} />
  if (!state) return <PageSkeleton />
  const { data, making, restoring, restored, problem } = state
  const close = (): void => setAsked(undefined)
  if (restoring)
    return (
      <>
        <h1>{PAGES.backups}</h1>
        <RestoreProgress phase={restoring.phase} />
      </>
    )
  return (
    <>
      <Head making={making} />
      <div className="backup-notes">
        <p className="quiet">{PAGES.everythingAbout}</p>
        <p role="status" className="quiet">
          {making === null ? '' : PAGES.beingMade[making]}
        </p>
        {problem ? (
          <p role="alert" className="notice problem">
            {problem}
          </p>
        ) : null}
        {restored ? (
          <p className="notice">
            {PAGES.wasRestored(restored.id, formatMoment(restored.at, formats), restored.undo)}
          </p>
        ) : null}
        {data.length === 0 && !making ? <p className="quiet">{PAGES.noBackups}</p> : null}
      </div>
      <ul className="devices">
        {data.map((one) => (
          <BackupRow key={one.id} backup={one} onAsk={setAsked} />
        ))}
      </ul>
      {asked?.about === 'found' ? (
        <BackupFoundDialog backup={asked.backup} onClose={close} />
      ) : null}
      {asked?.about === 'restore' ? (
        <BackupRestoreDialog backup={asked.backup} onClose={close} />
      ) : null}
      {asked?.about === 'end' ? <Ending backup={asked.backup} onClose={close} /> : null}
    </>
  )
}

/** What the page is for, and what is made or brought on it. */
function Head({ making }: Pick<BackupsState, 'making'>): ReactElement {
  const { change, isBusy } = useChange()
  return (
    <header className="part-head">
      <div>
        <h1>{PAGES.backups}</h1>
        <p className="quiet">{PAGES.backupsAbout}</p>
      </div>
      <span className="backup-ways">
        <BackupBring />
        <Button
          icon="package"
          busy={isBusy || making !== null}
          onClick={() => void change('POST', `${BACKUPS}/everything`)}
        >
          {PAGES.takeEverything}
        </Button>
        <Button
          kind="primary"
          icon="hard-drive-download"
          busy={isBusy || making !== null}
          onClick={() => void change('POST', BACKUPS)}
        >
          {PAGES.backUpNow}
        </Button>
      </span>
    </header>
  )
}

/** A backup with what can be done with it; everything as plain data is brought home or taken away alone. */
function BackupRow({
  backup: one,
  onAsk,
}: {
  backup: KeptBackup
  onAsk: (asked: Asked) => void
}): ReactElement {
  const { formats } = useDesk()
  return (
    <li>
      <Icon name={one.kind === 'backup' ? 'hard-drive-download' : 'package'} size={20} />
      <div>
        <strong>
          {one.kind === 'backup' ? '' : `${PAGES.everything} · `}
          {formatMoment(one.created, formats)}
        </strong>
        <p className="quiet">
          {one.id} · {sizeText(one.bytes, formats.locale)}
        </p>
      </div>
      <span className="backup-ways">
        {one.kind === 'backup' ? (
          <>
            <Button onClick={() => onAsk({ about: 'found', backup: one })}>
              {PAGES.whatIsInIt}
            </Button>
            <Button onClick={() => onAsk({ about: 'restore', backup: one })}>
              {PAGES.restore}
            </Button>
          </>
        ) : null}
        <a
          className="button"
          href={`${BACKUPS}/${one.id}/file`}
          download={one.id}
          aria-label={PAGES.downloadOf(one.id)}
        >
          {PAGES.download}
        </a>
        <IconButton
          icon="trash-2"
          label={PAGES.takeAway(one.id)}
          onClick={() => onAsk({ about: 'end', backup: one })}
        />
      </span>
    </li>
  )
}

/** Bytes as people read them. */
function sizeText(bytes: number, locale: string): string {
  const unit = bytes < 1_000_000 ? 'kilobyte' : 'megabyte'
  const value = bytes / (unit === 'kilobyte' ? 1_000 : 1_000_000)
  return value.toLocaleString(locale, { style: 'unit', unit, maximumFractionDigits: 1 })
}

/** A backup goes only when its name was typed: nothing brings it back. */
function Ending({ backup, onClose }: { backup: KeptBackup; onClose: () => void }): ReactElement {
  const { change, isBusy } = useChange()
  const [typed, setTyped] = useState('')
  async function end(): Promise<void> {
    if (await change('DELETE', `${BACKUPS}/${backup.id}`)) onClose()
  }
  return (
    <Dialog title={PAGES.takeAway(backup.id)} onClose={onClose}>
      <form
        className="dialog-form section-like"
        onSubmit={(event) => {
          event.preventDefault()
          void end()
        }}
      >
        <p>{PAGES.backupGoes}</p>
        <TextField label={PAGES.typeName(backup.id)} value={typed} onChange={setTyped} />
        <div className="dialog-actions">
          <Button onClick={onClose}>{WORDS.back}</Button>
          <Button kind="danger" type="submit" busy={isBusy} disabled={typed !== backup.id}>
            {WORDS.delete}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
