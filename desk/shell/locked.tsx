import type { ReactElement } from 'react'
import type { ResourceEntry } from '../data/types.ts'
import { Icon } from '../ui/icon.tsx'
import { WORDS } from '../words/en.ts'

/** What is shown in place of a resource that only a larger plan has. */
export function Locked({ entry }: { entry: ResourceEntry }): ReactElement {
  return (
    <div className="empty">
      <span className="empty-icon">
        <Icon name="lock" size={26} />
      </span>
      <h1>{WORDS.lockedTitle(entry.label_plural)}</h1>
      <p>{WORDS.lockedHint(entry.tier)}</p>
    </div>
  )
}
