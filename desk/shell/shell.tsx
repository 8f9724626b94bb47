import {
  lazy,
  type ReactElement,
  type ReactNode,
  Suspense,
  useEffect,
  useRef,
  useState,
} from 'react'
import { Link, useLocation } from 'wouter'
import { BesideProvider } from '../beside/beside-provider.tsx'
import { useDesk } from '../boot/desk-context.ts'
import { useLive } from '../boot/use-live.ts'
import { useDeskSettings } from '../data/desk-settings.ts'
import { PeekProvider } from '../peek/peek-provider.tsx'
import { Bell } from '../together/bell.tsx'
import { Jobs } from '../together/jobs.tsx'
import { IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import type { Scheme } from '../ui/theme.ts'
import { WORDS } from '../words/en.ts'
import { speakPages } from '../words/pages/speak-pages.ts'
import { AccountMenu } from './account-menu.tsx'
import { useShortcuts } from './shortcuts.ts'
import { Sidebar } from './sidebar.tsx'

const Palette = lazy(() => import('./palette.tsx').then((file) => ({ default: file.Palette })))
const Help = lazy(async () => {
  const [{ Help: component }] = await Promise.all([import('./help.tsx'), speakPages()])
  return { default: component }
})

interface ShellProps {
  readonly scheme: Scheme
  readonly onScheme: () => void
  readonly children: ReactNode
}

/** What stands around every page: the bar, the menu, the palette, and the thumb bar of phones. */
export function Shell({ scheme, onScheme, children }: ShellProps): ReactElement {
  const [path, navigate] = useLocation()
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  const [isMenuOpen, setMenuOpen] = useState(false)
  const [isHelpOpen, setHelpOpen] = useState(false)
  const openPalette = (): void => setPaletteOpen(true)
  useQuietKeys()
  useShortcuts({
    'ctrl+k': openPalette,
    'g h': () => navigate('/'),
    'g i': () => navigate('/inbox'),
    '/': () => document.querySelector<HTMLElement>('[data-search]')?.focus(),
    c: () => document.querySelector<HTMLElement>('[data-new]')?.click(),
    f: () => document.querySelector<HTMLElement>('[data-filter] button')?.click(),
    '?': () => setHelpOpen(true),
  })
  useEffect(() => {
    if (path !== '') setMenuOpen(false)
  }, [path])
  return (
    <div className="shell" data-menu={isMenuOpen ? 'open' : 'closed'}>
      <a className="skip" href="#content">
        {WORDS.skip}
      </a>
      <Bar
        scheme={scheme}
        onScheme={onScheme}
        isMenuOpen={isMenuOpen}
        onMenu={() => setMenuOpen(!isMenuOpen)}
        onSearch={openPalette}
        onHelp={() => setHelpOpen(true)}
      />
      <Sidebar />
      {isMenuOpen ? (
        <button
          type="button"
          className="veil"
          aria-label={WORDS.closeMenu}
          onClick={() => setMenuOpen(false)}
        />
      ) : null}
      <main id="content" tabIndex={-1}>
        <Connection />
        <FocusOnArrival path={path} />
        <PeekProvider>
          <BesideProvider>{children}</BesideProvider>
        </PeekProvider>
      </main>
      <ThumbBar onSearch={openPalette} />
      <Suspense>
        {isPaletteOpen ? <Palette onClose={() => setPaletteOpen(false)} /> : null}
        {isHelpOpen ? <Help onClose={() => setHelpOpen(false)} /> : null}
      </Suspense>
    </div>
  )
}

interface BarProps extends Pick<ShellProps, 'scheme' | 'onScheme'> {
  readonly isMenuOpen: boolean
  readonly onMenu: () => void
  readonly onSearch: () => void
  readonly onHelp: () => void
}

/** The bar on top: where one is, a way to everything, what is new, and who is signed in. */
function Bar({ scheme, onScheme, isMenuOpen, onMenu, onSearch, onHelp }: BarProps): ReactElement {
  const { boot } = useDesk()
  return (
    <header className="bar">
      <IconButton
        icon="menu"
        className="only-narrow"
        label={isMenuOpen ? WORDS.closeMenu : WORDS.menu}
        aria-expanded={isMenuOpen}
        onClick={onMenu}
      />
      <Link href="/" className="brand">
        <span className="mark" aria-hidden="true">
          {(boot.workspace.label[0] ?? '').toUpperCase()}
        </span>
        <span className="brand-name">{boot.workspace.label}</span>
      </Link>
      <button type="button" className="jump" title={WORDS.searchOrJump} onClick={onSearch}>
        <Icon name="search" />
        <span>{WORDS.searchOrJump}</span>
        <kbd>Ctrl K</kbd>
      </button>
      <div className="bar-end">
        <Jobs />
        <Bell />
        <IconButton
          icon={scheme === 'dark' ? 'sun' : 'moon'}
          label={WORDS.theme}
          onClick={onScheme}
        />
        <IconButton icon="circle-help" className="only-wide" label={WORDS.help} onClick={onHelp} />
        <AccountMenu onHelp={onHelp} />
      </div>
    </header>
  )
}

/** Marks the page for who has turned single keys off. */
function useQuietKeys(): void {
  const { settings } = useDeskSettings()
  useEffect(() => {
    document.documentElement.toggleAttribute('data-quiet-keys', settings.isQuiet === true)
  }, [settings.isQuiet])
}

/** Takes the focus to the page after a way within the Desk, so that a screen reader begins to read there. */
function FocusOnArrival({ path }: { path: string }): null {
  const before = useRef(path)
  useEffect(() => {
    if (before.current === path) return
    before.current = path
    document.getElementById('content')?.focus({ preventScroll: true })
  }, [path])
  return null
}

/** Says that the page hears of nothing now, and that this ends by itself. */
function Connection(): ReactElement {
  const isLive = useLive()
  const [isOffline, setOffline] = useState(!navigator.onLine)
  useEffect(() => {
    const change = (): void => setOffline(!navigator.onLine)
    addEventListener('online', change)
    addEventListener('offline', change)
    return () => {
      removeEventListener('online', change)
      removeEventListener('offline', change)
    }
  }, [])
  return (
    <div role="status" className="connection" data-live={isLive === true}>
      {isOffline || isLive === false ? (
        <p>{isOffline ? WORDS.offline : WORDS.reconnecting}</p>
      ) : null}
    </div>
  )
}

function ThumbBar({ onSearch }: { onSearch: () => void }): ReactElement {
  return (
    <nav className="thumbs" aria-label={WORDS.goTo}>
      <Link href="/">
        <Icon name="house" size={20} />
        {WORDS.home}
      </Link>
      <Link href="/inbox">
        <Icon name="inbox" size={20} />
        {WORDS.inbox}
      </Link>
      <button
        type="button"
        onClick={() => document.querySelector<HTMLElement>('[data-new]')?.click()}
      >
        <Icon name="plus" size={20} />
        {WORDS.newRecord}
      </button>
      <button type="button" onClick={onSearch}>
        <Icon name="search" size={20} />
        {WORDS.search}
      </button>
    </nav>
  )
}
