import { type ReactElement, useEffect, useId, useRef } from 'react'

interface AmountFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly autoFocus?: boolean
  readonly onEnter?: () => void
}

/** A large field for an amount, as a finger or a row of number keys fills it. */
export function AmountField({
  label,
  value,
  onChange,
  autoFocus = false,
  onEnter,
}: AmountFieldProps): ReactElement {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (autoFocus) input.current?.select()
  }, [autoFocus])
  return (
    <div className="amount-field">
      <label htmlFor={id}>{label}</label>
      <input
        ref={input}
        id={id}
        inputMode="decimal"
        autoComplete="off"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !onEnter) return
          event.preventDefault()
          onEnter()
        }}
      />
    </div>
  )
}
