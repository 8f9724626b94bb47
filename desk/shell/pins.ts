import { useLocation, useSearch } from 'wouter'
import { useDeskSettings } from '../data/desk-settings.ts'
import type { Pin } from '../data/types.ts'
import type { MenuItem } from '../ui/menu.tsx'
import { WORDS } from '../words/en.ts'

/** What a person has pinned to the top of the menu. */
export interface Pins {
  readonly pins: readonly Pin[]
  readonly isPinned: (href: string) => boolean
  /** Pins an address, or takes it away where it is pinned. */
  readonly toggle: (pin: Pin) => void
}

/** Pins at most: what stands on top is found at a glance. */
const MOST = 12

/** The pins of the person, kept with their settings. */
export function usePins(): Pins {
  const { settings, change } = useDeskSettings()
  const pins = settings.pins ?? []
  return {
    pins,
    isPinned: (href) => pins.some((one) => one.href === href),
    toggle: (pin) =>
      change((all) => {
        const now = all.pins ?? []
        const others = now.filter((one) => one.href !== pin.href)
        return { ...all, pins: others.length < now.length ? others : [...now, pin].slice(-MOST) }
      }),
  }
}

/** Entry of a menu that pins the page as it stands, or takes its pin away. */
export function usePinItem(label: string): MenuItem {
  const { isPinned, toggle } = usePins()
  const [path] = useLocation()
  const search = useSearch()
  const href = search === '' ? path : `${path}?${search}`
  return isPinned(href)
    ? { label: WORDS.unpin(label), icon: 'pin-off', onSelect: () => toggle({ href, label }) }
    : { label: WORDS.pin, icon: 'pin', onSelect: () => toggle({ href, label }) }
}
