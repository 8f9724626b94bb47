import { lazy, type ReactElement, Suspense, useState } from 'react'
import { Link } from 'wouter'
import { AttachNew } from '../beside/attach-new.tsx'
import { choicesOf } from '../data/format.ts'
import type { FieldInfo, RecordData, ResourceInfo } from '../data/types.ts'
import type { Draft } from '../draft/draft.ts'
import type { Writes } from '../draft/use-writes.ts'
import { statusField } from '../list/list-state.ts'
import { State } from '../list/row-parts.tsx'
import { useShortcuts } from '../shell/shortcuts.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'
import { WORDS } from '../words/en.ts'
import { sentenceCase } from '../words/sentence-case.ts'
import type { Mode } from './layout.ts'
import { RecordMenu } from './record-menu.tsx'
import { type NextStep, type Steps, stepsOf } from './steps.ts'

const Consequences = lazy(() =>
  import('./consequences.tsx').then((file) => ({ default: file.Consequences })),
)
const ActionForm = lazy(() =>
  import('./action-form.tsx').then((file) => ({ default: file.ActionForm })),
)

interface HeadProps {
  readonly resource: ResourceInfo
  readonly record: RecordData | undefined
  readonly title: string
  readonly mode: Mode
  readonly draft: Draft
  readonly writes: Writes
  /** Whether the record is shown on its paper. */
  readonly isPaper: boolean
  readonly onPaper: () => void
}

/** Head of a record: where it stands, what it is called, how far it has come, and the one next thing to do. */
export function RecordHead(props: HeadProps): ReactElement {
  const { resource, record, title, mode, draft, writes } = props
  const [asked, setAsked] = useState<NextStep>()
  const isNew = mode === 'new'
  const steps =
    record && !draft.isDirty ? stepsOf(resource, record) : { next: undefined, others: [] }
  const run = (step: NextStep) => {
    const isAsking = step.warning !== undefined || step.input !== undefined
    if (isAsking && asked !== step) return setAsked(step)
    setAsked(undefined)
    void (step.verb === 'delete' ? writes.remove() : writes.act(step))
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
          {record ? <StateMenu resource={resource} record={record} writes={writes} /> : null}
          {draft.isDirty ? <span className="pill tone-orange">{WORDS.unsaved}</span> : null}
        </div>
      </div>
      <HeadActions {...props} steps={steps} run={run} save={save} />
      {asked && record ? (
        <Suspense>
          {asked.input ? (
            <ActionForm step={asked} writes={writes} onClose={() => setAsked(undefined)} />
          ) : (
            <Sure
              resource={resource}
              record={record}
              step={asked}
              onYes={() => run(asked)}
              onNo={() => setAsked(undefined)}
            />
          )}
        </Suspense>
      ) : null}
    </div>
  )
}

interface ActionsProps extends HeadProps {
  readonly steps: Steps
  readonly run: (step: NextStep) => void
  readonly save: () => void
}

/** What can be done at the head of a record. */
function HeadActions(props: ActionsProps): ReactElement {
  const { resource, record, mode, draft, writes, isPaper, onPaper, steps, run, save } = props
  const isNew = mode === 'new'
  return (
    <div className="page-actions">
      {record && resource.submittable ? (
        <button
          type="button"
          className="icon-button"
          aria-label={WORDS.paper}
          title={WORDS.paper}
          aria-pressed={isPaper}
          data-paper
          onClick={onPaper}
        >
          <Icon name="file-text" />
        </button>
      ) : null}
      {draft.isDirty && !isNew ? (
        <Button onClick={draft.reset} disabled={writes.isBusy}>
          {WORDS.discard}
        </Button>
      ) : null}
      {isNew ? <AttachNew slug={resource.slug} /> : null}
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
        <RecordMenu resource={resource} record={record} steps={steps.others} run={run} />
      ) : null}
    </div>
  )
}

/** How far a record has come; where its state is chosen, a menu of those it may go to. */
function StateMenu({
  resource,
  record,
  writes,
}: {
  resource: ResourceInfo
  record: RecordData
  writes: Writes
}): ReactElement | null {
  const field = statusField(resource)
  const targets = record._can?.flow ?? []
  const pill = <State resource={resource} row={record} />
  if (!field || field.readOnly || targets.length === 0) return pill
  return (
    <Menu
      // What is read on it is part of what it is called.
      label={`${textOf(field, record[field.name])}: ${WORDS.moveTo}`}
      className="state-button"
      trigger={
        <>
          {pill}
          <Icon name="chevron-down" size={12} />
        </>
      }
      items={targets.map((state) => ({
        label: state,
        icon: 'arrow-right',
        onSelect: () => void writes.patch({ [field.name]: state }),
      }))}
    />
  )
}

function textOf(field: FieldInfo, value: unknown): string {
  return choicesOf(field).find((one) => one.value === value)?.label ?? String(value ?? '')
}

interface SureProps {
  readonly resource: ResourceInfo
  readonly record: RecordData
  readonly step: NextStep
  readonly onYes: () => void
  readonly onNo: () => void
}

/** Asks before what cannot simply be changed back, and shows what it would do. */
function Sure({ resource, record, step, onYes, onNo }: SureProps): ReactElement {
  return (
    <Dialog title={`${step.label}?`} onClose={onNo} wide>
      <p>{step.warning}</p>
      <Consequences resource={resource} record={record} step={step} />
      <div className="dialog-actions">
        <Button onClick={onNo}>{WORDS.back}</Button>
        <Button kind={step.isDanger ? 'danger' : 'primary'} onClick={onYes} autoFocus>
          {step.label}
        </Button>
      </div>
    </Dialog>
  )
}
