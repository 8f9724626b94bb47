import type { ReactElement } from 'react'
import { Link } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import type { ResourceEntry } from '../data/types.ts'
import { Icon } from '../ui/icon.tsx'
import { WORDS } from '../words/en.ts'

/** What is shown in place of a resource that only a larger plan has. */
export function Locked({ entry }: { entry: ResourceEntry }): ReactElement {
  const { boot } = useDesk()
  // Who may invite people may choose the plan too.
  const maySetUp = boot.resources.some(
    ({ serves, can }) => serves === 'users' && can.includes('create'),
  )
  return (
    <div className="empty">
      <span className="empty-icon">
        <Icon name="lock" size={26} />
      </span>
      <h1>{WORDS.lockedTitle(entry.label_plural)}</h1>
      <p>{WORDS.lockedHint(entry.tier)}</p>
      {maySetUp ? <Link href="/settings/plan">{WORDS.seePlans}</Link> : null}
    </div>
  )
}
