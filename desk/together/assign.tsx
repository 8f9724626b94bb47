import { type ReactElement, useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { recordPath } from '../data/client.ts'
import type { RecordData, ResourceInfo } from '../data/types.ts'
import { LinkField } from '../record/link-field.tsx'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/fields.tsx'
import { Icon } from '../ui/icon.tsx'
import { Popover } from '../ui/popover.tsx'
import { useToast } from '../ui/toast.tsx'
import { WORDS } from '../words/en.ts'
import { useServing } from './serving.ts'
import { useTellAgain } from './use-timeline.ts'

interface AssignProps {
  readonly resource: ResourceInfo
  readonly record: RecordData
}

/** Gives a record to somebody, as something to do about it. */
export function AssignButton(props: AssignProps): ReactElement | null {
  const people = useServing('users')
  const todos = useServing('todos')
  if (!people || !todos?.can.includes('create')) return null
  return (
    <Popover
      label={WORDS.assign}
      className="link-button"
      trigger={
        <>
          <Icon name="user-plus" size={14} />
          {WORDS.assign}
        </>
      }
    >
      {(close) => <AssignForm {...props} people={people.slug} close={close} />}
    </Popover>
  )
}

function AssignForm({
  resource,
  record,
  people,
  close,
}: AssignProps & { people: string; close: () => void }): ReactElement {
  const { client } = useDesk()
  const tell = useToast()
  const again = useTellAgain()
  const [to, setTo] = useState<{ id: string; title: string }>()
  const [description, setDescription] = useState('')
  const [due, setDue] = useState('')
  const [isBusy, setBusy] = useState(false)
  async function send(): Promise<void> {
    if (!to) return
    setBusy(true)
    try {
      const body = {
        to: [to.id],
        ...(description.trim() === '' ? {} : { description }),
        ...(due === '' ? {} : { due }),
      }
      await client.ask(recordPath(resource.slug, record.id, 'assign'), { method: 'POST', body })
      close()
      tell(WORDS.assigned(to.title))
      await again(resource.slug, record.id)
    } catch (error) {
      tell((error as Error).message, 'problem')
      setBusy(false)
    }
  }
  return (
    <form
      className="sheet-form section-like"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <LinkField
        label={WORDS.assignTo}
        description={undefined}
        error={undefined}
        required
        target={people}
        id={to?.id ?? ''}
        title={to?.title}
        onChange={(id, title) => setTo(id === null ? undefined : { id, title: title ?? id })}
      />
      <TextField label={WORDS.whatToDo} value={description} onChange={setDescription} />
      <TextField label={WORDS.due} type="date" value={due} onChange={setDue} />
      <div className="dialog-actions">
        <Button kind="primary" type="submit" busy={isBusy} disabled={!to}>
          {WORDS.assign}
        </Button>
      </div>
    </form>
  )
}
