import '../style/record.css'
import '../style/import.css'
import { type ReactElement, useEffect } from 'react'
import { Link } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import { useResource } from '../data/queries.ts'
import type { ResourceInfo } from '../data/types.ts'
import { NotFound } from '../shell/not-found.tsx'
import { Button } from '../ui/button.tsx'
import { CheckField } from '../ui/fields.tsx'
import { PageSkeleton } from '../ui/skeleton.tsx'
import { WORDS } from '../words/en.ts'
import { inSentence, sentenceCase } from '../words/sentence-case.ts'
import { ColumnMapping } from './column-mapping.tsx'
import { FileStep } from './file-step.tsx'
import { ImportResult } from './import-result.tsx'
import { RefusedRows } from './refused-rows.tsx'
import { type Import, useImport } from './use-import.ts'

/** `/{slug}/import`: brings in the records of a file: what its columns are, a trial, and then the import itself. */
export function ImportPage({ slug }: { slug: string }): ReactElement {
  const { data: resource, error } = useResource(slug)
  const { entryOf, boot } = useDesk()
  const title = resource && WORDS.importOf(inSentence(resource.label_plural))
  useEffect(() => {
    if (title) document.title = `${title} · ${boot.workspace.label}`
  }, [title, boot])
  if (error || entryOf(slug)?.can.includes('import') === false) return <NotFound />
  return resource ? <ImportSteps resource={resource} title={title ?? ''} /> : <PageSkeleton />
}

function ImportSteps({ resource, title }: { resource: ResourceInfo; title: string }): ReactElement {
  const work = useImport(resource)
  const { file, job, isTrial } = work
  const step = job && !isTrial ? 2 : file ? 1 : 0
  return (
    <div className="import-page" data-import={resource.slug}>
      <nav className="crumbs" aria-label={WORDS.goTo}>
        <Link href={`/${resource.slug}`}>{sentenceCase(resource.label_plural)}</Link>
      </nav>
      <h1>{title}</h1>
      <ol className="steps">
        {WORDS.importSteps.map((name, at) => (
          <li key={name} aria-current={at === step ? 'step' : undefined} data-done={at < step}>
            {name}
          </li>
        ))}
      </ol>
      {step === 2 && job ? (
        <ImportResult resource={resource} job={job} work={work} />
      ) : file ? (
        <Trial resource={resource} work={work} />
      ) : (
        <FileStep resource={resource} targets={work.targets} onFile={work.take} />
      )}
    </div>
  )
}

/** What the columns are, and what a trial says of the rows. */
function Trial({ resource, work }: { resource: ResourceInfo; work: Import }): ReactElement {
  const { entryOf, formats } = useDesk()
  const { file, job, choices, isBusy } = work
  const can = entryOf(resource.slug)?.can ?? []
  const shown = (count = 0): string => count.toLocaleString(formats.locale)
  const result = job?.state === 'done' ? job.result : null
  const good = (result?.created ?? 0) + (result?.updated ?? 0)
  return (
    <>
      <p className="import-file">
        <strong>{file?.name}</strong>
        {file?.rows ? <span className="quiet"> {WORDS.rows(file.rows.length - 1)}</span> : null}
        <button type="button" className="link-button" onClick={() => work.take(undefined)}>
          {WORDS.otherTable}
        </button>
      </p>
      {file?.rows ? <ColumnMapping rows={file.rows} work={work} /> : null}
      <div className="import-choices">
        {can.includes('update') ? (
          <CheckField
            label={WORDS.importUpsert}
            value={choices.upsert}
            onChange={(upsert) => work.choose({ ...choices, upsert })}
          />
        ) : null}
        {resource.submittable && can.includes('submit') ? (
          <CheckField
            label={WORDS.importSubmit}
            value={choices.submit}
            onChange={(submit) => work.choose({ ...choices, submit })}
          />
        ) : null}
      </div>
      {job && isBusy ? (
        <p className="import-progress" role="status">
          {WORDS.checking(shown(job.done), shown(job.total))}
          <progress aria-label={title(job.kind)} value={job.done} max={job.total || 1} />
          <Button onClick={work.stop}>{WORDS.stop}</Button>
        </p>
      ) : null}
      {result ? (
        <p className="import-verdict" role="status">
          {WORDS.wouldImport(shown(result.created), shown(result.updated), shown(result.failed))}
        </p>
      ) : job && !isBusy ? (
        <p className="import-verdict" role="alert">
          {job.result?.message}
        </p>
      ) : null}
      {job && !isBusy && job.failed.length > 0 ? (
        <RefusedRows resource={resource} job={job} work={work} />
      ) : null}
      <div className="import-actions">
        <Button
          kind={good > 0 && result?.failed === 0 ? 'plain' : 'primary'}
          disabled={isBusy}
          onClick={() => void work.send(true)}
        >
          {result ? WORDS.checkAgain : WORDS.checkFile}
        </Button>
        {good > 0 ? (
          <Button
            kind={result?.failed === 0 ? 'primary' : 'plain'}
            onClick={() => void work.send(false)}
          >
            {WORDS.importNow(shown(good))}
          </Button>
        ) : null}
      </div>
    </>
  )
}

function title(kind: string): string {
  return `${WORDS.importButton} ${kind}`
}
