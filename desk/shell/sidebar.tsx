import { type ReactElement, useMemo, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import type { Boot, ResourceEntry } from '../data/types.ts'
import { Icon } from '../ui/icon.tsx'
import { WORDS } from '../words/en.ts'

/** The menu of the workspace: one that never changes under the hand, with a box that finds in it. */
export function Sidebar(): ReactElement {
  const { boot } = useDesk()
  const [path] = useLocation()
  const [filter, setFilter] = useState('')
  const here = decodeURIComponent(path.split('/')[1] ?? '')
  const groups = useMemo(() => groupsOf(boot, filter), [boot, filter])
  return (
    <nav className="side" aria-label={WORDS.menu}>
      <div className="side-find">
        <Icon name="search" size={14} />
        <input
          type="search"
          aria-label={WORDS.filterMenu}
          placeholder={WORDS.filterMenu}
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
      </div>
      <MenuLink href="/" icon="house" label={WORDS.home} isHere={path === '/'} />
      <MenuLink href="/inbox" icon="inbox" label={WORDS.inbox} isHere={path === '/inbox'} />
      {groups.map(({ name, label, entries }) => (
        <Group
          key={`${name}${filter === '' ? '' : ' found'}`}
          label={label}
          isOpen={filter !== '' || entries.some(({ slug }) => slug === here)}
        >
          {entries.map((entry) => (
            <MenuLink
              key={entry.slug}
              href={`/${entry.slug}`}
              icon={entry.icon ?? 'file'}
              label={entry.label_plural}
              isHere={entry.slug === here}
              isLocked={entry.locked === true}
            />
          ))}
        </Group>
      ))}
    </nav>
  )
}

interface GroupOfEntries {
  readonly name: string
  readonly label: string
  readonly entries: readonly ResourceEntry[]
}

function groupsOf({ modules, resources }: Boot, filter: string): GroupOfEntries[] {
  const sought = filter.trim().toLowerCase()
  const byLabel = new Map<string, { name: string; label: string; entries: ResourceEntry[] }>()
  for (const { name, label } of modules) {
    const group = byLabel.get(label) ?? { name, label, entries: [] }
    byLabel.set(label, group)
    const entries = resources.filter((one) => one.module === name)
    group.entries.push(...entries.filter((one) => one.label_plural.toLowerCase().includes(sought)))
  }
  return [...byLabel.values()].filter(({ entries }) => entries.length > 0)
}

function Group({
  label,
  isOpen,
  children,
}: {
  label: string
  isOpen: boolean
  children: ReactElement[]
}): ReactElement {
  const [isPressed, setPressed] = useState<boolean>()
  return (
    <details
      className="side-group"
      open={isPressed ?? isOpen}
      onToggle={(event) => setPressed(event.currentTarget.open)}
    >
      <summary>
        <Icon name="chevron-right" size={12} />
        {label}
      </summary>
      {children}
    </details>
  )
}

interface MenuLinkProps {
  readonly href: string
  readonly icon: string
  readonly label: string
  readonly isHere: boolean
  readonly isLocked?: boolean
}

function MenuLink({ href, icon, label, isHere, isLocked }: MenuLinkProps): ReactElement {
  return (
    <Link href={href} className="side-link" aria-current={isHere ? 'page' : undefined}>
      <Icon name={icon} />
      <span>{label}</span>
      {isLocked ? <Icon name="lock" size={12} /> : null}
    </Link>
  )
}
