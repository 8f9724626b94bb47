import type { ReactElement } from 'react'
import { ICON_NAMES } from './icon-names.ts'

/** Addresses of the drawings of the Desk's own icons, and of those that definitions name besides (build/desk-icons.ts). */
declare const DESK_ICONS: string
declare const DESK_MORE_ICONS: string

const OWN: ReadonlySet<string> = new Set(ICON_NAMES)

/** An icon by its Lucide name; it says nothing to who cannot see it. */
export function Icon({ name, size = 16 }: { name: string; size?: number }): ReactElement {
  return (
    <svg className="icon" width={size} height={size} aria-hidden="true" focusable="false">
      <use href={`${OWN.has(name) ? DESK_ICONS : DESK_MORE_ICONS}#${name}`} />
    </svg>
  )
}
