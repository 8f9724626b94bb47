import { useQueryClient } from '@tanstack/react-query'
import { type ReactElement, useRef, useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import type { RecordData, ResourceInfo } from '../data/types.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Popover } from '../ui/popover.tsx'
import { useToast } from '../ui/toast.tsx'
import { WORDS } from '../words/en.ts'
import { type BulkProgress, type BulkVerb, runBulk } from './bulk.ts'
import { BulkEdit } from './bulk-edit.tsx'
import { titleOf } from './row-parts.tsx'

interface BulkBarProps {
  readonly resource: ResourceInfo
  readonly rows: readonly RecordData[]
  readonly selected: ReadonlySet<string>
  readonly onSelect: (selected: ReadonlySet<string>) => void
}

/** What can be done with the chosen records: each is a request of its own, and what fails is told by record. */
export function BulkBar({ resource, rows, selected, onSelect }: BulkBarProps): ReactElement {
  const { entryOf } = useDesk()
  const can = entryOf(resource.slug)?.can ?? []
  const [asked, setAsked] = useState<BulkVerb>()
  const work = useBulk(resource, rows, selected, onSelect)
  const { progress } = work
  const isBusy = progress !== undefined && work.isRunning
  const begin = (verb: BulkVerb): void => {
    setAsked(undefined)
    void work.run(verb)
  }
  const button = (kind: 'submit' | 'cancel' | 'delete'): ReactElement | null =>
    can.includes(kind) && (kind === 'delete' || resource.submittable) ? (
      <Button kind={kind === 'delete' ? 'danger' : 'plain'} onClick={() => setAsked({ kind })}>
        {WORDS[kind]}
      </Button>
    ) : null
  return (
    <section className="bulk" aria-label={WORDS.bulk}>
      {isBusy ? (
        <>
          <span role="status">{WORDS.progress(progress.done, progress.total)}</span>
          <progress aria-label={WORDS.bulk} value={progress.done} max={progress.total} />
          <Button onClick={work.stop}>{WORDS.stop}</Button>
        </>
      ) : (
        <>
          <span role="status">{WORDS.selected(selected.size)}</span>
          {can.includes('update') ? (
            <Popover label={WORDS.editField} trigger={WORDS.editField}>
              {(close) => (
                <BulkEdit
                  resource={resource}
                  onData={(data) => {
                    close()
                    begin({ kind: 'update', data })
                  }}
                />
              )}
            </Popover>
          ) : null}
          {button('submit')}
          {button('cancel')}
          {button('delete')}
          <IconButton icon="x" label={WORDS.clear} onClick={() => onSelect(new Set())} />
        </>
      )}
      {asked && asked.kind !== 'update' ? (
        <Dialog title={`${WORDS[asked.kind]}?`} onClose={() => setAsked(undefined)}>
          <p>{WORDS.sureBulk(selected.size)}</p>
          <div className="dialog-actions">
            <Button onClick={() => setAsked(undefined)}>{WORDS.back}</Button>
            <Button
              kind={asked.kind === 'submit' ? 'primary' : 'danger'}
              onClick={() => begin(asked)}
              autoFocus
            >
              {WORDS[asked.kind]}
            </Button>
          </div>
        </Dialog>
      ) : null}
      {!isBusy && progress && progress.failed.length > 0 ? (
        <Failures progress={progress} titles={work.titles} onClose={work.settle} />
      ) : null}
    </section>
  )
}

function useBulk(
  resource: ResourceInfo,
  rows: readonly RecordData[],
  selected: ReadonlySet<string>,
  onSelect: (selected: ReadonlySet<string>) => void,
) {
  const { client } = useDesk()
  const queries = useQueryClient()
  const tell = useToast()
  const [progress, setProgress] = useState<BulkProgress>()
  const [isRunning, setRunning] = useState(false)
  const [titles, setTitles] = useState<ReadonlyMap<string, string>>(new Map())
  const isStopped = useRef(false)
  async function run(verb: BulkVerb): Promise<void> {
    const ids = [...selected]
    isStopped.current = false
    setTitles(new Map(rows.map((row) => [row.id, titleOf(resource, row)])))
    setRunning(true)
    setProgress({ done: 0, total: ids.length, failed: [] })
    const how = { tell: setProgress, isStopped: () => isStopped.current }
    const end = await runBulk(client, resource.slug, ids, verb, how)
    await queries.invalidateQueries({ queryKey: ['list'] })
    void queries.invalidateQueries({ queryKey: ['record', resource.slug] })
    setRunning(false)
    tell(WORDS.bulkDone(end.done - end.failed.length, end.total))
    // What could not be changed stays chosen, to be tried again.
    const left = new Set(end.failed.map(({ id }) => id))
    if (left.size === 0) setProgress(undefined)
    onSelect(left)
  }
  return {
    progress,
    isRunning,
    titles,
    run,
    stop: () => {
      isStopped.current = true
    },
    settle: () => setProgress(undefined),
  }
}

function Failures({
  progress,
  titles,
  onClose,
}: {
  progress: BulkProgress
  titles: ReadonlyMap<string, string>
  onClose: () => void
}): ReactElement {
  return (
    <Dialog title={WORDS.bulkFailed(progress.failed.length)} onClose={onClose} wide>
      <ul className="failures">
        {progress.failed.map(({ id, message }) => (
          <li key={id}>
            <strong>{titles.get(id) ?? id}</strong>
            <span>{message}</span>
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
