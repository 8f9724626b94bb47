import { type ReactElement, useState } from 'react'
import { useChange } from '../developer/use-system.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ChoiceField } from '../ui/fields.tsx'
import { useToast } from '../ui/toast.tsx'
import { WORDS } from '../words/en.ts'
import { PAGES } from '../words/pages/en.ts'
import type { Person } from './person-types.ts'

interface LeaveProps {
  readonly slug: string
  readonly person: Person
  /** Who can take over. */
  readonly others: readonly Person[]
  readonly onClose: () => void
}

/** What ended when somebody left. */
interface Left {
  readonly sessions: number
  readonly pairs: number
  readonly keys: readonly string[]
}

/** Sees somebody off: ends all that lets them in, and hands over what they still had to do. */
export function LeaveDialog({ slug, person, others, onClose }: LeaveProps): ReactElement {
  const { change, isBusy } = useChange()
  const tell = useToast()
  const [successor, setSuccessor] = useState('')
  async function leave(): Promise<void> {
    const path = `/v1/${slug}/${encodeURIComponent(person.id)}/leave`
    const left = await change<Left>(
      'POST',
      path,
      successor === '' ? {} : { hand_over_to: successor },
    )
    if (!left) return
    tell(PAGES.hasLeft(person.full_name, String(left.sessions), String(left.keys.length)))
    onClose()
  }
  return (
    <Dialog title={PAGES.leavesTitle(person.full_name)} onClose={onClose}>
      <p>{PAGES.leavesAbout}</p>
      <ChoiceField
        label={PAGES.successor}
        value={successor}
        onChange={setSuccessor}
        choices={others.map(({ id, full_name }) => ({ value: id, label: full_name }))}
      />
      <div className="dialog-actions">
        <Button onClick={onClose}>{WORDS.back}</Button>
        <Button kind="danger" busy={isBusy} onClick={() => void leave()}>
          {PAGES.leaves}
        </Button>
      </div>
    </Dialog>
  )
}
