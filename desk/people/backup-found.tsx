import type { ReactElement } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { formatMoment } from '../data/format.ts'
import { useSystem } from '../developer/use-system.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { WORDS } from '../words/en.ts'
import { PAGES } from '../words/pages/en.ts'
import type { KeptBackup } from './backup-types.ts'

interface Found {
  readonly kind: string
  readonly program: string
  readonly created: string
  readonly rows: number
  readonly tables: number
  readonly files: number
  readonly command: readonly string[]
}

/** What a backup holds, read whole again, and what restoring it does. */
export function BackupFoundDialog({
  backup,
  onClose,
}: {
  backup: KeptBackup
  onClose: () => void
}): ReactElement {
  const { formats } = useDesk()
  const { data, error } = useSystem<Found>(`/v1/backups/${backup.id}`)
  const shown = (count: number): string => count.toLocaleString(formats.locale)
  return (
    <Dialog title={PAGES.whatIsInIt} onClose={onClose} wide>
      {error ? (
        <p role="alert" className="notice problem">
          {error.message}
        </p>
      ) : null}
      {!data && !error ? <p role="status">{PAGES.readingBackup}</p> : null}
      {data ? (
        <>
          <p>{PAGES.backupIsWhole}</p>
          <dl className="facts">
            <div>
              <dt>{PAGES.backupOf}</dt>
              <dd>{formatMoment(data.created, formats)}</dd>
            </div>
            <div>
              <dt>{PAGES.backupRows}</dt>
              <dd>{PAGES.rowsOfTables(shown(data.rows), shown(data.tables))}</dd>
            </div>
            <div>
              <dt>{PAGES.ownDefinitions}</dt>
              <dd>{shown(data.files)}</dd>
            </div>
            <div>
              <dt>{PAGES.backupBy}</dt>
              <dd>
                {data.program} · {data.kind}
              </dd>
            </div>
          </dl>
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
