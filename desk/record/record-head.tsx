import { type ReactElement, useState } from 'react'
import { Link } from 'wouter'
import type { RecordData, ResourceInfo } from '../data/types.ts'
import { State } from '../list/row-parts.tsx'
import { useShortcuts } from '../shell/shortcuts.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { Menu, type MenuItem } from '../ui/menu.tsx'
import { WORDS } from '../words/en.ts'
import { sentenceCase } from '../words/sentence-case.ts'
import type { Draft } from './draft.ts'
import type { Mode } from './layout.ts'
import { type NextStep, stepsOf } from './steps.ts'
import type { Writes } from './use-writes.ts'

interface HeadProps {
  readonly resource: ResourceInfo
  readonly record: RecordData | undefined
  readonly title: string
  readonly mode: Mode
  readonly draft: Draft
  readonly writes: Writes
}

/** Head of a record: where it stands, what it is called, how far it has come, and the one next thing to do. */
export function RecordHead({
  resource,
  record,
  title,
  mode,
  draft,
  writes,
}: HeadProps): ReactElement {
  const [asked, setAsked] = useState<NextStep>()
  const isNew = mode === 'new'
  const steps =
    record && !draft.isDirty ? stepsOf(resource, record) : { next: undefined, others: [] }
  const run = (step: NextStep) => {
    if (step.warning !== undefined && asked !== step) return setAsked(step)
    setAsked(undefined)
    void (step.verb === 'delete' ? writes.remove() : writes.act(step.path))
  }
  const save = (): void => void writes.save()
  useShortcuts({
    'ctrl+enter': () => {
      if (draft.isDirty || isNew) save()
      else if (steps.next) run(steps.next)
    },
  })
  return (
    <div className="record-head">
      <div>
        <nav className="crumbs" aria-label={WORDS.back}>
          <Link href={`/${resource.slug}`}>{sentenceCase(resource.label_plural)}</Link>
          {record && record.id !== title ? <span>{record.id}</span> : null}
        </nav>
        <div className="record-title">
          <h1>{title}</h1>
          {record ? <State resource={resource} row={record} /> : null}
          {draft.isDirty ? <span className="pill tone-orange">{WORDS.unsaved}</span> : null}
        </div>
      </div>
      <div className="page-actions">
        {draft.isDirty && !isNew ? (
          <Button onClick={draft.reset} disabled={writes.isBusy}>
            {WORDS.discard}
          </Button>
        ) : null}
        {draft.isDirty || isNew ? (
          <Button kind="primary" onClick={save} busy={writes.isBusy}>
            {WORDS.save}
          </Button>
        ) : null}
        {steps.next ? (
          <Button
            kind="primary"
            onClick={() => run(steps.next!)}
            busy={writes.isBusy}
            title={steps.next.hint}
          >
            {steps.next.label}
          </Button>
        ) : null}
        {record ? (
          <Menu
            label={WORDS.more}
            trigger={<Icon name="ellipsis" />}
            items={menuOf(steps.others, resource, record, run)}
          />
        ) : null}
      </div>
      {asked ? (
        <Sure step={asked} onYes={() => run(asked)} onNo={() => setAsked(undefined)} />
      ) : null}
    </div>
  )
}

function menuOf(
  steps: readonly NextStep[],
  { slug, submittable }: ResourceInfo,
  { id }: RecordData,
  run: (step: NextStep) => void,
): readonly (MenuItem | 'line')[] {
  const own = steps.map((step) => ({
    label: step.label,
    why: step.why,
    danger: step.isDanger,
    onSelect: () => run(step),
  }))
  const paper = `/print/${slug}/${encodeURIComponent(id)}`
  return submittable
    ? [
        ...own,
        'line',
        {
          label: WORDS.print,
          icon: 'printer',
          onSelect: () => void open(paper, '_blank', 'noopener'),
        },
      ]
    : own.length > 0
      ? own
      : [
          {
            label: WORDS.copyCurl,
            icon: 'copy',
            onSelect: () =>
              void navigator.clipboard.writeText(`curl '${location.origin}/v1/${slug}/${id}'`),
          },
        ]
}

/** Asks before what cannot simply be changed back. */
function Sure({
  step,
  onYes,
  onNo,
}: {
  step: NextStep
  onYes: () => void
  onNo: () => void
}): ReactElement {
  return (
    <Dialog title={`${step.label}?`} onClose={onNo}>
      <p>{step.warning}</p>
      <div className="dialog-actions">
        <Button onClick={onNo}>{WORDS.back}</Button>
        <Button kind={step.isDanger ? 'danger' : 'primary'} onClick={onYes} autoFocus>
          {step.label}
        </Button>
      </div>
    </Dialog>
  )
}
