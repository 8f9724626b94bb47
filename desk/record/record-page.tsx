import { type ReactElement, useEffect, useMemo } from 'react'
import { useSearch } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import type { Answer } from '../data/client.ts'
import { useRecord, useResource } from '../data/queries.ts'
import type { RecordData, ResourceInfo, Row } from '../data/types.ts'
import { noteRecent } from '../home/recent.ts'
import { titleOf } from '../list/row-parts.tsx'
import { NotFound } from '../shell/not-found.tsx'
import { useShortcuts } from '../shell/shortcuts.ts'
import { Icon } from '../ui/icon.tsx'
import { PageSkeleton } from '../ui/skeleton.tsx'
import { WORDS } from '../words/en.ts'
import { inSentence, sentenceCase } from '../words/sentence-case.ts'
import { Conflict } from './conflict.tsx'
import { useDraft } from './draft.ts'
import { layoutOf, type Mode } from './layout.ts'
import { ProblemSummary } from './problem-summary.tsx'
import { RecordHead } from './record-head.tsx'
import { SectionCard } from './section-card.tsx'
import { SideRail } from './side-rail.tsx'
import { useLeaveGuard } from './use-leave-guard.ts'
import { usePreview } from './use-preview.ts'
import { useWrites } from './use-writes.ts'

/** `/{slug}/{id}`, and without an id `/{slug}/new`. */
export function RecordPage({ slug, id }: { slug: string; id: string | undefined }): ReactElement {
  const { entryOf } = useDesk()
  const resource = useResource(slug)
  const record = useRecord(slug, id)
  const error = resource.error ?? (record.data ? null : record.error)
  if (error) return <NotFound message={error.message} />
  if (!resource.data || (id !== undefined && !record.data)) return <PageSkeleton />
  if (id === undefined && !entryOf(slug)?.can.includes('create'))
    return (
      <NotFound title={WORDS.notMade(resource.data.label_plural)} message={WORDS.keptByEngine} />
    )
  return <RecordForm resource={resource.data} id={id} answer={record.data} />
}

interface FormProps {
  readonly resource: ResourceInfo
  readonly id: string | undefined
  readonly answer: Answer<RecordData> | undefined
}

function RecordForm({ resource, id, answer }: FormProps): ReactElement {
  const { boot } = useDesk()
  const search = useSearch()
  const base = useMemo(() => answer?.body ?? firstValues(resource), [answer, resource])
  const named = useMemo(
    () => (id === undefined ? namedValues(resource, search) : {}),
    [id, resource, search],
  )
  const draft = useDraft(base, resource.fields, named)
  const writes = useWrites({ resource, id, etag: answer?.etag, draft })
  const mode = modeOf(answer?.body)
  const next = usePreview(resource, id, draft)
  const layout = layoutOf(resource, next.row, mode)
  const kind = sentenceCase(resource.label)
  const title = answer ? titleOf(resource, answer.body) : WORDS.newOne(inSentence(resource.label))
  useLeaveGuard(draft.isDirty && !writes.isBusy)
  useShortcuts({
    'ctrl+s': () => {
      if (draft.isDirty || id === undefined) void writes.save()
    },
  })
  useEffect(() => {
    document.title = `${title} · ${boot.workspace.label}`
    if (id !== undefined) noteRecent({ slug: resource.slug, id, title, kind })
  }, [title, kind, id, boot, resource])
  return (
    <div className="record-page" data-form={resource.slug}>
      <RecordHead
        resource={resource}
        record={answer?.body}
        title={title}
        mode={mode}
        draft={draft}
        writes={writes}
      />
      <div className="record-body">
        <div className="record-main">
          <Notice resource={resource} record={answer?.body} />
          {writes.theirs ? (
            <Conflict
              resource={resource}
              draft={draft}
              theirs={writes.theirs}
              settle={writes.settle}
            />
          ) : null}
          <ProblemSummary problems={writes.problems} resource={resource} />
          {layout.sections.map((section) => (
            <SectionCard
              key={section.key}
              section={section}
              totals={
                section.tables[0] &&
                section === layout.sections.find((one) => one.tables.length > 0)
                  ? layout.totals
                  : []
              }
              resource={resource}
              mode={mode}
              draft={draft}
              next={next}
              problems={writes.problems}
            />
          ))}
        </div>
        {answer ? <SideRail resource={resource} record={answer.body} /> : null}
      </div>
    </div>
  )
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
}: {
  resource: ResourceInfo
  record: RecordData | undefined
}): ReactElement | null {
  const states = [undefined, WORDS.locked, WORDS.lockedCancelled]
  const why = resource.read_only
    ? WORDS.keptByEngine
    : resource.submittable
      ? states[record?.docstatus ?? 0]
      : undefined
  return why === undefined ? null : (
    <p className="notice">
      <Icon name="lock" />
      {why}
    </p>
  )
}
