import '../style/record.css'
import { lazy, type ReactElement, Suspense, useEffect, useMemo, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { useBesideStore, useUnsent } from '../beside/beside-context.ts'
import { useSending } from '../beside/use-sending.ts'
import { useDesk } from '../boot/desk-context.ts'
import type { Answer } from '../data/client.ts'
import { useRecord, useResource } from '../data/queries.ts'
import type { RecordData, ResourceInfo, Row } from '../data/types.ts'
import { Conflict } from '../draft/conflict.tsx'
import { type Draft, useChanges, useDraft } from '../draft/draft.ts'
import { InTheWay } from '../draft/in-the-way.tsx'
import { KeptOffer } from '../draft/kept-offer.tsx'
import { createPending, PendingContext } from '../draft/pending.ts'
import { ProblemSummary } from '../draft/problem-summary.tsx'
import { type Held, useHeld } from '../draft/use-held.ts'
import { type OfferedDraft, useKeptDraft } from '../draft/use-kept-draft.ts'
import { useLeaveGuard } from '../draft/use-leave-guard.ts'
import { usePreview } from '../draft/use-preview.ts'
import { useWrites, type Writes } from '../draft/use-writes.ts'
import { noteRecent } from '../home/recent.ts'
import { titleOf } from '../list/row-parts.tsx'
import { NotFound } from '../shell/not-found.tsx'
import { useShortcuts } from '../shell/shortcuts.ts'
import { Icon } from '../ui/icon.tsx'
import { PageSkeleton } from '../ui/skeleton.tsx'
import { WORDS } from '../words/en.ts'
import { inSentence, sentenceCase } from '../words/sentence-case.ts'
import { FlowLine } from './flow-line.tsx'
import { FoldedSections } from './folded-sections.tsx'
import { layoutOf, type Mode } from './layout.ts'
import { useOwnCompany } from './own-company.ts'
import { NewLinkedContext, RecordContext } from './record-context.ts'
import { RecordHead } from './record-head.tsx'
import { isTableOpen, SectionCard } from './section-card.tsx'
import { SendPaper } from './send-paper.tsx'
import { SideRail } from './side-rail.tsx'

/** The first field of a form. */
const FIRST_FIELD = '.record-main .section :is(input, textarea, select)'

const NewLinked = lazy(() =>
  import('./new-linked.tsx').then((file) => ({ default: file.NewLinked })),
)
const Paper = lazy(() => import('./paper.tsx').then((file) => ({ default: file.Paper })))

/** `/{slug}/{id}`, and without an id `/{slug}/new`. */
export function RecordPage({ slug, id }: { slug: string; id: string | undefined }): ReactElement {
  const { entryOf } = useDesk()
  const [pending] = useState(createPending)
  const resource = useResource(slug)
  const record = useRecord(slug, id)
  const error = resource.error ?? (record.data ? null : record.error)
  useFilesBeside(slug, id)
  if (error) return <NotFound message={error.message} />
  if (!resource.data || (id !== undefined && !record.data)) return <PageSkeleton />
  if (id === undefined && !entryOf(slug)?.can.includes('create'))
    return (
      <NotFound title={WORDS.notMade(resource.data.label_plural)} message={WORDS.keptByEngine} />
    )
  return (
    <PendingContext value={pending}>
      <NewLinkedContext value={NewLinked}>
        <RecordForm resource={resource.data} id={id} latest={record.data} />
      </NewLinkedContext>
    </PendingContext>
  )
}

interface FormProps {
  readonly resource: ResourceInfo
  readonly id: string | undefined
  readonly latest: Answer<RecordData> | undefined
}

function RecordForm({ resource, id, latest }: FormProps): ReactElement {
  const { boot } = useDesk()
  const search = useSearch()
  const named = useMemo(
    () => (id === undefined ? namedValues(resource, search) : {}),
    [id, resource, search],
  )
  const changed = useChanges(named)
  const [isSaving, setSaving] = useState(false)
  const held = useHeld(latest, changed.changes, isSaving)
  const { answer } = held
  const base = useMemo(() => answer?.body ?? firstValues(resource), [answer, resource])
  const draft = useDraft(base, resource.fields, changed)
  const files = useFilesOf(resource.slug)
  const writes = useWrites({
    ...{ resource, id, etag: answer?.etag, draft },
    onBusy: setSaving,
    onMade: files.bring,
  })
  const mode = modeOf(answer?.body)
  const offered = useKeptDraft(resource, id, draft, mode === 'read')
  const kind = sentenceCase(resource.label)
  const title = answer ? titleOf(resource, answer.body) : WORDS.newOne(inSentence(resource.label))
  const paper = usePaper()
  const isPaper = paper.isOn && answer !== undefined && !draft.isDirty
  useLeaveGuard((draft.isDirty || files.areUnsent) && !writes.isBusy)
  useRecordKeys(draft, () => {
    if (draft.isDirty || id === undefined) void writes.save()
  })
  useEffect(() => {
    document.title = `${title} · ${boot.workspace.label}`
    if (id !== undefined) noteRecent({ slug: resource.slug, id, title, kind })
  }, [title, kind, id, boot, resource])
  const shown = useMemo(
    () => (answer && !draft.isDirty ? { resource, record: answer.body } : undefined),
    [answer, draft.isDirty, resource],
  )
  return (
    <RecordContext value={shown}>
      <div className="record-page" data-form={resource.slug}>
        <RecordHead
          resource={resource}
          record={answer?.body}
          title={title}
          mode={mode}
          draft={draft}
          writes={writes}
          isPaper={isPaper}
          onPaper={paper.toggle}
        />
        <div className="record-body">
          {isPaper ? (
            <Suspense fallback={<PageSkeleton />}>
              <Paper
                resource={resource}
                record={answer.body}
                writes={mode === 'edit' ? writes : undefined}
              >
                <SendPaper resource={resource} record={answer.body} />
              </Paper>
            </Suspense>
          ) : (
            <FormBody
              resource={resource}
              answer={answer}
              mode={mode}
              draft={draft}
              writes={writes}
              held={held}
              offered={offered}
            />
          )}
          {answer ? <SideRail resource={resource} record={answer.body} /> : null}
        </div>
      </div>
    </RecordContext>
  )
}

interface BodyProps {
  readonly resource: ResourceInfo
  readonly answer: Answer<RecordData> | undefined
  readonly mode: Mode
  readonly draft: Draft
  readonly writes: Writes
  readonly held: Held
  readonly offered: OfferedDraft | undefined
}

/** The sections of a record, with all that is to be said of it above them. */
function FormBody(props: BodyProps): ReactElement {
  const { resource, answer, mode, draft, writes, held, offered } = props
  const next = usePreview({ resource, id: answer?.body.id, draft, isBusy: writes.isBusy })
  const company = useOwnCompany()
  const layout = layoutOf(resource, next.row, mode, {
    typed: new Set([...draft.changed, ...Object.keys(writes.problems.fields)]),
    company,
  })
  const open = layout.sections.filter(
    ({ fields, tables }) =>
      fields.length > 0 ||
      tables.some((table) => isTableOpen(table, next.row, mode, draft.changed)),
  )
  const folded = layout.sections.filter((one) => !open.includes(one))
  const theirs = held.theirs ?? writes.theirs
  const first = open.find((one) => one.tables.length > 0)
  useFirstField(mode === 'new' && !next.isUnknown)
  const shared = { resource, mode, draft, next, problems: writes.problems }
  return (
    <div className="record-main" data-old={next.isOld}>
      {answer ? <FlowLine resource={resource} record={answer.body} /> : null}
      <Notice resource={resource} record={answer?.body} isDirty={draft.isDirty} />
      {offered ? <KeptOffer offered={offered} /> : null}
      {theirs ? (
        <Conflict
          resource={resource}
          draft={draft}
          theirs={theirs}
          settle={() => {
            writes.settle()
            held.take(theirs)
          }}
        />
      ) : null}
      <InTheWay linked={writes.linked} />
      <ProblemSummary problems={writes.problems} resource={resource} />
      {next.isUnknown ? <PageSkeleton /> : null}
      {(next.isUnknown ? [] : open).map((section) => (
        <SectionCard
          key={section.key}
          {...shared}
          section={section}
          totals={section === first ? layout.totals : []}
        />
      ))}
      {folded.length > 0 && !next.isUnknown ? (
        <FoldedSections {...shared} sections={folded} />
      ) : null}
    </div>
  )
}

/** Keeps files beside the form of this record alone. */
function useFilesBeside(slug: string, id: string | undefined): void {
  const store = useBesideStore()
  useEffect(() => {
    store.arrive(slug, id)
    return () => store.leave(slug, id)
  }, [store, slug, id])
}

/** The files beside a form, which are brought to its record once that is made. */
function useFilesOf(slug: string) {
  const store = useBesideStore()
  const send = useSending()
  const bring = (id: string): void => {
    store.made(id)
    void send(slug, id)
  }
  return { areUnsent: useUnsent(), bring }
}

/** Begins a new record in its first field, once it is there, unless somebody is in another one already. */
function useFirstField(isReady: boolean): void {
  useEffect(() => {
    if (!isReady || document.activeElement?.matches('input, textarea, select')) return
    document.querySelector<HTMLElement>(FIRST_FIELD)?.focus({ preventScroll: true })
  }, [isReady])
}

/** Whether the record is shown on its paper, as its address says. */
function usePaper() {
  const search = useSearch()
  const [path, navigate] = useLocation()
  const isOn = new URLSearchParams(search).get('mode') === 'paper'
  const toggle = (): void => navigate(isOn ? path : `${path}?mode=paper`, { replace: true })
  return { isOn, toggle }
}

/** Ctrl-S saves, Ctrl-Z takes back what a field has no way back of its own for, and single keys lead about. */
function useRecordKeys(draft: Draft, save: () => void): void {
  useShortcuts({
    'ctrl+s': save,
    'ctrl+z': (event) => {
      if (isText(event.target)) return false
      if (event.shiftKey) draft.redo()
      else draft.undo()
      return true
    },
    'ctrl+y': (event) => {
      if (isText(event.target)) return false
      draft.redo()
      return true
    },
    e: () => document.querySelector<HTMLElement>(FIRST_FIELD)?.focus(),
    p: () => document.querySelector<HTMLElement>('[data-paper]')?.click(),
    '.': () => document.querySelector<HTMLElement>('[data-more] button')?.click(),
  })
}

function isText(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input:not([type=checkbox]), textarea')
}

/** Values that the address of a new record names: `?customer=CUST-00001`. */
function namedValues({ fields }: ResourceInfo, search: string): Row {
  return Object.fromEntries(
    [...new URLSearchParams(search)].filter(([name]) =>
      fields.some((one) => one.name === name && !one.readOnly && one.type !== 'table'),
    ),
  )
}

/** Values a new record begins with: those of the definition. */
function firstValues({ fields }: ResourceInfo): Row {
  const own = fields.flatMap(({ name, default: value }) =>
    value === undefined ? [] : [[name, value] as const],
  )
  return Object.fromEntries(own)
}

function modeOf(record: RecordData | undefined): Mode {
  if (!record) return 'new'
  return record._can?.update === true ? 'edit' : 'read'
}

/** Why a record cannot be changed. */
function Notice({
  resource,
  record,
  isDirty,
}: {
  resource: ResourceInfo
  record: RecordData | undefined
  isDirty: boolean
}): ReactElement | null {
  const locked = isDirty ? WORDS.lockedMeanwhile : WORDS.locked
  const states = [undefined, locked, WORDS.lockedCancelled]
  const why = resource.read_only
    ? WORDS.keptByEngine
    : resource.submittable
      ? states[record?.docstatus ?? 0]
      : undefined
  return why === undefined ? null : (
    <p className="locked">
      <Icon name="lock" size={14} />
      {why}
    </p>
  )
}
