import '../style/fields.css'
import { type ReactElement, useId } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { PeekLink } from '../peek/peek-link.tsx'
import { Icon } from '../ui/icon.tsx'
import { WORDS } from '../words/en.ts'
import { LinkPicker } from './link-picker.tsx'

interface LinkFieldProps {
  readonly label: string
  readonly description: string | undefined
  readonly error: string | undefined
  readonly required: boolean
  readonly target: string
  readonly id: string
  readonly title: string | undefined
  readonly onChange: (id: string | null, title?: string) => void
}

/** A link in a form: what is chosen by its title, and the way to it. */
export function LinkField({
  label,
  description,
  error,
  required,
  target,
  id,
  title,
  onChange,
}: LinkFieldProps): ReactElement {
  const { entryOf } = useDesk()
  const input = useId()
  return (
    <div className="field">
      <label htmlFor={input}>
        {label}
        {required ? (
          <span className="asterisk" aria-hidden="true">
            {' '}
            *
          </span>
        ) : null}
      </label>
      <span className="link-input">
        <LinkPicker
          target={target}
          title={title ?? id}
          label={label}
          labelledBy={input}
          invalid={error !== undefined}
          onPick={onChange}
        />
        {id !== '' && entryOf(target) ? (
          <PeekLink slug={target} id={id} className="link-open" label={WORDS.open(title ?? id)}>
            <Icon name="arrow-up-right" />
          </PeekLink>
        ) : null}
      </span>
      {error ? <p className="field-error">{error}</p> : null}
      {description ? <p className="field-hint">{description}</p> : null}
    </div>
  )
}
