import { type FormEvent, type ReactElement, useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import type { SystemPage } from '../developer/developer-types.ts'
import { useChange, useSystem } from '../developer/use-system.ts'
import { useServing } from '../together/serving.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/fields.tsx'
import { useToast } from '../ui/toast.tsx'
import { WORDS } from '../words/en.ts'
import { PAGES } from '../words/pages/en.ts'
import type { Person } from './person-types.ts'

interface FormProps {
  readonly slug: string
  /** Whose roles are changed; undefined for somebody new. */
  readonly person: Person | undefined
  readonly onClose: () => void
}

/** The mail with the link by which somebody chooses their password. */
const MAIL_LINK = '/api/method/frappe.core.doctype.user.user.reset_password'

/** Invites somebody, or changes what they are here. */
export function UserForm({ slug, person, onClose }: FormProps): ReactElement {
  const { client } = useDesk()
  const { change, isBusy, refusals } = useChange()
  const tell = useToast()
  const [email, setEmail] = useState('')
  const [name, setName] = useState('')
  const [roles, setRoles] = useState<ReadonlySet<string>>(
    new Set(person?.roles.map(({ role }) => role)),
  )
  async function send(event: FormEvent): Promise<void> {
    event.preventDefault()
    const table = [...roles].map((role) => ({ role }))
    const made = person
      ? await change<Person>('PATCH', `/v1/${slug}/${encodeURIComponent(person.id)}`, {
          roles: table,
        })
      : await change<Person>('POST', `/v1/${slug}`, { email, full_name: name, roles: table })
    if (!made) return
    if (!person) {
      await client.ask(MAIL_LINK, { method: 'POST', body: { user: email } })
      tell(PAGES.invited(email))
    }
    onClose()
  }
  return (
    <Dialog title={person ? PAGES.rolesOf(person.full_name) : PAGES.invite} onClose={onClose}>
      <form className="dialog-form section-like" onSubmit={(event) => void send(event)}>
        {person ? null : (
          <>
            <TextField
              label={PAGES.mail}
              type="email"
              value={email}
              onChange={setEmail}
              error={refusals.get('email') ?? refusals.get('login')}
              required
            />
            <TextField
              label={PAGES.name}
              value={name}
              onChange={setName}
              error={refusals.get('full_name')}
              required
            />
          </>
        )}
        <RoleChoice chosen={roles} onChange={setRoles} />
        {refusals.has('roles') ? <p className="field-error">{refusals.get('roles')}</p> : null}
        <div className="dialog-actions">
          <Button onClick={onClose}>{WORDS.back}</Button>
          <Button
            kind="primary"
            type="submit"
            busy={isBusy}
            disabled={!person && (email === '' || name === '')}
          >
            {person ? WORDS.save : PAGES.sendInvitation}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

interface ChoiceProps {
  readonly chosen: ReadonlySet<string>
  readonly onChange: (chosen: ReadonlySet<string>) => void
}

/** The roles there are, each with what it is for. */
function RoleChoice({ chosen, onChange }: ChoiceProps): ReactElement {
  const roles = useServing('roles')
  const { data } = useSystem<
    SystemPage<{ readonly id: string; readonly description: string | null }>
  >(`/v1/${roles?.slug}?fields=id,description&limit=100&sort=name&order=asc`, roles !== undefined)
  return (
    <fieldset className="event-picker">
      <legend>{PAGES.peopleParts.roles}</legend>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys */}
      <div className="event-list" tabIndex={0}>
        {(data?.data ?? []).map(({ id, description }) => (
          <label key={id} className="one-event">
            <input
              type="checkbox"
              checked={chosen.has(id)}
              onChange={() => {
                const next = new Set(chosen)
                if (!next.delete(id)) next.add(id)
                onChange(next)
              }}
            />
            <span>{id}</span>
            <span className="quiet">{description}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
