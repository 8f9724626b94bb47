import {
  type KeyboardEvent,
  type ReactElement,
  Suspense,
  useContext,
  useEffect,
  useEffectEvent,
  useId,
  useState,
} from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { usePending } from '../draft/pending.ts'
import { WORDS } from '../words/en.ts'
import { inSentence } from '../words/sentence-case.ts'
import { type LinkOption, useLinkOptions } from './link-search.ts'
import { PickerList } from './picker-list.tsx'
import { NewLinkedContext } from './record-context.ts'

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
  const NewLinked = useContext(NewLinkedContext)
  const picker = usePicker(props, NewLinked !== undefined)
  const { text, options, chosen, isOpen, isPending, press, type, leave, pick } = picker
  const { newLabel, isMaking, make, close } = picker
  return (
    <span className={`picker ${className ?? ''}`}>
      <input
        type="text"
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && chosen >= 0 ? `${id}-${chosen}` : undefined}
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
        onClick={picker.open}
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
          newLabel={newLabel}
          onNew={make}
        />
      ) : null}
      {isMaking && NewLinked ? (
        <Suspense>
          <NewLinked
            target={props.target}
            text={text ?? ''}
            onMade={(made, called) => pick({ id: made, title: called, hint: '' })}
            onClose={close}
          />
        </Suspense>
      ) : null}
    </span>
  )
}

/** What is typed, what it finds, and which of that Enter takes: where the answer is still on its way, the first of it. */
function usePicker(props: LinkPickerProps, mayMake: boolean) {
  const { target, typed, autoFocus, onPick, onTyped, onKey } = props
  const [text, setText] = useState(typed)
  const [at, setAt] = useState(0)
  const [isOpen, setOpen] = useState(autoFocus === true)
  const [isAwaited, setAwaited] = useState(false)
  const pending = usePending()
  const { options, isCurrent } = useLinkOptions(target, text ?? '', isOpen)
  const [isMaking, setMaking] = useState(false)
  const newLabel = useNewLabel(mayMake ? target : '', text)
  const count = options.length + Number(newLabel !== undefined)
  const chosen = Math.min(at, count - 1)

  function close(): void {
    setText(undefined)
    setOpen(false)
    setAwaited(false)
    setMaking(false)
  }

  function make(): void {
    setOpen(false)
    setMaking(true)
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

  const take = useEffectEvent(() => {
    setAwaited(false)
    if (options[chosen]) pick(options[chosen])
  })
  useEffect(() => void (isAwaited && isCurrent && take()), [isAwaited, isCurrent])
  useEffect(() => (isAwaited ? pending.begin() : undefined), [isAwaited, pending])

  function press(event: KeyboardEvent<HTMLInputElement>) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const isEnter = event.key === 'Enter'
    const isTaking = (isEnter || event.key === 'Tab') && isOpen && text
    const isOnNew = newLabel !== undefined && isOpen && isCurrent && chosen === options.length
    if (step !== undefined && isOpen && count > 0) setAt((chosen + step + count) % count)
    else if (step === 1) return setOpen(true)
    else if (isEnter && isOnNew && (text || options.length > 0)) make()
    else if (isTaking && !isCurrent && onTyped) return onTyped(text ?? '', event)
    else if (isTaking && !(isCurrent && options.length === 0)) {
      event.stopPropagation()
      setAwaited(true)
      // Tab goes on in a form; what it has asked for is taken when it is there.
      if (!onTyped && !isEnter) return
    } else {
      if (event.key === 'Escape' && isOpen) {
        event.stopPropagation()
        close()
      }
      return onKey?.(event)
    }
    if (step === undefined) event.stopPropagation()
    event.preventDefault()
  }

  // What Enter has asked for is still taken when somebody has gone on meanwhile.
  const leave = (): boolean => {
    const isOver = !isAwaited && !isMaking
    if (isOver) close()
    return isOver
  }
  const open = (): void => setOpen(true)
  const found = { open, options, chosen, isPending: !isCurrent, newLabel }
  return { ...found, text, isOpen, isMaking, press, type, leave, pick, make, close }
}

/** What making a record of this resource is called, where the person may. */
function useNewLabel(target: string, text: string | undefined): string | undefined {
  const entry = useDesk().entryOf(target)
  if (!entry || entry.locked || !entry.can.includes('create')) return undefined
  const name = WORDS.newOne(inSentence(entry.label))
  return text ? `${name} “${text}”` : name
}
