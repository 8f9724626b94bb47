import { type ReactElement, useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import type { Job } from '../data/jobs.ts'
import type { RecordData, ResourceInfo } from '../data/types.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Popover } from '../ui/popover.tsx'
import { WORDS } from '../words/en.ts'
import type { BulkScope, BulkVerb } from './bulk.ts'
import { BulkEdit } from './bulk-edit.tsx'
import { narrowing } from './list-address.ts'
import type { ListState } from './list-state.ts'
import { titleOf } from './row-parts.tsx'
import { useBulk } from './use-bulk.ts'
import { useExport } from './use-export.ts'

interface BulkBarProps {
  readonly resource: ResourceInfo
  readonly state: ListState
  readonly rows: readonly RecordData[]
  /** Number of all records that match. */
  readonly total: number
  readonly selected: ReadonlySet<string>
  readonly onSelect: (selected: ReadonlySet<string>) => void
}

/** What can be done with the chosen records, or with all that match: a job with a bar, a stop and a way back. */
export function BulkBar(props: BulkBarProps): ReactElement {
  const { resource, state, rows, total, selected, onSelect } = props
  const { formats } = useDesk()
  const [isAll, setAll] = useState(false)
  const [titles, setTitles] = useState<ReadonlyMap<string, string>>(new Map())
  const work = useBulk(resource, (left) => {
    setAll(false)
    onSelect(new Set(left))
  })
  const { job, isRunning } = work
  const isWhole = rows.length > 0 && rows.every(({ id }) => selected.has(id))
  const all = isAll && isWhole
  const scope: BulkScope = all ? { filter: narrowing(state) } : { ids: [...selected] }
  const count = all ? total : selected.size
  const shown = (number: number): string => number.toLocaleString(formats.locale)
  function begin(verb: BulkVerb): void {
    setTitles(new Map(rows.map((row) => [row.id, titleOf(resource, row)])))
    void work.run(scope, verb)
  }
  return (
    <section className="bulk" aria-label={WORDS.bulk}>
      {job && isRunning ? (
        <>
          <span role="status">{WORDS.progress(shown(job.done), shown(job.total))}</span>
          <progress aria-label={WORDS.bulk} value={job.done} max={job.total || 1} />
          <Button onClick={work.stop}>{WORDS.stop}</Button>
        </>
      ) : (
        <>
          <span role="status">{WORDS.selected(shown(count))}</span>
          {isWhole && !all && total > rows.length ? (
            <button type="button" className="link-button" onClick={() => setAll(true)}>
              {WORDS.selectMatching(shown(total))}
            </button>
          ) : null}
          <BulkVerbs resource={resource} scope={scope} count={shown(count)} onVerb={begin} />
          <IconButton icon="x" label={WORDS.clear} onClick={() => onSelect(new Set())} />
        </>
      )}
      {job && !isRunning && job.failed.length > 0 ? (
        <Failures job={job} titles={titles} onClose={work.settle} />
      ) : null}
    </section>
  )
}

interface VerbsProps {
  readonly resource: ResourceInfo
  readonly scope: BulkScope
  readonly count: string
  readonly onVerb: (verb: BulkVerb) => void
}

/** The verbs that the person may use here; all but a change of a field and a file are asked about once more. */
function BulkVerbs({ resource, scope, count, onVerb }: VerbsProps): ReactElement {
  const { entryOf } = useDesk()
  const can = entryOf(resource.slug)?.can ?? []
  const [asked, setAsked] = useState<'submit' | 'cancel' | 'delete'>()
  const save = useExport(resource)
  const verbs = (['submit', 'cancel', 'delete'] as const).filter(
    (kind) => can.includes(kind) && (kind === 'delete' || resource.submittable),
  )
  return (
    <>
      {can.includes('update') ? (
        <Popover label={WORDS.editField} trigger={WORDS.editField}>
          {(close) => (
            <BulkEdit
              resource={resource}
              onData={(data) => {
                close()
                onVerb({ kind: 'update', data })
              }}
            />
          )}
        </Popover>
      ) : null}
      {verbs.map((kind) => (
        <Button
          key={kind}
          kind={kind === 'delete' ? 'danger' : 'plain'}
          onClick={() => setAsked(kind)}
        >
          {WORDS[kind]}
        </Button>
      ))}
      {can.includes('export') ? (
        <Button onClick={() => void save(scope)}>{WORDS.exportCsv}</Button>
      ) : null}
      {asked ? (
        <Dialog title={`${WORDS[asked]}?`} onClose={() => setAsked(undefined)}>
          <p>{WORDS.sureBulk(count)}</p>
          <div className="dialog-actions">
            <Button onClick={() => setAsked(undefined)}>{WORDS.back}</Button>
            <Button
              kind={asked === 'submit' ? 'primary' : 'danger'}
              onClick={() => {
                setAsked(undefined)
                onVerb({ kind: asked })
              }}
              autoFocus
            >
              {WORDS[asked]}
            </Button>
          </div>
        </Dialog>
      ) : null}
    </>
  )
}

interface FailuresProps {
  readonly job: Job
  readonly titles: ReadonlyMap<string, string>
  readonly onClose: () => void
}

function Failures({ job, titles, onClose }: FailuresProps): ReactElement {
  const count = job.result?.failed ?? job.failed.length
  return (
    <Dialog title={WORDS.bulkFailed(count)} onClose={onClose} wide>
      <ul className="failures">
        {job.failed.map(({ id, problems }) => (
          <li key={id}>
            <strong>{titles.get(id ?? '') ?? id}</strong>
            <span>{problems.map(({ message }) => message).join('; ')}</span>
          </li>
        ))}
      </ul>
      <div className="dialog-actions">
        <Button onClick={onClose} autoFocus>
          {WORDS.close}
        </Button>
      </div>
    </Dialog>
  )
}
