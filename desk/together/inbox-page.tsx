import { type ReactElement, useEffect, useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { Button } from '../ui/button.tsx'
import { WORDS } from '../words/en.ts'
import { NotificationList } from './notifications.tsx'
import { useMarkRead, useUnread } from './use-notifications.ts'

/** `/inbox`: what a person was told. */
export function InboxPage(): ReactElement {
  const { boot } = useDesk()
  const [isUnread, setUnread] = useState(true)
  const unread = useUnread()
  const mark = useMarkRead()
  useEffect(() => {
    document.title = `${WORDS.inbox} · ${boot.workspace.label}`
  }, [boot])
  return (
    <div className="home inbox">
      <header>
        <h1>{WORDS.inbox}</h1>
        <div className="page-actions">
          <button
            type="button"
            className="chip"
            aria-pressed={isUnread}
            onClick={() => setUnread(true)}
          >
            {WORDS.unread}
          </button>
          <button
            type="button"
            className="chip"
            aria-pressed={!isUnread}
            onClick={() => setUnread(false)}
          >
            {WORDS.all}
          </button>
          <Button disabled={unread === 0} onClick={() => mark('all')}>
            {WORDS.markAllRead}
          </Button>
        </div>
      </header>
      <NotificationList isUnread={isUnread} />
    </div>
  )
}
