import { type FormEvent, type ReactElement, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { CheckField, TextField } from '../ui/fields.tsx'
import { WORDS } from '../words/en.ts'
import { PAGES } from '../words/pages/en.ts'
import type { Refusal } from './use-deciding.ts'

interface RefuseProps {
  readonly title: string
  readonly mayDelete: boolean
  readonly onRefuse: (refusal: Refusal) => void
  readonly onClose: () => void
}

/** Asks why a draft is refused, and whether it goes for good; Enter is enough. */
export function RefuseDialog({ title, mayDelete, onRefuse, onClose }: RefuseProps): ReactElement {
  const [reason, setReason] = useState('')
  const [isDeleted, setDeleted] = useState(mayDelete)
  function send(event: FormEvent): void {
    event.preventDefault()
    onRefuse({ reason: reason.trim(), isDeleted })
  }
  return (
    <Dialog title={PAGES.refuseOf(title)} onClose={onClose}>
      <form className="dialog-form section-like" onSubmit={send}>
        <TextField label={PAGES.reason} value={reason} onChange={setReason} />
        {mayDelete ? (
          <CheckField label={PAGES.deleteDraft} value={isDeleted} onChange={setDeleted} />
        ) : null}
        <div className="dialog-actions">
          <Button onClick={onClose}>{WORDS.back}</Button>
          <Button kind="danger" type="submit">
            {PAGES.refuse}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
