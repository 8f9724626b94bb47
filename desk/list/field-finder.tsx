import { type KeyboardEvent, type ReactElement, useId, useState } from 'react'
import type { FieldInfo } from '../data/types.ts'
import { WORDS } from '../words/en.ts'
import { sentenceCase } from '../words/sentence-case.ts'

/** Finds a field by typing: the arrows choose among those that fit, Enter takes the first or the chosen one. */
export function FieldFinder({
  fields,
  onField,
}: {
  fields: readonly FieldInfo[]
  onField: (field: FieldInfo) => void
}): ReactElement {
  const id = useId()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const words = text.toLowerCase().trim()
  const named = fields.map((field) => ({
    field,
    label: sentenceCase(field.name === 'modified' ? WORDS.updated : field.label),
  }))
  const found = named
    .filter(({ label, field }) => label.toLowerCase().includes(words) || field.name.includes(words))
    .sort((a, b) => rank(a.label, words) - rank(b.label, words))
  const chosen = Math.min(at, found.length - 1)
  function press(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && found.length > 0) setAt((chosen + step + found.length) % found.length)
    else if (event.key === 'Enter' && found[chosen]) onField(found[chosen].field)
    else return
    event.preventDefault()
  }
  return (
    <div className="filter-form finder">
      <input
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={found[chosen] ? `${id}-${chosen}` : undefined}
        aria-label={WORDS.field}
        placeholder={WORDS.field}
        autoComplete="off"
        // biome-ignore lint/a11y/noAutofocus: the sheet opens to be typed in
        autoFocus
        value={text}
        onKeyDown={press}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setAt(0)
        }}
      />
      <div id={id} role="listbox" aria-label={WORDS.field} className="finder-list">
        {found.map(({ field, label }, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
          <div
            key={field.name}
            id={`${id}-${place}`}
            role="option"
            tabIndex={-1}
            aria-selected={place === chosen}
            className="finder-option"
            onClick={() => onField(field)}
          >
            {label}
          </div>
        ))}
      </div>
      {found.length === 0 ? <p className="quiet">{WORDS.nothingFound}</p> : null}
    </div>
  )
}

function rank(label: string, words: string): number {
  return label.toLowerCase().startsWith(words) ? 0 : 1
}
