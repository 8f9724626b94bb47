import {
  type KeyboardEvent,
  type ReactElement,
  useEffect,
  useEffectEvent,
  useId,
  useState,
} from 'react'
import { WORDS } from '../words/en.ts'
import { type LinkOption, useLinkOptions } from './link-search.ts'
import { usePending } from './pending.ts'

interface LinkPickerProps {
  readonly target: string
  /** What the record that is linked to now is called. */
  readonly title: string
  readonly label: string
  readonly labelledBy?: string | undefined
  readonly invalid?: boolean
  /** Text it begins with in place of the title: the key that began it. */
  readonly typed?: string | undefined
  readonly autoFocus?: boolean
  readonly className?: string
  readonly onPick: (id: string | null, title?: string) => void
  /**
   * Takes what was typed where Enter or Tab comes before the server has answered: what it means is found meanwhile. Without it
   * the field waits for the answer.
   */
  readonly onTyped?: (text: string, event: KeyboardEvent<HTMLInputElement>) => void
  /** Told of keys it has no use for. */
  readonly onKey?: (event: KeyboardEvent<HTMLInputElement>) => void
  /** Told that the focus goes elsewhere, with what is typed and not chosen. */
  readonly onLeave?: (typed: string | undefined) => void
}

/** Finds a record to link to: it asks the server while somebody types, and shows titles, never bare ids. */
export function LinkPicker(props: LinkPickerProps): ReactElement {
  const { title, label, labelledBy, invalid, autoFocus, className, onPick, onLeave } = props
  const id = useId()
  const { text, options, chosen, isOpen, isPending, press, type, open, leave, pick } =
    usePicker(props)
  return (
    <span className={`picker ${className ?? ''}`}>
      <input
        type="text"
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && options[chosen] ? `${id}-${chosen}` : undefined}
        aria-label={labelledBy ? undefined : label}
        id={labelledBy}
        aria-invalid={invalid}
        autoComplete="off"
        // biome-ignore lint/a11y/noAutofocus: the one live editor of a grid opens under the hand
        autoFocus={autoFocus}
        value={text ?? title}
        onFocus={(event) => {
          if (text === undefined) event.currentTarget.select()
        }}
        onClick={open}
        onKeyDown={press}
        onChange={(event) => {
          type(event.currentTarget.value)
          if (event.currentTarget.value === '') onPick(null)
        }}
        onBlur={() => {
          const typed = text
          if (leave()) onLeave?.(typed)
        }}
      />
      {isOpen ? (
        <PickerList
          id={id}
          label={label}
          options={options}
          chosen={chosen}
          isPending={isPending}
          onPick={pick}
        />
      ) : null}
    </span>
  )
}

/** What is typed, what it finds, and which of that Enter takes: where the answer is still on its way, the first of it. */
function usePicker({ target, typed, autoFocus, onPick, onTyped, onKey }: LinkPickerProps) {
  const [text, setText] = useState(typed)
  const [at, setAt] = useState(0)
  const [isOpen, setOpen] = useState(autoFocus === true)
  const [isAwaited, setAwaited] = useState(false)
  const pending = usePending()
  const { options, isCurrent } = useLinkOptions(target, text ?? '', isOpen)
  const chosen = Math.min(at, options.length - 1)

  function close(): void {
    setText(undefined)
    setOpen(false)
    setAwaited(false)
  }

  function type(next: string): void {
    setText(next)
    setAt(0)
    setOpen(true)
    setAwaited(false)
  }

  function pick(option: LinkOption): void {
    close()
    onPick(option.id, option.title)
  }

  const first = options[chosen]
  const take = useEffectEvent(() => {
    setAwaited(false)
    if (first) pick(first)
  })
  useEffect(() => {
    if (isAwaited && isCurrent) take()
  }, [isAwaited, isCurrent])
  useEffect(() => (isAwaited ? pending.begin() : undefined), [isAwaited, pending])

  function press(event: KeyboardEvent<HTMLInputElement>) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && isOpen && options.length > 0) {
      event.preventDefault()
      return setAt((chosen + step + options.length) % options.length)
    }
    if (step === 1) return setOpen(true)
    const isTaking = (event.key === 'Enter' || event.key === 'Tab') && isOpen && Boolean(text)
    if (isTaking && !isCurrent && onTyped) return onTyped(text ?? '', event)
    if (isTaking && !(isCurrent && options.length === 0)) {
      // Tab goes on in a form; what it has asked for is taken when it is there.
      if (onTyped || event.key === 'Enter') event.preventDefault()
      event.stopPropagation()
      return setAwaited(true)
    }
    if (event.key === 'Escape' && isOpen) {
      event.stopPropagation()
      close()
    }
    onKey?.(event)
  }

  const open = (): void => setOpen(true)
  // What Enter has asked for is still taken when somebody has gone on meanwhile.
  const leave = (): boolean => {
    if (!isAwaited) close()
    return !isAwaited
  }
  return { text, options, chosen, isOpen, isPending: !isCurrent, press, type, open, leave, pick }
}

interface PickerListProps {
  readonly id: string
  readonly label: string
  readonly options: readonly LinkOption[]
  readonly chosen: number
  readonly isPending: boolean
  readonly onPick: (option: LinkOption) => void
}

function PickerList({
  id,
  label,
  options,
  chosen,
  isPending,
  onPick,
}: PickerListProps): ReactElement {
  return (
    <div className="picker-list">
      <div id={id} role="listbox" aria-label={label}>
        {options.map((option, index) => (
          <OptionLine
            key={option.id}
            id={`${id}-${index}`}
            option={option}
            isChosen={index === chosen}
            onPick={onPick}
          />
        ))}
      </div>
      {options.length === 0 ? <p>{isPending ? WORDS.searching : WORDS.nothingFound}</p> : null}
    </div>
  )
}

interface OptionLineProps {
  readonly id: string
  readonly option: LinkOption
  readonly isChosen: boolean
  readonly onPick: (option: LinkOption) => void
}

function OptionLine({ id, option, isChosen, onPick }: OptionLineProps): ReactElement {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
    <div
      id={id}
      role="option"
      aria-selected={isChosen}
      className="picker-option"
      // A press must not take the focus from the field, which would close the list before the click.
      onMouseDown={(event) => {
        event.preventDefault()
        onPick(option)
      }}
    >
      <span>{option.title}</span>
      {option.hint === '' ? null : <small>{option.hint}</small>}
    </div>
  )
}
