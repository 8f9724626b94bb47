import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactElement, type SyntheticEvent, useState } from 'react'
import { createPortal } from 'react-dom'
import { useDesk } from '../boot/desk-context.ts'
import { ApiError } from '../data/client.ts'
import { mustFill } from '../data/must-fill.ts'
import { useResource } from '../data/queries.ts'
import type { RecordData, ResourceInfo, Row } from '../data/types.ts'
import { placeProblems } from '../draft/problems.ts'
import { titleField } from '../list/list-state.ts'
import { titleOf } from '../list/row-parts.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { useToast } from '../ui/toast.tsx'
import { WORDS } from '../words/en.ts'
import { inSentence } from '../words/sentence-case.ts'
import { FieldInput } from './field-input.tsx'
import type { NewLinkedProps } from './record-context.ts'

/** Makes the record that a link was to lead to, of what has to be filled; the field it was begun from takes it. */
export function NewLinked(props: NewLinkedProps): ReactElement | null {
  const { data: resource } = useResource(props.target)
  if (!resource) return null
  // What is pressed in it is not for the grid that it was opened from.
  const keep = (event: SyntheticEvent): void => event.stopPropagation()
  return createPortal(
    // biome-ignore lint/a11y/noStaticElementInteractions: it only keeps to itself what happens in the dialog
    <div
      onKeyDown={keep}
      onMouseDown={keep}
      onFocus={keep}
      onBlur={keep}
      onPaste={keep}
      onDoubleClick={keep}
    >
      <NewForm {...props} resource={resource} />
    </div>,
    document.body,
  )
}

function NewForm({
  resource,
  target,
  text,
  onMade,
  onClose,
}: NewLinkedProps & { resource: ResourceInfo }): ReactElement {
  const { client } = useDesk()
  const queries = useQueryClient()
  const tell = useToast()
  const title = titleField(resource)
  const fields = resource.fields.filter(
    (field) =>
      (mustFill(field) || field.name === title) && !field.readOnly && field.type !== 'table',
  )
  const [row, setRow] = useState<Row>(() => (text === '' ? {} : { [title]: text }))
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const [isBusy, setBusy] = useState(false)
  async function make(event: FormEvent): Promise<void> {
    event.preventDefault()
    event.stopPropagation()
    setBusy(true)
    try {
      const { _titles: _shown, ...body } = row
      const made = await client.ask<RecordData>(`/v1/${target}`, { method: 'POST', body })
      void queries.invalidateQueries({ queryKey: ['options', target] })
      onMade(made.body.id, titleOf(resource, made.body))
    } catch (error) {
      setBusy(false)
      if (error instanceof ApiError && error.details.length > 0)
        setProblems(placeProblems(error.details).fields)
      tell((error as Error).message, 'problem')
    }
  }
  return (
    <Dialog title={WORDS.newOne(inSentence(resource.label))} onClose={onClose}>
      <form className="dialog-form section-like" onSubmit={(event) => void make(event)}>
        {fields.map((field) => (
          <FieldInput
            key={field.name}
            field={field}
            row={row}
            error={problems[field.name]}
            onChange={(name, value, shown) =>
              setRow((before) => ({
                ...before,
                [name]: value,
                _titles: { ...before._titles, ...(shown ? { [name]: shown } : {}) },
              }))
            }
          />
        ))}
        <div className="dialog-actions">
          <Button onClick={onClose}>{WORDS.back}</Button>
          <Button kind="primary" type="submit" busy={isBusy}>
            {WORDS.save}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
