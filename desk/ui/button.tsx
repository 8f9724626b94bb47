import type { ComponentProps, ReactElement, ReactNode } from 'react'
import { Icon } from './icon.tsx'

interface ButtonProps {
  readonly children: ReactNode
  readonly kind?: 'primary' | 'plain' | 'danger'
  readonly icon?: string
  readonly onClick?: () => void
  readonly disabled?: boolean
  /** Whether it is at work: it waits until that has ended. */
  readonly busy?: boolean
  readonly type?: 'button' | 'submit'
  readonly title?: string | undefined
  /** Whether a dialog begins at it. */
  readonly autoFocus?: boolean
}

/** A button with words on it. */
export function Button({
  children,
  kind = 'plain',
  icon,
  busy = false,
  disabled = false,
  autoFocus,
  type = 'button',
  ...more
}: ButtonProps): ReactElement {
  return (
    <button
      type={type}
      className={`button ${kind}`}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      data-autofocus={autoFocus}
      {...more}
    >
      {icon ? <Icon name={icon} /> : null}
      {children}
    </button>
  )
}

type IconButtonProps = Omit<ComponentProps<'button'>, 'children' | 'title'> & {
  readonly icon: string
  /** What it does, for who cannot see it and as its tip. */
  readonly label: string
}

/** A button that is an icon. */
export function IconButton({
  icon,
  label,
  className = '',
  ...more
}: IconButtonProps): ReactElement {
  return (
    <button
      type="button"
      className={`icon-button ${className}`}
      aria-label={label}
      title={label}
      {...more}
    >
      <Icon name={icon} />
    </button>
  )
}
