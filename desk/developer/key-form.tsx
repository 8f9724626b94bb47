import { type FormEvent, type ReactElement, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { LongField, TextField } from '../ui/fields.tsx'
import { WORDS } from '../words/en.ts'
import { PAGES } from '../words/pages/en.ts'
import { useChange } from './use-system.ts'

const SCOPES = ['read', 'draft', 'write', 'admin'] as const

/** A new key: what it is for, what it may, from where, and how long. */
export function KeyForm({
  onClose,
  onMade,
}: {
  readonly onClose: () => void
  readonly onMade: (key: string) => void
}): ReactElement {
  const { change, isBusy, refusals } = useChange()
  const [label, setLabel] = useState('')
  const [scope, setScope] = useState<string>('read')
  const [addresses, setAddresses] = useState('')
  const [expires, setExpires] = useState('')
  async function send(event: FormEvent): Promise<void> {
    event.preventDefault()
    const allow_ips = addresses.split(/[\s,]+/).filter(Boolean)
    const made = await change<{ readonly key: string }>('POST', '/v1/api-keys', {
      label,
      scope,
      ...(allow_ips.length > 0 ? { allow_ips } : {}),
      ...(expires === '' ? {} : { expires: `${expires}T23:59:59.000Z` }),
    })
    if (made) onMade(made.key)
  }
  return (
    <Dialog title={PAGES.newKey} onClose={onClose}>
      <form className="dialog-form section-like" onSubmit={(event) => void send(event)}>
        <TextField
          label={PAGES.whatFor}
          value={label}
          onChange={setLabel}
          error={refusals.get('label')}
          required
        />
        <fieldset className="scopes">
          <legend>{PAGES.scope}</legend>
          {SCOPES.map((one) => (
            <label key={one}>
              <input
                type="radio"
                name="scope"
                checked={scope === one}
                onChange={() => setScope(one)}
              />
              <span>
                <strong>{one}</strong>
                <span className="quiet">{PAGES.scopes[one]}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <LongField
          label={PAGES.allowedFrom}
          description={PAGES.allowedFromHint}
          value={addresses}
          onChange={setAddresses}
          error={refusals.get('allow_ips')}
        />
        <TextField
          label={PAGES.expires}
          type="date"
          value={expires}
          onChange={setExpires}
          error={refusals.get('expires')}
        />
        <div className="dialog-actions">
          <Button onClick={onClose}>{WORDS.back}</Button>
          <Button kind="primary" type="submit" busy={isBusy} disabled={label.trim() === ''}>
            {PAGES.makeKey}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
