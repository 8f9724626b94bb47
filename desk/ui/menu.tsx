import { type KeyboardEvent, type ReactElement, type ReactNode, useId, useRef } from 'react'
import { Icon } from './icon.tsx'

/** Entry of a menu: a link or something to do; `why` says why it cannot be done now. */
export interface MenuItem {
  readonly label: string
  readonly icon?: string
  readonly href?: string
  readonly onSelect?: () => void
  readonly why?: string | undefined
  readonly danger?: boolean | undefined
  readonly key?: string
}

interface MenuProps {
  readonly label: string
  readonly trigger: ReactNode
  readonly className?: string
  readonly items: readonly (MenuItem | 'line')[]
}

/** A button that opens a menu: the platform's popover, with the arrows moving through it. */
export function Menu({
  label,
  trigger,
  className = 'icon-button',
  items,
}: MenuProps): ReactElement {
  const id = useId()
  const menu = useRef<HTMLDivElement>(null)
  const anchor = `--menu-${id.replace(/\W/g, '')}`
  const close = (): void => menu.current?.hidePopover()
  return (
    <>
      <button
        type="button"
        className={className}
        aria-label={label}
        aria-haspopup="menu"
        popoverTarget={id}
        style={{ anchorName: anchor }}
      >
        {trigger}
      </button>
      <div
        id={id}
        ref={menu}
        popover="auto"
        role="menu"
        aria-label={label}
        tabIndex={-1}
        className="menu"
        style={{ positionAnchor: anchor }}
        onKeyDown={moveInMenu}
        onToggle={(event) => {
          if (event.newState === 'open') itemsOf(event.currentTarget)[0]?.focus()
        }}
      >
        {items.map((item, at) =>
          item === 'line' ? (
            <hr key={at} />
          ) : (
            <MenuEntry key={item.label} item={item} close={close} />
          ),
        )}
      </div>
    </>
  )
}

function MenuEntry({ item, close }: { item: MenuItem; close: () => void }): ReactElement {
  const { label, icon, href, onSelect, why, danger, key } = item
  const content = (
    <>
      {icon ? <Icon name={icon} /> : <span className="no-icon" />}
      <span className="menu-text">
        {label}
        {why === undefined ? null : <small>{why}</small>}
      </span>
      {key === undefined ? null : <kbd>{key}</kbd>}
    </>
  )
  const shared = {
    className: danger ? 'menu-item danger' : 'menu-item',
    role: 'menuitem',
    tabIndex: -1,
  }
  if (href !== undefined)
    return (
      <a {...shared} href={href}>
        {content}
      </a>
    )
  return (
    <button
      type="button"
      {...shared}
      aria-disabled={why !== undefined}
      onClick={() => {
        if (why !== undefined) return
        close()
        onSelect?.()
      }}
    >
      {content}
    </button>
  )
}

function itemsOf(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('[role^=menuitem]')]
}

function moveInMenu(event: KeyboardEvent<HTMLDivElement>): void {
  const items = itemsOf(event.currentTarget)
  const at = items.indexOf(document.activeElement as HTMLElement)
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key]
  if (to === undefined) return
  event.preventDefault()
  items[(to + items.length) % items.length]?.focus()
}
