import { type ReactElement, type ReactNode, useEffect, useId, useRef } from 'react'

interface DialogProps {
  readonly title: string
  readonly children: ReactNode
  readonly onClose: () => void
  readonly wide?: boolean
  /** Whether the title is only said, not shown. */
  readonly bare?: boolean
}

/** A dialog of the platform: it holds the focus and gives it back. */
export function Dialog({ title, children, onClose, wide, bare }: DialogProps): ReactElement {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const element = dialog.current
    const before = document.activeElement
    element?.showModal()
    element?.querySelector<HTMLElement>('[data-autofocus]')?.focus()
    return () => {
      element?.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it by itself
    <dialog
      ref={dialog}
      className={`dialog${wide ? ' wide' : ''}${bare ? ' bare' : ''}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose()
      }}
    >
      <div className="dialog-body">
        <h2 id={id} className={bare ? 'visually-hidden' : undefined}>
          {title}
        </h2>
        {children}
      </div>
    </dialog>
  )
}
