import type { ReactElement } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import type { ListAnswer } from '../data/types.ts'
import { IconButton } from '../ui/button.tsx'
import { WORDS } from '../words/en.ts'
import type { ListState } from './list-state.ts'

interface FootProps {
  readonly state: ListState
  readonly meta: ListAnswer['meta']
}

/** Which part of the list is shown, and the ways to the others. */
export function ListFoot({ state, meta }: FootProps): ReactElement {
  const { formats } = useDesk()
  const { total, limit, offset } = meta
  const shown = (count: number): string => count.toLocaleString(formats.locale)
  const last = Math.min(total, offset + limit)
  return (
    <div className="list-foot">
      <span>{WORDS.page(shown(offset + 1), shown(last), shown(total))}</span>
      <span className="pager">
        <IconButton
          icon="chevron-left"
          label={WORDS.previous}
          disabled={offset === 0}
          onClick={() =>
            state.change({ offset: offset > limit ? String(offset - limit) : undefined })
          }
        />
        <IconButton
          icon="chevron-right"
          label={WORDS.next}
          disabled={last >= total}
          onClick={() => state.change({ offset: String(offset + limit) })}
        />
      </span>
    </div>
  )
}
