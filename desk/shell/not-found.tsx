import type { ReactElement } from 'react'
import { Link } from 'wouter'
import { WORDS } from '../words/en.ts'

/** What is shown where an address leads nowhere. */
export function NotFound({
  title = WORDS.notFound,
  message = WORDS.notFoundHint,
}: {
  title?: string
  message?: string
}): ReactElement {
  return (
    <div className="empty">
      <h1>{title}</h1>
      <p>{message}</p>
      <Link href="/">{WORDS.goHome}</Link>
    </div>
  )
}
