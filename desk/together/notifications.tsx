import type { ReactElement } from 'react'
import { Link } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import { formatAge, formatMoment } from '../data/format.ts'
import { Icon } from '../ui/icon.tsx'
import { WORDS } from '../words/en.ts'
import { type Notification, useMarkRead, useNotifications } from './use-notifications.ts'

const ICONS: Readonly<Record<string, string>> = {
  mention: 'message-square',
  assignment: 'user-plus',
}

interface ListProps {
  readonly isUnread: boolean
  /** Told that somebody goes to what one of them is about. */
  readonly onGo?: () => void
}

/** What a person was told; each leads to what it is about, and is read then. */
export function NotificationList({ isUnread, onGo }: ListProps): ReactElement {
  const { data, error, hasNextPage, fetchNextPage } = useNotifications(isUnread)
  const mark = useMarkRead()
  const all = data?.pages.flatMap((page) => page.data) ?? []
  if (error) return <p role="alert">{error.message}</p>
  if (data && all.length === 0)
    return (
      <div className="nothing-new">
        <Icon name="inbox" size={22} />
        <p>{isUnread ? WORDS.allRead : WORDS.neverTold}</p>
      </div>
    )
  return (
    <>
      <ul className="notifications">
        {all.map((one) => (
          <li key={one.id} data-read={one.read}>
            <Entry
              one={one}
              onGo={() => {
                if (!one.read) mark([one.id])
                onGo?.()
              }}
            />
          </li>
        ))}
      </ul>
      {hasNextPage ? (
        <button type="button" className="link-button" onClick={() => void fetchNextPage()}>
          {WORDS.earlier}
        </button>
      ) : null}
    </>
  )
}

function Entry({ one, onGo }: { one: Notification; onGo: () => void }): ReactElement {
  const { formats, entryOf } = useDesk()
  const { kind, at, actor, resource, record_id: id, title, text, read } = one
  const entry = resource ? entryOf(resource) : undefined
  const content = (
    <>
      <span className="timeline-mark" aria-hidden="true">
        <Icon name={ICONS[kind] ?? entry?.icon ?? 'bell'} size={13} />
      </span>
      <span className="notification-text">
        <span>
          {actor ? <strong>{actor} </strong> : null}
          {WORDS.told[kind] ?? kind.replaceAll('_', ' ')}
          {title ? <strong> {title}</strong> : null}
        </span>
        {text ? <span className="quiet">{text}</span> : null}
      </span>
      <time className="quiet" dateTime={at} title={formatMoment(at, formats)}>
        {formatAge(at, formats)}
      </time>
      {read ? null : (
        <span className="unread-dot">
          <span className="visually-hidden">{WORDS.unread}</span>
        </span>
      )}
    </>
  )
  return entry && id ? (
    <Link href={`/${entry.slug}/${encodeURIComponent(id)}`} onClick={onGo}>
      {content}
    </Link>
  ) : (
    <button type="button" onClick={onGo}>
      {content}
    </button>
  )
}
