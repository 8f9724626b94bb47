import { type FormEvent, type ReactElement, useState } from 'react'
import type { FieldInfo, Row } from '../data/types.ts'
import { placeProblems } from '../draft/problems.ts'
import type { Writes } from '../draft/use-writes.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { WORDS } from '../words/en.ts'
import { FieldInput } from './field-input.tsx'
import type { NextStep } from './steps.ts'

interface ActionFormProps {
  readonly step: NextStep
  readonly writes: Writes
  readonly onClose: () => void
}

/** What an action has to be told before it runs. */
export function ActionForm({ step, writes, onClose }: ActionFormProps): ReactElement {
  const inputs = (step.input ?? []).filter(({ type }) => type !== 'table')
  const [row, setRow] = useState<Row>(() => firstValues(inputs))
  const problems = placeProblems(writes.problems.all).fields
  async function run(event: FormEvent): Promise<void> {
    event.preventDefault()
    const body = Object.fromEntries(
      inputs.flatMap(({ name }) =>
        row[name] === undefined || row[name] === '' ? [] : [[name, row[name]] as const],
      ),
    )
    if (await writes.act(step, body)) onClose()
  }
  return (
    <Dialog title={step.label} onClose={onClose}>
      <form className="dialog-form section-like" onSubmit={(event) => void run(event)}>
        {step.hint ? <p className="quiet">{step.hint}</p> : null}
        {inputs.map((field) => (
          <FieldInput
            key={field.name}
            field={field}
            row={row}
            error={problems[field.name]}
            onChange={(name, value, title) =>
              setRow((before) => ({
                ...before,
                [name]: value,
                _titles: { ...before._titles, ...(title ? { [name]: title } : {}) },
              }))
            }
          />
        ))}
        <div className="dialog-actions">
          <Button onClick={onClose}>{WORDS.back}</Button>
          <Button kind="primary" type="submit" busy={writes.isBusy}>
            {step.label}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function firstValues(inputs: readonly FieldInfo[]): Row {
  return Object.fromEntries(
    inputs.flatMap(({ name, default: value }) =>
      value === undefined ? [] : [[name, value] as const],
    ),
  )
}
