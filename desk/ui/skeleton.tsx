import type { ReactElement } from 'react'
import { WORDS } from '../words/en.ts'

/** Grey lines where a page will be; only when nothing of it is there yet. */
export function PageSkeleton(): ReactElement {
  return (
    <div className="skeleton" aria-busy="true" role="status">
      <span className="visually-hidden">{WORDS.loading}</span>
      {['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((line) => (
        <div key={line} className="skeleton-line" />
      ))}
    </div>
  )
}
