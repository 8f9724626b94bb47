import type { ReactElement } from 'react'

/** Address of the drawing of all icons, which the build makes (build/desk-icons.ts). */
declare const DESK_ICONS: string

/** An icon by its Lucide name; it says nothing to who cannot see it. */
export function Icon({ name, size = 16 }: { name: string; size?: number }): ReactElement {
  return (
    <svg className="icon" width={size} height={size} aria-hidden="true" focusable="false">
      <use href={`${DESK_ICONS}#${name}`} />
    </svg>
  )
}
