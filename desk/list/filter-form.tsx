import { type FormEvent, type ReactElement, useState } from 'react'
import { choicesOf } from '../data/format.ts'
import type { FieldInfo, ResourceInfo } from '../data/types.ts'
import { Button } from '../ui/button.tsx'
import { ChoiceField, TextField } from '../ui/fields.tsx'
import { WORDS } from '../words/en.ts'
import { sentenceCase } from '../words/sentence-case.ts'
import { filterKey, type ListState } from './list-state.ts'

interface FilterFormProps {
  readonly resource: ResourceInfo
  readonly state: ListState
  readonly close: () => void
}

/** A new filter: a field, a condition, a value. */
export function FilterForm({ resource, state, close }: FilterFormProps): ReactElement {
  const fields = resource.fields.filter(
    ({ filterable, operators, name }) => filterable && operators.length > 0 && name !== 'name',
  )
  const [name, setName] = useState(fields[0]?.name ?? '')
  const field = fields.find((one) => one.name === name)
  const [operator, setOperator] = useState('eq')
  const [value, setValue] = useState('')
  const known = field?.operators.includes(operator) ? operator : (field?.operators[0] ?? 'eq')
  function apply(event: FormEvent): void {
    event.preventDefault()
    state.change({ [filterKey(name, known)]: value })
    close()
  }
  return (
    <form className="filter-form" onSubmit={apply}>
      <ChoiceField
        label={WORDS.field}
        value={name}
        onChange={(next) => {
          setName(next)
          setValue('')
        }}
        choices={fields.map((one) => ({ value: one.name, label: sentenceCase(one.label) }))}
      />
      <ChoiceField
        label={WORDS.condition}
        value={known}
        onChange={setOperator}
        choices={(field?.operators ?? []).map((one) => ({
          value: one,
          label: WORDS.ops[one] ?? one,
        }))}
      />
      {field ? <FilterValue field={field} value={value} onChange={setValue} /> : null}
      <Button kind="primary" type="submit" disabled={value === ''}>
        {WORDS.apply}
      </Button>
    </form>
  )
}

interface FilterValueProps {
  readonly field: FieldInfo
  readonly value: string
  readonly onChange: (value: string) => void
}

function FilterValue({ field, value, onChange }: FilterValueProps): ReactElement {
  const shared = { label: WORDS.value, value, onChange }
  if (field.type === 'check') {
    const choices = [
      { value: 'true', label: WORDS.yes },
      { value: 'false', label: WORDS.no },
    ]
    return <ChoiceField {...shared} choices={choices} />
  }
  if (field.type === 'select') return <ChoiceField {...shared} choices={choicesOf(field)} />
  return <TextField {...shared} type={field.type === 'date' ? 'date' : 'text'} />
}
