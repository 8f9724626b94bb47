import { type FormEvent, type ReactElement, useState } from 'react'
import { useSystem } from '../developer/use-system.ts'
import { LinkPicker } from '../record/link-picker.tsx'
import { useServing } from '../together/serving.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { PAGES } from '../words/pages/en.ts'
import type { ToldRight } from './person-types.ts'

/** Why somebody may or may not do something with a record: the person and the address of the record are asked for. */
export function AccessWhy(): ReactElement {
  const users = useServing('users')
  const [person, setPerson] = useState<{ readonly id: string; readonly title: string }>()
  const [record, setRecord] = useState('')
  const [asked, setAsked] = useState('')
  const { data, error } = useSystem<{ readonly rights: readonly ToldRight[] }>(
    `/v1/access/why?${asked}`,
    asked !== '',
  )
  function ask(event: FormEvent): void {
    event.preventDefault()
    if (person)
      setAsked(new URLSearchParams({ person: person.id, record: pathOf(record) }).toString())
  }
  return (
    <section className="access-why" aria-labelledby="access-why">
      <h2 id="access-why">{PAGES.whyTitle}</h2>
      <form onSubmit={ask}>
        <span className="why-who">{PAGES.who}</span>
        <LinkPicker
          target={users?.slug ?? ''}
          title={person?.title ?? ''}
          label={PAGES.who}
          onPick={(id, title) => setPerson(id === null ? undefined : { id, title: title ?? id })}
        />
        <input
          className="why-record"
          aria-label={PAGES.recordAddress}
          placeholder={PAGES.recordAddress}
          value={record}
          onChange={(event) => setRecord(event.currentTarget.value)}
        />
        <Button type="submit" disabled={!person || record.trim() === ''}>
          {PAGES.askWhy}
        </Button>
      </form>
      {error ? (
        <p className="field-error" role="alert">
          {error.message}
        </p>
      ) : null}
      {data ? (
        <ul aria-live="polite">
          {data.rights.map(({ right, may, why }) => (
            <li key={right} data-may={may}>
              <Icon name={may ? 'check' : 'x'} size={14} />
              <strong>{PAGES.rights[right as 'read'] ?? right}</strong>
              <span className="quiet">{why}</span>
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  )
}

/** Resource and identifier of what was typed: an address of the Desk serves too. */
function pathOf(typed: string): string {
  const text = typed.trim()
  if (!/^https?:/.test(text)) return text.replace(/^\//, '')
  return decodeURIComponent(new URL(text).pathname.slice(1))
}
