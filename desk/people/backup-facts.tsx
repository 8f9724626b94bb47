import type { ReactElement } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { formatMoment } from '../data/format.ts'
import { PAGES } from '../words/pages/en.ts'
import type { Found } from './backup-types.ts'

/** What stands in a backup that is being read whole again, or what is wrong with it. */
export function BackupFacts({
  found,
  error,
}: {
  found: Found | undefined
  error: Error | null
}): ReactElement {
  const { formats } = useDesk()
  const shown = (count: number): string => count.toLocaleString(formats.locale)
  if (error)
    return (
      <p role="alert" className="notice problem">
        {error.message}
      </p>
    )
  if (!found) return <p role="status">{PAGES.readingBackup}</p>
  return (
    <>
      <p>{PAGES.backupIsWhole}</p>
      <dl className="facts">
        <div>
          <dt>{PAGES.backupOf}</dt>
          <dd>{formatMoment(found.created, formats)}</dd>
        </div>
        <div>
          <dt>{PAGES.backupRows}</dt>
          <dd>{PAGES.rowsOfTables(shown(found.rows), shown(found.tables))}</dd>
        </div>
        <div>
          <dt>{PAGES.ownDefinitions}</dt>
          <dd>{shown(found.files)}</dd>
        </div>
        <div>
          <dt>{PAGES.backupBy}</dt>
          <dd>
            {found.program} · {found.kind}
          </dd>
        </div>
      </dl>
    </>
  )
}
