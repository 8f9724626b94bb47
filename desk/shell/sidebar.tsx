import { type ReactElement, type ReactNode, useMemo, useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import type { ResourceEntry } from '../data/types.ts'
import { useUnread } from '../together/use-notifications.ts'
import { IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { WORDS } from '../words/en.ts'
import { sentenceCase } from '../words/sentence-case.ts'
import { type MenuGroup, menuPlan, recordGroups } from './menu-plan.ts'
import { usePins } from './pins.ts'

/**
 * The menu (desk.md 4.0): pins, inbox, home and the workspaces, which open to their lists; those without records are folded away. It
 * never changes under the hand: what somebody has opened stays open. Its box finds among all records.
 */
export function Sidebar(): ReactElement {
  const { boot } = useDesk()
  const [path] = useLocation()
  const [filter, setFilter] = useState('')
  const open = decodeURIComponent(path.split('/')[1] ?? '')
  const here =
    (open === 'bank' && boot.resources.find(({ serves }) => serves === 'bank_lines')?.slug) || open
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
      {filter.trim() === '' ? (
        <Menu here={here} path={path} />
      ) : (
        recordGroups(boot, filter).map(({ name, label, entries }) => (
          <section key={name} className="side-found" aria-label={label}>
            <h2>{label}</h2>
            {entries.map((entry) => (
              <ListLink key={entry.slug} entry={entry} here={here} />
            ))}
          </section>
        ))
      )}
    </nav>
  )
}

function Menu({ here, path }: { here: string; path: string }): ReactElement {
  const { boot } = useDesk()
  const { groups, unused, start } = useMemo(() => menuPlan(boot, here), [boot, here])
  const unread = useUnread()
  const first = groups.find(
    ({ entries, pages = [] }) =>
      entries.some(({ slug }) => slug === here) || pages.some(({ page }) => page === here),
  )
  return (
    <>
      <PinList />
      <MenuLink href="/inbox" icon="inbox" label={WORDS.inbox} isHere={path === '/inbox'}>
        {unread > 0 ? <span className="side-count">{unread}</span> : null}
      </MenuLink>
      <MenuLink href="/" icon="house" label={WORDS.home} isHere={path === '/'} />
      {boot.reports.length > 0 ? (
        <MenuLink href="/r" icon="chart-column" label={WORDS.reports} isHere={here === 'r'} />
      ) : null}
      {start.map((entry) => (
        <ListLink key={entry.slug} entry={entry} here={here} isBelow />
      ))}
      <div className="side-groups">
        {groups.map((group) => (
          <Group key={group.name} group={group} here={here} isFirst={group === first} />
        ))}
        {unused.length > 0 ? (
          <details className="side-group more">
            <summary>
              <Icon name="ellipsis" />
              <span>{WORDS.more}</span>
              <Icon name="chevron-right" size={12} />
            </summary>
            {unused.map((group) => (
              <Group key={group.name} group={group} here={here} isFirst={false} />
            ))}
          </details>
        ) : null}
      </div>
      <MenuLink href="/all" icon="layout-grid" label={WORDS.allRecords} isHere={path === '/all'} />
    </>
  )
}

/** What the person has pinned, on top. */
function PinList(): ReactElement | null {
  const { pins, toggle } = usePins()
  const [path] = useLocation()
  const search = useSearch()
  const at = search === '' ? path : `${path}?${search}`
  if (pins.length === 0) return null
  return (
    <ul className="pins" aria-label={WORDS.pins}>
      {pins.map((pin) => (
        <li key={pin.href}>
          <MenuLink href={pin.href} icon="pin" label={pin.label} isHere={at === pin.href} />
          <IconButton icon="x" label={WORDS.unpin(pin.label)} onClick={() => toggle(pin)} />
        </li>
      ))}
    </ul>
  )
}

interface GroupProps {
  readonly group: MenuGroup
  readonly here: string
  /** Whether it is the first that has the list that is open. */
  readonly isFirst: boolean
}

/** A workspace: open where the open list is, and wherever somebody opened it. */
function Group({ group, here, isFirst }: GroupProps): ReactElement {
  const [isPressed, setPressed] = useState<boolean>()
  return (
    <details
      className="side-group"
      open={isPressed ?? isFirst}
      onToggle={(event) => {
        const { open } = event.currentTarget
        if (open !== (isPressed ?? isFirst)) setPressed(open)
      }}
    >
      <summary>
        <Icon name={group.icon} />
        <span>{group.label}</span>
        <Icon name="chevron-right" size={12} />
      </summary>
      {group.pages?.map(({ page, label }) => (
        <MenuLink
          key={page}
          href={`/${page}`}
          icon={undefined}
          label={sentenceCase(label)}
          isHere={page === here}
        />
      ))}
      {group.entries.map((entry) => (
        <ListLink key={entry.slug} entry={entry} here={here} isBelow />
      ))}
    </details>
  )
}

interface ListLinkProps {
  readonly entry: ResourceEntry
  readonly here: string
  /** Whether it stands below its workspace, which has the icon. */
  readonly isBelow?: boolean
}

function ListLink({ entry, here, isBelow = false }: ListLinkProps): ReactElement {
  return (
    <MenuLink
      // Lines of the bank are matched on a page of their own; their list is found by its name.
      href={isBelow && entry.serves === 'bank_lines' ? '/bank' : `/${entry.slug}`}
      icon={isBelow ? undefined : (entry.icon ?? 'file')}
      label={entry.label_plural}
      isHere={entry.slug === here}
    >
      {entry.locked ? <Icon name="lock" size={12} /> : null}
    </MenuLink>
  )
}

interface MenuLinkProps {
  readonly href: string
  /** Undefined where it stands below something that has one. */
  readonly icon: string | undefined
  readonly label: string
  readonly isHere: boolean
  readonly children?: ReactNode
}

function MenuLink({ href, icon, label, isHere, children }: MenuLinkProps): ReactElement {
  return (
    <Link
      href={href}
      className={icon === undefined ? 'side-link below' : 'side-link'}
      aria-current={isHere ? 'page' : undefined}
    >
      {icon === undefined ? null : <Icon name={icon} />}
      <span className="side-label">{label}</span>
      {children}
    </Link>
  )
}
