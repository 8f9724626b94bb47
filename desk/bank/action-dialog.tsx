import { type FormEvent, type ReactElement, useState } from 'react'
import { ApiError } from '../data/client.ts'
import type { ActionInfo, ResourceInfo, Row } from '../data/types.ts'
import { FieldInput } from '../record/field-input.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { useToast } from '../ui/toast.tsx'
import { WORDS } from '../words/en.ts'
import { sentenceCase } from '../words/sentence-case.ts'
import type { BankLine } from './bank-types.ts'
import { useActions } from './use-lines.ts'

interface DialogProps {
  readonly resource: ResourceInfo
  readonly line: BankLine
  readonly action: ActionInfo
  readonly onClose: () => void
  readonly onDone: () => void
}

/** What an action of a line has to be told before it books. */
export function ActionDialog({
  resource,
  line,
  action,
  onClose,
  onDone,
}: DialogProps): ReactElement {
  const { run } = useActions(resource.slug)
  const tell = useToast()
  const inputs = action.input.filter(({ type }) => type !== 'table')
  // What the line knows by the same name is said for it.
  const [row, setRow] = useState<Row>(() =>
    Object.fromEntries(
      inputs.flatMap(({ name, default: value }) => {
        const known = line[name] ?? value
        return known === undefined || known === null ? [] : [[name, known] as const]
      }),
    ),
  )
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map())
  const [isBusy, setBusy] = useState(false)
  async function send(event: FormEvent): Promise<void> {
    event.preventDefault()
    setBusy(true)
    try {
      const given = inputs.flatMap(({ name }) =>
        row[name] === undefined || row[name] === null || row[name] === ''
          ? []
          : [[name, row[name]] as const],
      )
      await run(line.id, action.name, Object.fromEntries(given))
      onDone()
    } catch (error) {
      const details = error instanceof ApiError ? error.details : []
      setProblems(new Map(details.map(({ field, message }) => [field, message])))
      const isPlaced = details.some(({ field }) => inputs.some(({ name }) => name === field))
      if (!isPlaced) tell((error as Error).message, 'problem')
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog title={sentenceCase(action.label)} onClose={onClose}>
      <form className="dialog-form section-like" onSubmit={(event) => void send(event)}>
        {action.description ? <p className="quiet">{action.description}</p> : null}
        {inputs.map((field) => (
          <FieldInput
            key={field.name}
            field={field}
            row={row}
            error={problems.get(field.name)}
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
          <Button kind="primary" type="submit" busy={isBusy}>
            {sentenceCase(action.label)}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
