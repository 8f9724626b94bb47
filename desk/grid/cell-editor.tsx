import '../style/grid.css'
import { type KeyboardEvent, type ReactElement, useRef, useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { choicesOf, isNumber } from '../data/format.ts'
import type { FieldInfo, Row } from '../data/types.ts'
import { LinkPicker } from '../record/link-picker.tsx'
import { sentenceCase } from '../words/sentence-case.ts'
import { cellValue, editedText } from './cell-value.ts'
import type { EndedEdit } from './use-grid.ts'

interface CellEditorProps {
  readonly field: FieldInfo
  readonly row: Row
  /** The key that began the editing, which stands in place of what was there. */
  readonly typed: string | undefined
  readonly onDone: (ended: EndedEdit) => void
  /** Whether what is typed into a link may be taken before it is found; otherwise the editor waits for it. */
  readonly isSeeking?: boolean
  readonly onLeave: () => void
}

/** The key that ends the editing of a cell, if it is one. */
function endOf({ key, ctrlKey, metaKey }: KeyboardEvent): EndedEdit['key'] | undefined {
  if (key === 'Enter' || key === 'Tab') return ctrlKey || metaKey ? 'stay' : key
  // What is saved has what is being typed.
  return (ctrlKey || metaKey) && key.toLowerCase() === 's' ? 'stay' : undefined
}

/** The one live editor of a grid. */
export function CellEditor(props: CellEditorProps): ReactElement {
  const { field, row, typed, onDone, onLeave } = props
  const { formats, slugOf } = useDesk()
  const [first] = useState(() => editedText(field, row, formats.locale))
  const [text, setText] = useState(typed ?? first)
  const isOver = useRef(false)
  const label = sentenceCase(field.label)
  const target = field.resource ?? slugOf(row[field.resource_from ?? ''])

  const finish: CellEditorProps['onDone'] = (ended) => {
    if (isOver.current) return
    isOver.current = true
    onDone(ended)
  }
  const end = (key: EndedEdit['key'], isShifted = false): void => {
    // What nobody has changed stays what it was: perhaps only what the server would put there.
    const isSame = typed === undefined && text === first
    const taken = isSame ? undefined : { value: cellValue(field, text, formats.locale) }
    finish({ name: field.name, taken, key, isShifted })
  }

  function press(event: KeyboardEvent): void {
    const key = endOf(event)
    if (key !== 'stay') event.stopPropagation()
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') {
      isOver.current = true
      onLeave()
    } else if (key) {
      if (key !== 'stay') event.preventDefault()
      end(key, event.shiftKey)
    }
  }

  if (target !== '') return <LinkCell {...props} target={target} label={label} finish={finish} />
  if (field.type === 'select')
    return (
      <select
        className="cell-input"
        aria-label={label}
        // biome-ignore lint/a11y/noAutofocus: it opens under the hand
        autoFocus
        value={text}
        onKeyDown={press}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={() => end('leave')}
      >
        <option value="" />
        {choicesOf(field).map((one) => (
          <option key={one.value} value={one.value}>
            {one.label}
          </option>
        ))}
      </select>
    )
  return (
    <input
      className={isNumber(field) ? 'cell-input number' : 'cell-input'}
      type={field.type === 'date' ? 'date' : 'text'}
      inputMode={isNumber(field) ? 'decimal' : undefined}
      aria-label={label}
      autoComplete="off"
      // biome-ignore lint/a11y/noAutofocus: it opens under the hand
      autoFocus
      value={text}
      onFocus={(event) => {
        if (typed === undefined && field.type !== 'date') event.currentTarget.select()
      }}
      onKeyDown={press}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={() => end('leave')}
    />
  )
}

type LinkCellProps = CellEditorProps & {
  readonly target: string
  readonly label: string
  readonly finish: CellEditorProps['onDone']
}

/** The editor of a link: the picker, which ends the editing by what is picked. */
function LinkCell({
  field,
  row,
  typed,
  target,
  label,
  isSeeking,
  finish,
  onLeave,
}: LinkCellProps): ReactElement {
  const { formats } = useDesk()
  const isOver = useRef(false)
  const [first] = useState(() => editedText(field, row, formats.locale))
  const end = (ended: Omit<EndedEdit, 'name'>): void => {
    isOver.current = true
    finish({ name: field.name, ...ended })
  }
  // What nobody knows yet stands as it was typed until it is found.
  const sought = (text: string, key: EndedEdit['key'], isSought: 'exact' | 'first'): void =>
    end({ key, taken: { value: text }, isSought })
  return (
    <LinkPicker
      className="in-cell"
      target={target}
      title={first}
      label={label}
      typed={typed}
      autoFocus
      onPick={(id, title) => {
        // What comes next stands beside it: how much of it.
        if (id !== null) end({ key: 'Tab', taken: { value: id, title } })
      }}
      {...(isSeeking
        ? {
            onTyped: (text: string, event: KeyboardEvent) => {
              const isStaying = endOf(event) === 'stay'
              if (!isStaying) event.stopPropagation()
              event.preventDefault()
              sought(text, isStaying ? 'stay' : 'Tab', 'first')
            },
          }
        : {})}
      onKey={(event) => {
        const key = endOf(event)
        if (key !== 'stay') event.stopPropagation()
        if (isOver.current) return event.preventDefault()
        if (event.key === 'Escape') onLeave()
        if (!key) return
        if (key !== 'stay') event.preventDefault()
        const { value } = event.currentTarget
        const isShifted = event.shiftKey
        if (value === first || (value !== '' && !isSeeking)) end({ key, isShifted })
        else if (value === '') end({ key, isShifted, taken: { value: null } })
        else sought(value, key, key === 'stay' ? 'first' : 'exact')
      }}
      onLeave={(text) => {
        if (isOver.current) return
        if (!isSeeking || text === undefined || text === '' || text === first) onLeave()
        else sought(text, 'leave', 'exact')
      }}
    />
  )
}
