import { type ReactElement, type ReactNode, useId, useRef, useState } from 'react'

interface PopoverProps {
  readonly label: string
  readonly trigger: ReactNode
  readonly className?: string
  /** What is said of the button beside what stands on it. */
  readonly tip?: string
  /** Content, drawn while it is open; `close` closes it. */
  readonly children: (close: () => void) => ReactNode
}

/** A button that opens a small sheet beside it, with fields in it. */
export function Popover({
  label,
  trigger,
  className = 'chip',
  tip,
  children,
}: PopoverProps): ReactElement {
  const id = useId()
  const sheet = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const anchor = `--sheet-${id.replace(/\W/g, '')}`
  return (
    <>
      <button
        type="button"
        className={className}
        popoverTarget={id}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        title={tip}
        style={{ anchorName: anchor }}
      >
        {trigger}
      </button>
      <div
        id={id}
        ref={sheet}
        popover="auto"
        role="dialog"
        aria-label={label}
        className="menu sheet"
        style={{ positionAnchor: anchor }}
        onToggle={(event) => {
          if (event.target === event.currentTarget) setOpen(event.newState === 'open')
        }}
      >
        {isOpen ? children(() => sheet.current?.hidePopover()) : null}
      </div>
    </>
  )
}
