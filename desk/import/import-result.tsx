import type { ReactElement } from 'react'
import { Link } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import { hasEnded, type Job } from '../data/jobs.ts'
import type { ResourceInfo } from '../data/types.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { WORDS } from '../words/en.ts'
import { inSentence } from '../words/sentence-case.ts'
import type { Import } from './use-import.ts'

interface ResultProps {
  readonly resource: ResourceInfo
  readonly job: Job
  readonly work: Import
}

/** How far an import is, and what it came to: what it made, the rows it refused as a file, and the way back. */
export function ImportResult({ resource, job, work }: ResultProps): ReactElement {
  const { formats } = useDesk()
  const shown = (count = 0): string => count.toLocaleString(formats.locale)
  const { result, done, total } = job
  if (!hasEnded(job))
    return (
      <p className="import-progress" role="status">
        {WORDS.progress(shown(done), shown(total))}
        <progress aria-label={WORDS.importButton} value={done} max={total || 1} />
        <Button onClick={work.stop}>{WORDS.stop}</Button>
      </p>
    )
  const failed = result?.failed ?? job.failed.length
  const isUndone = result?.undone_by !== undefined
  return (
    <>
      <p className="import-verdict" role="status">
        {isUndone
          ? WORDS.undone
          : WORDS.imported(shown(result?.created), shown(result?.updated), shown(failed))}
        {result?.message === undefined ? null : ` ${result.message}`}
      </p>
      <div className="import-actions">
        <Link href={`/${resource.slug}?sort=created`} className="button-primary">
          {WORDS.showThem(inSentence(resource.label_plural))}
        </Link>
        {failed > 0 ? (
          <a className="button-plain" href={`/v1/imports/${job.id}/failed.csv`} download>
            <Icon name="download" />
            {WORDS.failedRows(shown(failed))}
          </a>
        ) : null}
        {isUndone || (result?.created ?? 0) + (result?.updated ?? 0) === 0 ? null : (
          <Button onClick={() => void work.undo()}>{WORDS.undoImport}</Button>
        )}
        <Button onClick={() => work.take(undefined)}>{WORDS.otherTable}</Button>
      </div>
    </>
  )
}
