import { useQueries } from '@tanstack/react-query'
import { lazy, type ReactElement, Suspense, useState } from 'react'
import { Link } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import { formatMoment } from '../data/format.ts'
import { useFilterable } from '../data/queries.ts'
import type { ListAnswer, RecordData, ResourceInfo } from '../data/types.ts'
import { Icon } from '../ui/icon.tsx'
import { WORDS } from '../words/en.ts'
import { stepsOf } from './steps.ts'
import { useTitles } from './use-titles.ts'

const Consequences = lazy(() =>
  import('./consequences.tsx').then((file) => ({ default: file.Consequences })),
)
const Talk = lazy(() => import('../together/talk.tsx').then((file) => ({ default: file.Talk })))

/** Beside a record: what links to it, and who made and changed it. */
export function SideRail({
  resource,
  record,
}: {
  resource: ResourceInfo
  record: RecordData
}): ReactElement {
  const { formats } = useDesk()
  const [created, modified] = [record.created, record.modified]
  const nameOf = usePeople([record.owner, record.modified_by])
  return (
    <aside className="rail" aria-label={WORDS.about}>
      <WouldDo resource={resource} record={record} />
      <Connections resource={resource} id={record.id} />
      <Suspense>
        <Talk resource={resource} record={record} />
      </Suspense>
      <h2>{WORDS.about}</h2>
      <dl className="about">
        {typeof created === 'string' ? (
          <div>
            <dt>{WORDS.created}</dt>
            <dd>
              {formatMoment(created, formats)}
              <span>{nameOf(record.owner)}</span>
            </dd>
          </div>
        ) : null}
        {typeof modified === 'string' ? (
          <div>
            <dt>{WORDS.changed}</dt>
            <dd>
              {formatMoment(modified, formats)}
              <span>{nameOf(record.modified_by)}</span>
            </dd>
          </div>
        ) : null}
      </dl>
    </aside>
  )
}

/** What people are called, by their logins; a login itself where nothing more is known. */
function usePeople(logins: readonly unknown[]): (login: unknown) => string {
  const { boot } = useDesk()
  const slug = boot.resources.find(({ serves }) => serves === 'users')?.slug
  const known = logins.filter((login) => typeof login === 'string' && login !== '')
  const people = slug === undefined ? [] : known.map((id) => ({ slug, id: String(id) }))
  const titles = useTitles(people)
  return (login) => titles.get(`${slug}/${login}`) ?? String(login ?? '')
}

/** What the next thing to do with a record would do, once somebody asks. */
function WouldDo({
  resource,
  record,
}: {
  resource: ResourceInfo
  record: RecordData
}): ReactElement | null {
  const [isOpen, setOpen] = useState(false)
  const { next } = stepsOf(resource, record)
  if (!next) return null
  return (
    <details className="would-do" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Icon name="chevron-right" size={12} />
        {WORDS.wouldDo(next.label)}
      </summary>
      {isOpen ? (
        <Suspense>
          <Consequences resource={resource} record={record} step={next} />
        </Suspense>
      ) : null}
    </details>
  )
}

/** Resources that are counted for one record, at most. */
const MOST = 10

function Connections({
  resource,
  id,
}: {
  resource: ResourceInfo
  id: string
}): ReactElement | null {
  const { client, entryOf } = useDesk()
  const filterable = useFilterable()
  // Only a field of the record itself can be a filter of its list; the first link of a resource is the one meant.
  const own = resource.connections.filter(({ table, field, resource: slug }) => {
    const entry = entryOf(slug)
    // Ledgers are written by the documents beside them and told elsewhere.
    if (table !== undefined || !entry || entry.locked || !entry.can.includes('create')) return false
    return filterable?.get(slug)?.has(field) === true
  })
  const first = [...new Map([...own].reverse().map((one) => [one.resource, one])).values()]
  // Documents say more about a record than what merely names it.
  const rank = (slug: string): number => (entryOf(slug)?.submittable ? 0 : 1)
  const linked = first.sort((a, b) => rank(a.resource) - rank(b.resource)).slice(0, MOST)
  const counts = useQueries({
    queries: linked.map(({ resource: slug, field }) => ({
      queryKey: ['list', slug, 'count', field, id],
      queryFn: async () => {
        const query = new URLSearchParams({ [field]: id, fields: 'id', limit: '1' })
        return (await client.ask<ListAnswer>(`/v1/${slug}?${query}`)).body.meta.total
      },
    })),
  })
  const shown = linked
    .map((one, at) => ({ ...one, count: counts[at]?.data }))
    .filter(({ count }) => count !== undefined && count > 0)
  if (shown.length === 0) return null
  return (
    <>
      <h2>{WORDS.connections}</h2>
      <ul className="connections">
        {shown.map(({ resource: slug, field, count }) => (
          <li key={slug}>
            <Link href={`/${slug}?${new URLSearchParams({ [field]: id })}`}>
              <Icon name={entryOf(slug)?.icon ?? 'link'} />
              <span>{entryOf(slug)?.label_plural}</span>
              <span className="count-pill">{count}</span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}
