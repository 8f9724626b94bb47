import { type ReactElement, useState } from 'react'
import { PAGES } from '../words/pages/en.ts'
import { DraftCard } from './draft-card.tsx'
import { useWaitingDrafts } from './use-drafts.ts'

/** What agents have drafted and a person decides: one is open with what accepting it does, the others are a line. */
export function Drafts(): ReactElement | null {
  const [decided, setDecided] = useState<ReadonlySet<string>>(new Set())
  const drafts = useWaitingDrafts(decided)
  const [chosen, setChosen] = useState<string>()
  if (drafts.length === 0) return null
  const at = Math.max(
    0,
    drafts.findIndex(({ notice }) => notice.id === chosen),
  )
  const move = (by: number): void =>
    setChosen(drafts[Math.min(Math.max(0, at + by), drafts.length - 1)]?.notice.id)
  return (
    <section className="drafts" aria-labelledby="drafts">
      <h2 id="drafts">
        {PAGES.draftsOfAgents} <span className="quiet">{drafts.length}</span>
      </h2>
      <ul>
        {drafts.map((draft, index) => (
          <li key={draft.notice.id} aria-current={index === at}>
            <DraftCard
              draft={draft}
              isOpen={index === at}
              onOpen={() => setChosen(draft.notice.id)}
              onMove={move}
              onDecided={(isOver) =>
                setDecided((now) => {
                  const next = new Set(now)
                  if (isOver) next.add(draft.notice.id)
                  else next.delete(draft.notice.id)
                  return next
                })
              }
            />
          </li>
        ))}
      </ul>
      <p className="quiet draft-keys">
        <kbd>a</kbd> {PAGES.accept} · <kbd>e</kbd> {PAGES.editDraft} · <kbd>r</kbd> {PAGES.refuse} ·{' '}
        <kbd>j</kbd> <kbd>k</kbd> {PAGES.keyMove}
      </p>
    </section>
  )
}
