import { type ReactElement, useState } from 'react'
import { Link } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import { formatAge, formatMoment } from '../data/format.ts'
import { NotFound } from '../shell/not-found.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { PageSkeleton } from '../ui/skeleton.tsx'
import { PAGES } from '../words/pages/en.ts'
import type { LoggedEvent, SystemPage } from './developer-types.ts'
import { Text } from './text.tsx'
import { useSystem } from './use-system.ts'

const AT_ONCE = 50

/** The log of all that happened, the newest first. */
export function EventsPage(): ReactElement {
  const { formats, entryOf } = useDesk()
  const [event, setEvent] = useState('')
  const [limit, setLimit] = useState(AT_ONCE)
  const [open, setOpen] = useState<string>()
  const [asked, setAsked] = useState('')
  const query = new URLSearchParams({ limit: String(Math.min(limit, 100)), ...parametersOf(asked) })
  const { data, error, refetch } = useSystem<SystemPage<LoggedEvent>>(`/v1/events?${query}`)
  return (
    <>
      <header className="part-head">
        <div>
          <h1>{PAGES.developerParts.events}</h1>
          <p className="quiet">{PAGES.eventsAbout}</p>
        </div>
        <form
          className="event-find"
          onSubmit={(submitted) => {
            submitted.preventDefault()
            setAsked(event)
          }}
        >
          <span className="search-box">
            <Icon name="search" size={14} />
            <input
              type="search"
              data-search
              aria-label={PAGES.eventOrResource}
              placeholder={PAGES.eventOrResource}
              value={event}
              onChange={(changed) => setEvent(changed.currentTarget.value)}
            />
          </span>
          <IconButton icon="refresh-cw" label={PAGES.readAnew} onClick={() => void refetch()} />
        </form>
      </header>
      {error && asked === '' ? <NotFound message={error.message} /> : null}
      {error && asked !== '' ? <p className="part-empty quiet">{error.message}</p> : null}
      {!data && !error ? <PageSkeleton /> : null}
      {data ? (
        <ul className="event-log">
          {data.data.map((one) => (
            <li key={one.id}>
              <div className="event-line">
                <button
                  type="button"
                  className="fold-button"
                  aria-expanded={open === one.id}
                  aria-label={PAGES.showEvent(one.event)}
                  onClick={() => setOpen(open === one.id ? undefined : one.id)}
                >
                  <Icon name="chevron-right" size={14} />
                </button>
                <code>{one.event}</code>
                {entryOf(one.resource) ? (
                  <Link href={`/${one.resource}/${encodeURIComponent(one.record_id)}`}>
                    {one.record_id}
                  </Link>
                ) : (
                  <span className="quiet">{one.record_id}</span>
                )}
                <span className="quiet">{one.actor}</span>
                <time dateTime={one.timestamp} title={formatMoment(one.timestamp, formats)}>
                  {formatAge(one.timestamp, formats)}
                </time>
              </div>
              {open === one.id ? <Text>{JSON.stringify(one.data, null, 2)}</Text> : null}
            </li>
          ))}
        </ul>
      ) : null}
      {data && data.meta.total > limit && limit < 100 ? (
        <p className="more-rows">
          <Button onClick={() => setLimit(100)}>{PAGES.showMore}</Button>
        </p>
      ) : null}
    </>
  )
}

/** `sales-orders.submitted` names an event, `sales-orders` all of a resource. */
function parametersOf(text: string): Readonly<Record<string, string>> {
  const sought = text.trim()
  if (sought === '') return {}
  return sought.includes('.') ? { event: sought } : { resource: sought }
}
