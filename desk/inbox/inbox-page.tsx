import '../style/record.css'
import '../style/peek.css'
import '../style/workings.css'
import '../style/home.css'
import '../style/inbox.css'
import { type ReactElement, useEffect, useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { keyOf, NumberCards } from '../home/number-cards.tsx'
import { useOpenParts } from '../home/open-parts.ts'
import { NotificationList } from '../together/notifications.tsx'
import { useMarkRead, useUnread } from '../together/use-notifications.ts'
import { Button } from '../ui/button.tsx'
import { WORDS } from '../words/en.ts'
import { PAGES } from '../words/pages/en.ts'
import { Drafts } from './drafts.tsx'

/** `/inbox`: what needs a person: drafts to decide, records that wait for them, and what they were told. */
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
      <Drafts />
      <Waiting />
      <section aria-labelledby="told">
        <h2 id="told">{PAGES.toldYou}</h2>
        <NotificationList isUnread={isUnread} />
      </section>
    </div>
  )
}

/** Numbers of the person's workspaces whose records wait for somebody: approvals, what is overdue. */
function Waiting(): ReactElement | null {
  const { boot } = useDesk()
  const open = useOpenParts()
  const all = open((boot.workspaces ?? []).flatMap(({ cards }) => cards)).filter(
    ({ waits }) => waits === true,
  )
  const cards = [...new Map(all.map((card) => [keyOf(card), card])).values()]
  if (cards.length === 0) return null
  return (
    <section className="waiting" aria-label={PAGES.waits}>
      <NumberCards cards={cards} withoutEmpty />
    </section>
  )
}
