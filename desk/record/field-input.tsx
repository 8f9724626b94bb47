import { type ReactElement, useState } from 'react'
import { flushSync } from 'react-dom'
import { useDesk } from '../boot/desk-context.ts'
import { choicesOf, formatValue, isMoney, isNumber } from '../data/format.ts'
import { mustFill } from '../data/must-fill.ts'
import type { FieldInfo, Row } from '../data/types.ts'
import { AttachField } from '../together/attach-field.tsx'
import { CheckField, ChoiceField, LongField, TextField } from '../ui/fields.tsx'
import { sentenceCase } from '../words/sentence-case.ts'
import { LinkField } from './link-field.tsx'
import { parseNumber, typedNumber } from './parse-number.ts'

interface FieldInputProps {
  readonly field: FieldInfo
  readonly row: Row
  readonly error: string | undefined
  readonly onChange: (name: string, value: unknown, title?: string) => void
}

const LONG = new Set(['text', 'small_text', 'long_text', 'markdown', 'html', 'code', 'json'])

const INPUT_TYPES = {
  date: 'date',
  time: 'time',
  email: 'email',
  url: 'url',
  phone: 'tel',
  color: 'color',
  password: 'password',
} as const

/** The input of a field, by what kind of value it takes. */
export function FieldInput({ field, row, error, onChange }: FieldInputProps): ReactElement {
  const { name, type, description } = field
  const value = row[name]
  const shared = {
    label: sentenceCase(field.label),
    description,
    error,
    required: mustFill(field),
    name,
  }
  const change = (next: unknown, title?: string): void => onChange(name, next, title)
  const { slugOf } = useDesk()
  const target = field.resource ?? slugOf(row[field.resource_from ?? ''])
  if (type === 'check') return <CheckField {...shared} value={value === true} onChange={change} />
  if (type === 'select')
    return (
      <ChoiceField {...shared} value={text(value)} choices={choicesOf(field)} onChange={change} />
    )
  if (target !== '')
    return (
      <LinkField
        {...shared}
        target={target}
        id={text(value)}
        title={row._titles?.[name]}
        onChange={change}
      />
    )
  if (type.startsWith('attach'))
    return <AttachField {...shared} value={text(value)} onChange={change} />
  if (LONG.has(type))
    return (
      <LongField
        {...shared}
        value={longText(value)}
        onChange={(next) => change(type === 'json' ? jsonOf(next) : next)}
      />
    )
  if (isNumber(field))
    return <NumberField {...shared} field={field} row={row} value={value} onChange={change} />
  if (type === 'datetime')
    return (
      <TextField
        {...shared}
        type="datetime-local"
        value={localMoment(value)}
        onChange={(next) => change(next === '' ? null : new Date(next).toISOString())}
      />
    )
  const kind = INPUT_TYPES[type as keyof typeof INPUT_TYPES] ?? 'text'
  return (
    <TextField
      {...shared}
      type={kind}
      value={kind === 'time' ? text(value).slice(0, 5) : text(value)}
      onChange={change}
    />
  )
}

function text(value: unknown): string {
  return value === null || value === undefined ? '' : String(value)
}

function longText(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value, null, 2) : text(value)
}

/** What cannot be read as JSON goes as it is: the server says what is wrong with it. */
function jsonOf(typed: string): unknown {
  try {
    return typed.trim() === '' ? null : JSON.parse(typed)
  } catch (_unfinished) {
    return typed
  }
}

function localMoment(value: unknown): string {
  if (typeof value !== 'string' || value === '') return ''
  const date = new Date(value)
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}

interface NumberFieldProps {
  readonly label: string
  readonly description: string | undefined
  readonly error: string | undefined
  readonly required: boolean
  readonly name: string
  readonly field: FieldInfo
  readonly row: Row
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}

/**
 * A number in the person's own format; money with groups and its currency while nobody types. What is none yet stays as it
 * was typed, and the server says so.
 */
function NumberField({ field, row, value, onChange, ...shared }: NumberFieldProps): ReactElement {
  const { formats } = useDesk()
  const [typed, setTyped] = useState<string>()
  const [isIn, setIn] = useState(false)
  const read = typeof value === 'number' && isMoney(field) && !isIn
  return (
    <TextField
      {...shared}
      isNumber
      value={
        typed ?? (read ? formatValue(field, row, formats) : typedNumber(value, formats.locale))
      }
      onFocus={({ currentTarget: input }) => {
        // What is typed next takes the place of the number that stands there now.
        flushSync(() => setIn(true))
        input.select()
      }}
      onBlur={() => {
        setIn(false)
        setTyped(undefined)
      }}
      onChange={(next) => {
        setTyped(next)
        const number = parseNumber(next, formats.locale)
        onChange(number === undefined ? next : number)
      }}
    />
  )
}
