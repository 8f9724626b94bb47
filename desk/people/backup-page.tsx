import { useQuery } from '@tanstack/react-query'
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
import { BackupFoundDialog } from './backup-found.tsx'
import type { KeptBackup } from './backup-types.ts'

interface State {
  readonly data: readonly KeptBackup[]
  readonly making: boolean
  readonly problem: string | null
}

const BACKUPS = '/v1/backups'

/** Milliseconds between two looks at a backup that is being made. */
const LOOK_AGAIN_MS = 1_000

/** The backups there are: one is made now, brought home, looked into, and taken away. */
export function BackupPage(): ReactElement {
  const { client, formats } = useDesk()
  const { data, error } = useQuery({
    queryKey: ['system', BACKUPS],
    queryFn: async () => (await client.ask<State>(BACKUPS)).body,
    refetchInterval: ({ state }) => (state.data?.making ? LOOK_AGAIN_MS : false),
  })
  const { change, isBusy } = useChange()
  const [looked, setLooked] = useState<KeptBackup>()
  const [ending, setEnding] = useState<KeptBackup>()
  if (error) return <NotFound message={error.message} />
  if (!data) return <PageSkeleton />
  return (
    <>
      <header className="part-head">
        <div>
          <h1>{PAGES.backups}</h1>
          <p className="quiet">{PAGES.backupsAbout}</p>
        </div>
        <Button
          kind="primary"
          icon="hard-drive-download"
          busy={isBusy || data.making}
          onClick={() => void change('POST', BACKUPS)}
        >
          {PAGES.backUpNow}
        </Button>
      </header>
      <p role="status" className="quiet">
        {data.making ? PAGES.backingUp : ''}
      </p>
      {data.problem ? (
        <p role="alert" className="notice problem">
          {data.problem}
        </p>
      ) : null}
      {data.data.length === 0 && !data.making ? <p className="quiet">{PAGES.noBackups}</p> : null}
      <ul className="devices">
        {data.data.map((one) => (
          <li key={one.id}>
            <Icon name="hard-drive-download" size={20} />
            <div>
              <strong>{formatMoment(one.created, formats)}</strong>
              <p className="quiet">
                {one.id} · {sizeText(one.bytes, formats.locale)}
              </p>
            </div>
            <span className="backup-ways">
              <Button onClick={() => setLooked(one)}>{PAGES.whatIsInIt}</Button>
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
                onClick={() => setEnding(one)}
              />
            </span>
          </li>
        ))}
      </ul>
      {looked ? <BackupFoundDialog backup={looked} onClose={() => setLooked(undefined)} /> : null}
      {ending ? <Ending backup={ending} onClose={() => setEnding(undefined)} /> : null}
    </>
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
