import { type FormEvent, type ReactElement, useMemo, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/fields.tsx'
import { Icon } from '../ui/icon.tsx'
import { WORDS } from '../words/en.ts'
import { PAGES } from '../words/pages/en.ts'
import type { Webhook } from './developer-types.ts'
import { useChange, useSystem } from './use-system.ts'

interface FormProps {
  readonly webhook: Webhook | undefined
  readonly onClose: () => void
  /** Told once it is kept; with its secret where it is new. */
  readonly onMade: (secret: string | undefined) => void
}

/** An address and what it is told of. */
export function WebhookForm({ webhook, onClose, onMade }: FormProps): ReactElement {
  const { change, isBusy, refusals } = useChange()
  const [url, setUrl] = useState(webhook?.url ?? 'https://')
  const [label, setLabel] = useState(webhook?.label ?? '')
  const [events, setEvents] = useState<ReadonlySet<string>>(new Set(webhook?.events ?? []))
  async function send(event: FormEvent): Promise<void> {
    event.preventDefault()
    const body = { url, events: [...events], label: label === '' ? null : label }
    const made = webhook
      ? await change<Webhook>('PATCH', `/v1/webhooks/${webhook.id}`, body)
      : await change<{ readonly secret: string }>('POST', '/v1/webhooks', body)
    if (made) onMade('secret' in made ? made.secret : undefined)
  }
  return (
    <Dialog title={webhook ? PAGES.change : PAGES.newWebhook} onClose={onClose} wide>
      <form className="dialog-form section-like" onSubmit={(event) => void send(event)}>
        <TextField
          label={PAGES.address}
          type="url"
          value={url}
          onChange={setUrl}
          error={refusals.get('url')}
          required
        />
        <TextField
          label={PAGES.whatFor}
          value={label}
          onChange={setLabel}
          error={refusals.get('label')}
        />
        <EventPicker chosen={events} onChange={setEvents} error={refusals.get('events')} />
        <div className="dialog-actions">
          <Button onClick={onClose}>{WORDS.back}</Button>
          <Button kind="primary" type="submit" busy={isBusy} disabled={events.size === 0}>
            {WORDS.save}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

interface EventType {
  readonly event: string
  readonly resource: string
  readonly description: string
}

interface PickerProps {
  readonly chosen: ReadonlySet<string>
  readonly onChange: (chosen: ReadonlySet<string>) => void
  readonly error: string | undefined
}

/** Events of every kind, one by one, all of a resource (`sales-orders.*`), or all there are (`*`). */
function EventPicker({ chosen, onChange, error }: PickerProps): ReactElement {
  const { data } = useSystem<{ readonly data: readonly EventType[] }>('/v1/webhooks/events')
  const [sought, setSought] = useState('')
  const groups = useMemo(() => {
    const words = sought.trim().toLowerCase()
    const found = (data?.data ?? []).filter(({ event, description }) =>
      `${event} ${description}`.toLowerCase().includes(words),
    )
    return [...Map.groupBy(found, ({ resource }) => resource)]
  }, [data, sought])
  const isAll = chosen.has('*')
  function toggle(event: string): void {
    const next = new Set(chosen)
    if (!next.delete(event)) {
      next.add(event)
      // What all of a resource have in it need not be named beside it.
      const all = event === '*' ? '' : event.endsWith('.*') ? event.slice(0, -1) : undefined
      if (all !== undefined)
        for (const other of chosen) if (other.startsWith(all)) next.delete(other)
    }
    onChange(next)
  }
  return (
    <fieldset className="event-picker">
      <legend>{PAGES.events}</legend>
      <div className="event-chosen">
        {[...chosen].map((event) => (
          <button
            key={event}
            type="button"
            className="chip active"
            aria-label={WORDS.remove(event)}
            onClick={() => toggle(event)}
          >
            <code>{event}</code>
            <Icon name="x" size={12} />
          </button>
        ))}
      </div>
      {error ? <p className="field-error">{error}</p> : null}
      <div className="event-find">
        <span className="search-box">
          <Icon name="search" size={14} />
          <input
            type="search"
            aria-label={PAGES.findEvent}
            placeholder={PAGES.findEvent}
            value={sought}
            onChange={(event) => setSought(event.currentTarget.value)}
          />
        </span>
        <label className="all-events">
          <input type="checkbox" checked={isAll} onChange={() => toggle('*')} />
          {PAGES.allEvents}
        </label>
      </div>
      <EventList groups={groups} chosen={chosen} onToggle={toggle} />
    </fieldset>
  )
}

interface ListProps {
  readonly groups: readonly (readonly [resource: string, own: readonly EventType[]])[]
  readonly chosen: ReadonlySet<string>
  readonly onToggle: (event: string) => void
}

function EventList({ groups, chosen, onToggle }: ListProps): ReactElement {
  const isAll = chosen.has('*')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
    <div className="event-list" tabIndex={0}>
      {groups.slice(0, 60).map(([resource, own]) => (
        <div key={resource}>
          <label>
            <input
              type="checkbox"
              checked={isAll || chosen.has(`${resource}.*`)}
              disabled={isAll}
              onChange={() => onToggle(`${resource}.*`)}
            />
            <code>{resource}.*</code>
          </label>
          {own.map(({ event, description }) => (
            <label key={event} className="one-event" title={description}>
              <input
                type="checkbox"
                checked={isAll || chosen.has(`${resource}.*`) || chosen.has(event)}
                disabled={isAll || chosen.has(`${resource}.*`)}
                onChange={() => onToggle(event)}
              />
              <span>{event.slice(resource.length + 1)}</span>
              <span className="quiet">{description}</span>
            </label>
          ))}
        </div>
      ))}
    </div>
  )
}
