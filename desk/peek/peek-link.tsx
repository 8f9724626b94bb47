import type { ReactElement, ReactNode } from 'react'
import { Link } from 'wouter'
import { useNarrow } from '../ui/use-narrow.ts'
import { usePeek } from './peek-context.ts'

interface PeekLinkProps {
  readonly slug: string
  readonly id: string
  readonly className?: string
  /** What it says to who cannot see it, where its content does not. */
  readonly label?: string
  readonly children: ReactNode
}

/** A link to a record: a press shows it beside the page, one with Ctrl opens it, and on a phone it leads there. */
export function PeekLink({ slug, id, className, label, children }: PeekLinkProps): ReactElement {
  const { peek } = usePeek()
  const isNarrow = useNarrow()
  return (
    <Link
      href={`/${slug}/${encodeURIComponent(id)}`}
      className={className}
      aria-label={label}
      data-beside
      onClick={(event) => {
        if (isNarrow || event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        peek({ slug, id })
      }}
    >
      {children}
    </Link>
  )
}
