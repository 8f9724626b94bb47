import { type FormEvent, type ReactElement, useState } from 'react'
import type { FieldInfo, ResourceInfo, Row } from '../data/types.ts'
import { FieldInput } from '../record/field-input.tsx'
import { Button } from '../ui/button.tsx'
import { ChoiceField } from '../ui/fields.tsx'
import { WORDS } from '../words/en.ts'
import { sentenceCase } from '../words/sentence-case.ts'

/** One field, and the value it gets in all the chosen records. */
export function BulkEdit({
  resource,
  onData,
}: {
  resource: ResourceInfo
  onData: (data: Readonly<Record<string, unknown>>) => void
}): ReactElement {
  const fields = resource.fields.filter(canBeSet)
  const [name, setName] = useState(fields[0]?.name ?? '')
  const [row, setRow] = useState<Row>({})
  const field = fields.find((one) => one.name === name)
  function apply(event: FormEvent): void {
    event.preventDefault()
    onData({ [name]: row[name] ?? null })
  }
  return (
    <form className="filter-form" onSubmit={apply}>
      <ChoiceField
        label={WORDS.field}
        value={name}
        onChange={(next) => {
          setName(next)
          setRow({})
        }}
        choices={fields.map((one) => ({ value: one.name, label: sentenceCase(one.label) }))}
      />
      {field ? (
        <FieldInput
          key={name}
          field={{ ...field, required: false, label: WORDS.newValue }}
          row={row}
          error={undefined}
          onChange={(key, value, title) =>
            setRow({ [key]: value, ...(title ? { _titles: { [key]: title } } : {}) })
          }
        />
      ) : null}
      <Button kind="primary" type="submit" disabled={!field}>
        {WORDS.apply}
      </Button>
    </form>
  )
}

function canBeSet({ readOnly, createOnly, hidden, type, in_list }: FieldInfo): boolean {
  return !readOnly && !createOnly && !hidden && type !== 'table' && in_list
}
