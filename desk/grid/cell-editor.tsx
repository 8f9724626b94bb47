import { type KeyboardEvent, type ReactElement, useRef, useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { choicesOf, isNumber } from '../data/format.ts'
import type { FieldInfo, Row } from '../data/types.ts'
import { LinkPicker } from '../record/link-picker.tsx'
import { sentenceCase } from '../words/sentence-case.ts'
import { cellValue, editedText } from './cell-value.ts'

interface CellEditorProps {
  readonly field: FieldInfo
  readonly row: Row
  /** The key that began the editing, which stands in place of what was there. */
  readonly typed: string | undefined
  /** Takes a value; `key` is the one that ended the editing. */
  readonly onDone: (
    value: unknown,
    title: string | undefined,
    key: string,
    isShifted: boolean,
    typedOn?: string,
  ) => void
  readonly onLeave: () => void
}

const ENDS = new Set(['Enter', 'Tab'])

/** The one live editor of a grid. */
export function CellEditor(props: CellEditorProps): ReactElement {
  const { field, row, typed, onDone, onLeave } = props
  const { formats, slugOf } = useDesk()
  const [text, setText] = useState(typed ?? editedText(field, row, formats.locale))
  const isOver = useRef(false)
  const label = sentenceCase(field.label)
  const target = field.resource ?? slugOf(row[field.resource_from ?? ''])
  const value = (): unknown => cellValue(field, text, formats.locale)

  const finish: CellEditorProps['onDone'] = (...ended) => {
    if (isOver.current) return
    isOver.current = true
    onDone(...ended)
  }

  function press(event: KeyboardEvent): void {
    event.stopPropagation()
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') {
      isOver.current = true
      onLeave()
    } else if (ENDS.has(event.key)) {
      event.preventDefault()
      finish(value(), undefined, event.key, event.shiftKey)
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
        onBlur={() => finish(value(), undefined, '', false)}
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
      onBlur={() => finish(value(), undefined, '', false)}
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
  finish,
  onLeave,
}: LinkCellProps): ReactElement {
  const { formats } = useDesk()
  const isOver = useRef(false)
  return (
    <LinkPicker
      className="in-cell"
      target={target}
      title={editedText(field, row, formats.locale)}
      label={label}
      typed={typed}
      autoFocus
      onPick={(id, title, typedOn) => {
        if (id === null) return
        isOver.current = true
        // What comes next stands beside it: how much of it.
        finish(id, title, 'Tab', false, typedOn)
      }}
      onKey={(event) => {
        event.stopPropagation()
        if (isOver.current) return event.preventDefault()
        if (event.key === 'Escape') onLeave()
        if (!ENDS.has(event.key)) return
        event.preventDefault()
        const isEmptied = event.currentTarget.value === ''
        finish(
          isEmptied ? null : row[field.name],
          row._titles?.[field.name],
          event.key,
          event.shiftKey,
        )
      }}
      onLeave={() => {
        if (!isOver.current) onLeave()
      }}
    />
  )
}
