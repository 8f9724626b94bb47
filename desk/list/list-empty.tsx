import type { ReactElement } from 'react'
import { Link } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import type { ResourceInfo } from '../data/types.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { WORDS } from '../words/en.ts'
import { inSentence } from '../words/sentence-case.ts'
import type { ListState } from './list-state.ts'

/** A list without records: what they would be, or that no record passes the filters. */
export function ListEmpty({
  resource,
  state,
}: {
  resource: ResourceInfo
  state: ListState
}): ReactElement {
  const { entryOf } = useDesk()
  const isNarrowed = state.filters.length > 0 || state.q !== ''
  if (isNarrowed) {
    const none = Object.fromEntries(state.filters.map(({ key }) => [key, undefined]))
    return (
      <div className="empty">
        <h2>{WORDS.noMatch}</h2>
        <p>{WORDS.noMatchHint}</p>
        <Button onClick={() => state.change({ ...none, q: undefined })}>
          {WORDS.clearFilters}
        </Button>
      </div>
    )
  }
  return (
    <div className="empty">
      <span className="empty-icon">
        <Icon name={resource.icon ?? 'file'} size={28} />
      </span>
      <h2>{WORDS.empty(inSentence(resource.label_plural))}</h2>
      <p>{resource.description}</p>
      {entryOf(resource.slug)?.can.includes('create') ? (
        <Link href={`/${resource.slug}/new`} className="button-primary">
          <Icon name="plus" />
          {WORDS.newOne(inSentence(resource.label))}
        </Link>
      ) : null}
    </div>
  )
}
