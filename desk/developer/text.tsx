import type { ReactElement } from 'react'

/** A text as a program sends it; what does not fit scrolls, by keys too. */
export function Text({ children }: { children: string }): ReactElement {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
    <pre tabIndex={0}>{children}</pre>
  )
}
