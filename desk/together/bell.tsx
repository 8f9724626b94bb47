import { lazy, type ReactElement, Suspense } from 'react'
import { Link } from 'wouter'
import { Icon } from '../ui/icon.tsx'
import { Popover } from '../ui/popover.tsx'
import { WORDS } from '../words/en.ts'
import { useMarkRead, useUnread } from './use-notifications.ts'

const NotificationList = lazy(() =>
  import('./notifications.tsx').then((file) => ({ default: file.NotificationList })),
)

/** The bell: how much is new, and what it is. */
export function Bell(): ReactElement {
  const unread = useUnread()
  const mark = useMarkRead()
  return (
    <Popover
      label={WORDS.notifications}
      className="icon-button bell"
      trigger={
        <>
          <Icon name="bell" />
          <span className="visually-hidden">{WORDS.unreadCount(unread)}</span>
          {unread > 0 ? (
            <span className="bell-count" aria-hidden="true">
              {unread > 99 ? '99+' : unread}
            </span>
          ) : null}
        </>
      }
    >
      {(close) => (
        <div className="bell-sheet">
          <header>
            <h2>{WORDS.notifications}</h2>
            {unread > 0 ? (
              <button type="button" className="link-button" onClick={() => mark('all')}>
                {WORDS.markAllRead}
              </button>
            ) : null}
          </header>
          <Suspense>
            <NotificationList isUnread={false} onGo={close} />
          </Suspense>
          <Link href="/inbox" className="link-button" onClick={close}>
            {WORDS.openInbox}
          </Link>
        </div>
      )}
    </Popover>
  )
}
