import '../style/developer.css'
import type { ReactElement, ReactNode } from 'react'
import { Link } from 'wouter'
import { Icon } from '../ui/icon.tsx'

interface Part {
  readonly href: string
  readonly icon: string
  readonly label: string
  readonly isHere?: boolean
  /** Whether it is a page of the server's own. */
  readonly isOutside?: boolean
}

/** A page of several parts, with the way from one to the other. */
export function PartPage({
  title,
  parts,
  children,
}: {
  readonly title: string
  readonly parts: readonly Part[]
  readonly children: ReactNode
}): ReactElement {
  return (
    <div className="part-page">
      <nav className="parts" aria-label={title}>
        <p>{title}</p>
        {parts.map(({ href, icon, label, isHere, isOutside }) => {
          const content = (
            <>
              <Icon name={icon} />
              {label}
            </>
          )
          if (isOutside)
            return (
              <a key={href} href={href}>
                {content}
              </a>
            )
          return (
            <Link key={href} href={href} aria-current={isHere ? 'page' : undefined}>
              {content}
            </Link>
          )
        })}
      </nav>
      <div className="part">{children}</div>
    </div>
  )
}
