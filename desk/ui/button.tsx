import { Button as MantineButton } from '@mantine/core'
import type { ComponentProps, ReactElement, ReactNode } from 'react'
import { Icon } from './icon.tsx'

interface ButtonProps {
  readonly children: ReactNode
  readonly kind?: 'primary' | 'plain' | 'danger'
  readonly icon?: string
  readonly onClick?: () => void
  readonly href?: string
  readonly disabled?: boolean
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
  busy,
  autoFocus,
  type = 'button',
  ...more
}: ButtonProps): ReactElement {
  return (
    <MantineButton
      size="xs"
      type={type}
      variant={kind === 'plain' ? 'default' : 'filled'}
      {...(kind === 'danger' ? { color: 'red.9' } : {})}
      {...(busy ? { loading: true } : {})}
      {...(autoFocus ? { 'data-autofocus': true } : {})}
      leftSection={icon ? <Icon name={icon} /> : undefined}
      {...(more as ComponentProps<typeof MantineButton>)}
    >
      {children}
    </MantineButton>
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
