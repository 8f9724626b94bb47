import '../style/fields.css'
import type { ReactElement } from 'react'
import { Icon } from '../ui/icon.tsx'
import { WORDS } from '../words/en.ts'
import type { LinkOption } from './link-search.ts'

interface PickerListProps {
  readonly id: string
  readonly label: string
  readonly options: readonly LinkOption[]
  readonly chosen: number
  readonly isPending: boolean
  readonly onPick: (option: LinkOption) => void
  /** What making a new one is called; undefined where it may not be made. */
  readonly newLabel: string | undefined
  readonly onNew: () => void
}

/** What a picker has found, and the way to make what it has not. */
export function PickerList({
  id,
  label,
  options,
  chosen,
  isPending,
  onPick,
  newLabel,
  onNew,
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
        {newLabel === undefined ? null : (
          // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
          <div
            id={`${id}-${options.length}`}
            role="option"
            aria-selected={chosen === options.length}
            className="picker-option picker-new"
            onMouseDown={(event) => {
              event.preventDefault()
              onNew()
            }}
          >
            <span>
              <Icon name="plus" size={14} /> {newLabel}
            </span>
          </div>
        )}
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
