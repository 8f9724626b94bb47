import {
  lazy,
  type ReactElement,
  type ReactNode,
  Suspense,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useLocation } from 'wouter'
import { PeekContext, type Peeked } from './peek-context.ts'

const PeekPanel = lazy(() =>
  import('./peek-panel.tsx').then((file) => ({ default: file.PeekPanel })),
)

/** Draws what is looked at beside the page; Escape closes it, and going elsewhere too. */
export function PeekProvider({ children }: { children: ReactNode }): ReactElement {
  const [stack, setStack] = useState<readonly Peeked[]>([])
  const [isQuiet, setQuiet] = useState(true)
  const before = useRef<Element | null>(null)
  const [path] = useLocation()
  const peeked = stack.at(-1)
  const state = useMemo(
    () => ({
      peeked,
      peek(record: Peeked, how = { isQuiet: false }) {
        if (!how.isQuiet) before.current = document.activeElement
        setQuiet(how.isQuiet)
        setStack((all) => (how.isQuiet ? [record] : [...all, record]))
      },
      close() {
        setStack([])
        if (before.current instanceof HTMLElement && before.current.isConnected)
          before.current.focus()
        before.current = null
      },
    }),
    [peeked],
  )
  useEffect(() => {
    if (path !== '') setStack([])
  }, [path])
  useEffect(() => {
    if (!peeked) return
    function press(event: KeyboardEvent): void {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      event.preventDefault()
      state.close()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [peeked, state])
  return (
    <PeekContext value={state}>
      {children}
      {peeked ? (
        <Suspense>
          <PeekPanel
            key={`${peeked.slug}/${peeked.id}`}
            peeked={peeked}
            takesFocus={!isQuiet}
            onBack={stack.length > 1 ? () => setStack((all) => all.slice(0, -1)) : undefined}
          />
        </Suspense>
      ) : null}
    </PeekContext>
  )
}
