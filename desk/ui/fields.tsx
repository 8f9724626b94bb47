import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'
import type { FocusEvent, ReactElement } from 'react'
import type { Choice } from '../data/types.ts'
import { Themed } from './themed.tsx'

interface Labelled {
  readonly label: string
  readonly description?: string | undefined
  readonly error?: string | undefined
  readonly required?: boolean
  readonly name?: string
}

interface TextFieldProps extends Labelled {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly onFocus?: (event: FocusEvent<HTMLInputElement>) => void
  readonly onBlur?: () => void
  readonly type?:
    | 'text'
    | 'date'
    | 'time'
    | 'datetime-local'
    | 'email'
    | 'url'
    | 'tel'
    | 'color'
    | 'password'
  readonly isNumber?: boolean
  readonly placeholder?: string
}

/** `withAsterisk` marks a field that has to be filled; the server is who insists, all problems at once. */
function labelled({ required, ...more }: Labelled) {
  return {
    withAsterisk: required === true,
    'aria-required': required === true,
    // Beneath it, so that fields of a line stand in one line.
    inputWrapperOrder: ['label', 'input', 'error', 'description'] as (
      | 'label'
      | 'input'
      | 'error'
      | 'description'
    )[],
    ...more,
  }
}

/** A line of text, a number, a day or a time. */
export function TextField({
  isNumber,
  onChange,
  type = 'text',
  ...more
}: TextFieldProps): ReactElement {
  const { value, onFocus, onBlur, placeholder, ...rest } = more
  return (
    <Themed>
      <TextInput
        {...labelled(rest)}
        type={type}
        value={value}
        onFocus={onFocus}
        onBlur={onBlur}
        placeholder={placeholder}
        inputMode={isNumber ? 'decimal' : undefined}
        autoComplete="off"
        onChange={(event) => onChange(event.currentTarget.value)}
        classNames={{ input: isNumber ? 'number' : '' }}
      />
    </Themed>
  )
}

/** Text of several lines, which grows with it. */
export function LongField({
  onChange,
  value,
  ...rest
}: Labelled & Pick<TextFieldProps, 'value' | 'onChange'>): ReactElement {
  return (
    <Themed>
      <Textarea
        {...labelled(rest)}
        value={value}
        rows={3}
        classNames={{ input: 'grows' }}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </Themed>
  )
}

/** One of some choices, or none. */
export function ChoiceField({
  choices,
  value,
  onChange,
  ...rest
}: Labelled &
  Pick<TextFieldProps, 'value' | 'onChange'> & { choices: readonly Choice[] }): ReactElement {
  return (
    <Themed>
      <NativeSelect
        {...labelled(rest)}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        data={[
          { value: '', label: '' },
          ...choices.map((one) => ({ value: one.value, label: one.label })),
        ]}
      />
    </Themed>
  )
}

/** Yes or no. */
export function CheckField({
  value,
  onChange,
  ...rest
}: Labelled & { value: boolean; onChange: (value: boolean) => void }): ReactElement {
  const { label, description, error, name } = rest
  return (
    <Themed>
      <Checkbox
        label={label}
        description={description}
        error={error}
        name={name}
        checked={value}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </Themed>
  )
}
