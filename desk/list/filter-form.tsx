import { type FormEvent, type ReactElement, useId, useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { choicesOf, isNumber } from '../data/format.ts'
import { RELATIVE_DAYS, relativeWords } from '../data/relative-day.ts'
import type { FieldInfo, ResourceInfo } from '../data/types.ts'
import { LinkField } from '../record/link-field.tsx'
import { parseNumber } from '../record/parse-number.ts'
import { Button } from '../ui/button.tsx'
import { ChoiceField, TextField } from '../ui/fields.tsx'
import { WORDS } from '../words/en.ts'
import { sentenceCase } from '../words/sentence-case.ts'
import { FieldFinder } from './field-finder.tsx'
import { filterKey } from './list-address.ts'
import type { ListState } from './list-state.ts'

interface FilterFormProps {
  readonly resource: ResourceInfo
  readonly state: ListState
  readonly close: () => void
}

/** A new filter: a field found by typing, a condition, a value; for fields that may be empty that too. */
export function FilterForm({ resource, state, close }: FilterFormProps): ReactElement {
  const fields = resource.fields.filter(
    ({ filterable, operators, name }) => filterable && operators.length > 0 && name !== 'name',
  )
  const [field, setField] = useState<FieldInfo>()
  const [operator, setOperator] = useState('')
  const [value, setValue] = useState('')
  const id = useId()
  if (!field) return <FieldFinder fields={fields} onField={setField} />
  const known = field.operators.includes(operator) ? operator : (field.operators[0] ?? 'eq')
  function apply(event: FormEvent): void {
    event.preventDefault()
    state.change({ [filterKey(field!.name, known)]: value })
    close()
  }
  /** The API takes an empty text for what has no value. */
  function setEmpty(isEmpty: boolean): void {
    state.change({ [filterKey(field!.name, isEmpty ? 'eq' : 'ne')]: '' })
    close()
  }
  return (
    <form className="filter-form" onSubmit={apply} aria-labelledby={id}>
      <h3 id={id}>{sentenceCase(field.label)}</h3>
      {field.operators.length > 1 ? (
        <ChoiceField
          label={WORDS.condition}
          value={known}
          onChange={setOperator}
          choices={field.operators.map((one) => ({ value: one, label: WORDS.ops[one] ?? one }))}
        />
      ) : null}
      <FilterValue key={known} field={field} operator={known} value={value} onChange={setValue} />
      <Button kind="primary" type="submit" disabled={value === ''}>
        {WORDS.apply}
      </Button>
      {field.operators.includes('ne') && !field.required && field.type !== 'check' ? (
        <span className="filter-empty">
          <button type="button" className="link-button" onClick={() => setEmpty(true)}>
            {WORDS.isEmpty}
          </button>
          <button type="button" className="link-button" onClick={() => setEmpty(false)}>
            {WORDS.isFilled}
          </button>
        </span>
      ) : null}
    </form>
  )
}

interface FilterValueProps {
  readonly field: FieldInfo
  readonly operator: string
  readonly value: string
  readonly onChange: (value: string) => void
}

const INPUTS = { date: 'date', datetime: 'datetime-local', time: 'time' } as const

/** The value of a filter, by what kind of field it is of. */
function FilterValue({ field, operator, value, onChange }: FilterValueProps): ReactElement {
  const { formats } = useDesk()
  const [title, setTitle] = useState<string>()
  const shared = { label: WORDS.value, value, onChange }
  const isOne = !['in', 'between', 'like'].includes(operator)
  if (operator === 'between') return <Between field={field} value={value} onChange={onChange} />
  if (field.type === 'check') {
    const choices = [
      { value: 'true', label: WORDS.yes },
      { value: 'false', label: WORDS.no },
    ]
    return <ChoiceField {...shared} choices={choices} />
  }
  if (field.type === 'select' && isOne)
    return <ChoiceField {...shared} choices={choicesOf(field)} />
  if (field.resource && isOne)
    return (
      <LinkField
        label={WORDS.value}
        description={undefined}
        error={undefined}
        required={false}
        target={field.resource}
        id={value}
        title={title}
        onChange={(id, called) => {
          setTitle(called)
          onChange(id ?? '')
        }}
      />
    )
  const kind = isOne ? INPUTS[field.type as keyof typeof INPUTS] : undefined
  if (kind === 'date' || kind === 'datetime-local')
    return <Day {...shared} kind={kind} locale={formats.locale} />
  if (kind) return <TextField {...shared} type={kind} />
  if (isNumber(field) && isOne) return <Numeric {...shared} locale={formats.locale} />
  return <TextField {...shared} placeholder={operator === 'in' ? WORDS.severalHint : ''} />
}

interface ValueProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** A number in the person's own format. */
function Numeric({ label, onChange, locale }: ValueProps & { locale: string }): ReactElement {
  const [typed, setTyped] = useState('')
  return (
    <TextField
      label={label}
      isNumber
      value={typed}
      onChange={(next) => {
        setTyped(next)
        const number = parseNumber(next, locale)
        onChange(typeof number === 'number' ? String(number) : '')
      }}
    />
  )
}

/** A day or moment: one that stays, or one that goes with the day it is looked at. */
function Day({
  kind,
  locale,
  ...shared
}: ValueProps & {
  readonly kind: 'date' | 'datetime-local'
  readonly locale: string
}): ReactElement {
  const [relative, setRelative] = useState('')
  const choices = RELATIVE_DAYS.map((value) => ({
    value,
    label: sentenceCase(relativeWords(value, locale, WORDS.firstDayOf) ?? value),
  }))
  return (
    <>
      <ChoiceField
        label={WORDS.when}
        value={relative}
        choices={[{ value: '', label: WORDS.aDay }, ...choices]}
        onChange={(next) => {
          setRelative(next)
          shared.onChange(next)
        }}
      />
      {relative !== '' ? null : kind === 'date' ? (
        <TextField {...shared} type="date" />
      ) : (
        <Moment {...shared} />
      )}
    </>
  )
}

/** A moment where the person is. */
function Moment({ label, onChange }: ValueProps): ReactElement {
  const [typed, setTyped] = useState('')
  return (
    <TextField
      label={label}
      type="datetime-local"
      value={typed}
      onChange={(next) => {
        setTyped(next)
        onChange(next === '' ? '' : new Date(next).toISOString())
      }}
    />
  )
}

/** Two ends, both of them within. */
function Between({ field, value, onChange }: Omit<FilterValueProps, 'operator'>): ReactElement {
  const [from = '', to = ''] = value.split(',')
  const type = field.type === 'date' ? 'date' : 'text'
  const set = (first: string, last: string): void => onChange(`${first},${last}`)
  return (
    <>
      <TextField
        label={WORDS.valueFrom}
        type={type}
        value={from}
        onChange={(next) => set(next, to)}
      />
      <TextField
        label={WORDS.valueUntil}
        type={type}
        value={to}
        onChange={(next) => set(from, next)}
      />
    </>
  )
}
