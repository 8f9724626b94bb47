import { type ReactElement, useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { formatAge, formatMoment, formatValue } from '../data/format.ts'
import type { FieldInfo, RecordData, ResourceInfo } from '../data/types.ts'
import { type RecordName, useTitles } from '../record/use-titles.ts'
import { Icon } from '../ui/icon.tsx'
import { WORDS } from '../words/en.ts'
import { sentenceCase } from '../words/sentence-case.ts'
import { AssignButton } from './assign.tsx'
import { CommentBox } from './comment-box.tsx'
import { Files } from './files.tsx'
import { type TimelineEntry, type ToldChange, useTimeline } from './use-timeline.ts'

interface TalkProps {
  readonly resource: ResourceInfo
  readonly record: RecordData
}

/** What people say about a record and what happened to it: its files, comments, assignments, changes. */
export function Talk({ resource, record }: TalkProps): ReactElement {
  const { data, error, hasNextPage, fetchNextPage } = useTimeline(resource.slug, record.id)
  const entries = data?.pages.flatMap((page) => page.data) ?? []
  return (
    <>
      <Files resource={resource} record={record} />
      <section aria-label={WORDS.timeline} className="talk">
        <header>
          <h2>{WORDS.timeline}</h2>
          <AssignButton resource={resource} record={record} />
        </header>
        <CommentBox slug={resource.slug} id={record.id} />
        {error ? <p role="alert">{error.message}</p> : null}
        <ol className="timeline" data-asked={data !== undefined}>
          {entries.map((entry) => (
            <Line key={`${entry.kind} ${entry.id}`} entry={entry} resource={resource} />
          ))}
        </ol>
        {hasNextPage ? (
          <button type="button" className="link-button" onClick={() => void fetchNextPage()}>
            {WORDS.earlier}
          </button>
        ) : null}
      </section>
    </>
  )
}

const ICONS: Readonly<Record<string, string>> = {
  created: 'plus',
  changed: 'pencil',
  submitted: 'check',
  cancelled: 'x',
  amended: 'copy',
  action: 'arrow-right',
  comment: 'message-square',
  mail: 'mail',
  file: 'paperclip',
  assigned: 'user-plus',
}

function Line({ entry, resource }: { entry: TimelineEntry; resource: ResourceInfo }): ReactElement {
  const { formats } = useDesk()
  const { kind, at, actor, text, changes } = entry
  const isSaid = kind === 'comment'
  return (
    <li data-kind={kind}>
      <span className="timeline-mark" aria-hidden="true">
        <Icon name={ICONS[kind] ?? 'circle'} size={13} />
      </span>
      <div>
        <p className="timeline-head">
          <strong>{actor.title}</strong> {WORDS.happened[kind] ?? kind}{' '}
          <time dateTime={at} title={formatMoment(at, formats)}>
            {formatAge(at, formats)}
          </time>
        </p>
        {text ? (
          <p className={isSaid ? 'said' : 'quiet'}>{isSaid ? mentioned(text) : text}</p>
        ) : null}
        {changes.length > 0 ? <Changes changes={changes} resource={resource} /> : null}
      </div>
    </li>
  )
}

/** A comment with the people it mentions standing out. */
function mentioned(text: string): readonly (string | ReactElement)[] {
  return text
    .split(/((?<![\w.@])@[\w.+-]+(?:@[\w-]+(?:\.[\w-]+)+)?)/)
    .map((part, at) => (at % 2 === 1 ? <b key={at}>{part}</b> : part))
}

/** Changes that are told at once; the others, and those that were computed, when somebody asks. */
const FEW = 4

function Changes({
  changes,
  resource,
}: {
  changes: readonly ToldChange[]
  resource: ResourceInfo
}): ReactElement | null {
  const [isWhole, setWhole] = useState(false)
  const own = changes.filter(({ computed }) => !computed)
  const first = (own.length > 0 ? own : changes).slice(0, FEW)
  const shown = isWhole ? changes : first
  const titles = useTitles(linksIn(shown, resource))
  return (
    <>
      <dl className="told">
        {shown.map((change, at) => (
          <div key={`${change.field} ${change.row ?? at}`}>
            <dt>{sentenceCase(change.label)}</dt>
            <dd>
              {isNothing(change.before) ? null : (
                <>
                  <del>
                    <Side change={change} side="before" resource={resource} titles={titles} />
                  </del>{' '}
                </>
              )}
              <ins>
                <Side change={change} side="after" resource={resource} titles={titles} />
              </ins>
            </dd>
          </div>
        ))}
      </dl>
      {changes.length > first.length ? (
        <button
          type="button"
          className="link-button"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? WORDS.fewerChanges : WORDS.moreChanges(changes.length - first.length)}
        </button>
      ) : null}
    </>
  )
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined || value === ''
}

interface SideProps {
  readonly change: ToldChange
  readonly side: 'before' | 'after'
  readonly resource: ResourceInfo
  readonly titles: ReadonlyMap<string, string>
}

/** A value before or after a change, as people read it. */
function Side({ change, side, resource, titles }: SideProps): ReactElement {
  const { formats } = useDesk()
  const value = change[side]
  const field = fieldAt(resource, change.field)
  if (isNothing(value)) return <>–</>
  if (!field || field.type === 'table') return <>{rowText(field, value)}</>
  const title = titles.get(`${field.resource}/${value}`)
  const row = { [field.name]: value, _titles: title ? { [field.name]: title } : {} }
  return <>{formatValue(field, row, formats) || '–'}</>
}

/** A row that came or went, by what it is called. */
function rowText(field: FieldInfo | undefined, value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  const row = value as Readonly<Record<string, unknown>>
  const first = field?.fields?.find(({ name }) => !isNothing(row[name]))
  return first ? String(row[first.name]) : WORDS.rows(1)
}

function fieldAt({ fields }: ResourceInfo, place: string): FieldInfo | undefined {
  const [name, column] = place.split('.')
  const field = fields.find((one) => one.name === name)
  return column === undefined ? field : field?.fields?.find((one) => one.name === column)
}

function linksIn(changes: readonly ToldChange[], resource: ResourceInfo): readonly RecordName[] {
  return changes.flatMap(({ field, before, after }) => {
    const slug = fieldAt(resource, field)?.resource
    if (slug === undefined) return []
    return [before, after].flatMap((id) => (typeof id === 'string' && id ? [{ slug, id }] : []))
  })
}
