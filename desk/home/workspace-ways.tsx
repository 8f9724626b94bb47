import type { ReactElement } from 'react'
import { Link } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import { Icon } from '../ui/icon.tsx'
import { PAGES } from '../words/pages/en.ts'

/** The workspaces of a person, one beside the other. */
export function WorkspaceWays({ here }: { here: string }): ReactElement | null {
  const { boot } = useDesk()
  const others = (boot.workspaces ?? []).filter(({ name }) => name !== HOME)
  if (others.length < 2) return null
  return (
    <nav className="workspace-ways" aria-label={PAGES.workspaces}>
      <Link href="/" aria-current={here === HOME ? 'page' : undefined}>
        <Icon name="house" size={14} />
        {PAGES.home}
      </Link>
      {others.map(({ name, label, icon }) => (
        <Link key={name} href={`/w/${name}`} aria-current={here === name ? 'page' : undefined}>
          <Icon name={icon ?? 'layout-grid'} size={14} />
          {label}
        </Link>
      ))}
    </nav>
  )
}

/** Name of the workspace where everybody begins. */
export const HOME = 'home'
