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
}

/** Tells people something in passing. */
export type Tell = (text: string, kind?: 'done' | 'problem') => void

const ToastContext = createContext<Tell>(() => {})

/** Milliseconds after which what went well is taken away; what did not stays until it is closed. */
const STAYS = 5_000

/** Where toasts are shown. */
export function Toasts({ children }: { children: ReactNode }): ReactElement {
  const [toasts, setToasts] = useState<readonly Toast[]>([])
  const drop = useCallback(
    (id: number) => setToasts((all) => all.filter((one) => one.id !== id)),
    [],
  )
  const tell = useCallback<Tell>(
    (text, kind = 'done') => {
      const id = Math.random()
      setToasts((all) => [...all.slice(-2), { id, text, isProblem: kind === 'problem' }])
      if (kind === 'done') setTimeout(() => drop(id), STAYS)
    },
    [drop],
  )
  return (
    <ToastContext value={tell}>
      {children}
      <div className="toasts" role="status" aria-live="polite">
        {toasts.map(({ id, text, isProblem }) => (
          <div key={id} className={isProblem ? 'toast problem' : 'toast'}>
            <span>{text}</span>
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
