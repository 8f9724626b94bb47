import type { ReactElement } from 'react'

/** A state as a small coloured word; the colour only repeats what the word says. */
export function Pill({
  text,
  color = 'grey',
}: {
  text: string
  color?: string | undefined
}): ReactElement {
  return <span className={`pill tone-${color}`}>{text}</span>
}
