import {
  createContext,
  type ReactElement,
  type ReactNode,
  useCallback,
  useContext,
  useState,
} from 'react'
import { WORDS } from '../words/en.ts'
import { IconButton } from './button.tsx'

interface Toast {
  readonly id: number
  readonly text: string
  readonly isProblem: boolean
  readonly undo: (() => void) | undefined
}

/** Tells people something in passing; `undo` takes back what was done. */
export type Tell = (text: string, kind?: 'done' | 'problem', undo?: () => void) => void

const ToastContext = createContext<Tell>(() => {})

/** Milliseconds after which what went well is taken away; what did not stays until it is closed. */
const STAYS = 5_000

/** Milliseconds in which something can be taken back. */
const UNDO_STAYS = 60_000

/** Where toasts are shown. */
export function Toasts({ children }: { children: ReactNode }): ReactElement {
  const [toasts, setToasts] = useState<readonly Toast[]>([])
  const drop = useCallback(
    (id: number) => setToasts((all) => all.filter((one) => one.id !== id)),
    [],
  )
  const tell = useCallback<Tell>(
    (text, kind = 'done', undo = undefined) => {
      const id = Math.random()
      const toast = { id, text, isProblem: kind === 'problem', undo }
      // Only what was done last can be taken back.
      setToasts((all) => [...all.filter((one) => !(undo && one.undo)).slice(-2), toast])
      if (kind === 'done') setTimeout(() => drop(id), undo ? UNDO_STAYS : STAYS)
    },
    [drop],
  )
  return (
    <ToastContext value={tell}>
      {children}
      <div className="toasts" role="status" aria-live="polite">
        {toasts.map(({ id, text, isProblem, undo }) => (
          <div key={id} className={isProblem ? 'toast problem' : 'toast'}>
            <span>{text}</span>
            {undo ? (
              <button
                type="button"
                className="link-button"
                onClick={() => {
                  drop(id)
                  undo()
                }}
              >
                {WORDS.undo}
              </button>
            ) : null}
            <IconButton icon="x" label={WORDS.close} onClick={() => drop(id)} />
          </div>
        ))}
      </div>
    </ToastContext>
  )
}

/** Tells people something in passing. */
export function useToast(): Tell {
  return useContext(ToastContext)
}
