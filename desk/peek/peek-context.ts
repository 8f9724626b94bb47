import { createContext, useContext } from 'react'

/** A record that is looked at beside the page. */
export interface Peeked {
  readonly slug: string
  readonly id: string
}

/** Looking at records beside the page, one behind the other. */
export interface PeekState {
  readonly peeked: Peeked | undefined
  /** Shows a record; a quiet one leaves the focus where it is and takes the place of the one before. */
  readonly peek: (record: Peeked, how?: { readonly isQuiet: boolean }) => void
  readonly close: () => void
}

/** Provider of looking at records beside the page. */
export const PeekContext = createContext<PeekState>({
  peeked: undefined,
  peek: () => {},
  close: () => {},
})

/** Looking at records beside the page. */
export function usePeek(): PeekState {
  return useContext(PeekContext)
}
