import { type FormEvent, type ReactElement, useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import type { SavedView } from '../data/types.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { CheckField, ChoiceField, TextField } from '../ui/fields.tsx'
import { WORDS } from '../words/en.ts'
import type { ViewNaming } from './saved-views.ts'

interface ViewFormProps {
  /** The view that is renamed; undefined for a new one. */
  readonly view: SavedView | undefined
  readonly onSave: (naming: ViewNaming) => void
  readonly onClose: () => void
}

/** Names a view, and says who sees it. */
export function ViewForm({ view, onSave, onClose }: ViewFormProps): ReactElement {
  const { boot } = useDesk()
  const [title, setTitle] = useState(view?.title ?? '')
  const [role, setRole] = useState(view?.shared_with ?? '')
  const [isDefault, setDefault] = useState(view?.is_default ?? false)
  function save(event: FormEvent): void {
    event.preventDefault()
    onSave({ title, shared_with: role === '' ? null : role, is_default: isDefault })
  }
  return (
    <Dialog title={view ? WORDS.renameView : WORDS.saveView} onClose={onClose}>
      <form className="dialog-form" onSubmit={save}>
        <TextField label={WORDS.viewTitle} value={title} onChange={setTitle} required />
        <ChoiceField
          label={WORDS.sharedWith}
          description={WORDS.sharedHint}
          value={role}
          onChange={setRole}
          choices={boot.person.roles.map((one) => ({ value: one, label: one }))}
        />
        <CheckField label={WORDS.defaultView} value={isDefault} onChange={setDefault} />
        <div className="dialog-actions">
          <Button onClick={onClose}>{WORDS.back}</Button>
          <Button kind="primary" type="submit" disabled={title.trim() === ''}>
            {WORDS.save}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
