import { type ReactElement, useState } from 'react'
import { useLocation } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import { useResource } from '../data/queries.ts'
import type { FieldInfo, ResourceEntry, ResourceInfo } from '../data/types.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { WORDS } from '../words/en.ts'
import { PAGES } from '../words/pages/en.ts'
import { sentenceCase } from '../words/sentence-case.ts'
import { helpPlace } from './help-place.ts'
import { KeyList } from './key-list.tsx'

/** Below it stand the pages of the manual. */
const MANUAL = '/docs/manual'

/** `?`: what the page is for, what its fields and actions mean, where to read on, and every key. */
export function Help({ onClose }: { onClose: () => void }): ReactElement {
  const { boot, entryOf } = useDesk()
  const [path] = useLocation()
  const place = helpPlace(path)
  const entry = place.slug === undefined ? undefined : entryOf(place.slug)
  const report = boot.reports.find(({ slug }) => slug === place.report)
  const title = entry ? sentenceCase(entry.label_plural) : report?.label
  return (
    <Dialog title={title === undefined ? PAGES.help : PAGES.helpWith(title)} onClose={onClose} wide>
      <div className="help">
        {entry ? <AboutResource entry={entry} /> : null}
        <ul className="help-ways">
          <Way href={`${MANUAL}/desk#${place.anchor}`} label={PAGES.aboutPage} />
          {entry ? (
            <Way
              href={`${MANUAL}?q=${encodeURIComponent(`"${entry.doctype}"`)}`}
              label={PAGES.inManual(sentenceCase(entry.label_plural))}
            />
          ) : null}
          {report ? <Way href={`/docs/reports/${report.slug}`} label={PAGES.aboutReport} /> : null}
          <Way href={MANUAL} label={PAGES.wholeManual} />
        </ul>
        <h3>{WORDS.keys}</h3>
        <KeyList />
      </div>
    </Dialog>
  )
}

function Way({ href, label }: { href: string; label: string }): ReactElement {
  return (
    <li>
      <a href={href} target="_blank" rel="noopener">
        <Icon name="book-open" />
        {label}
      </a>
    </li>
  )
}

function AboutResource({ entry }: { entry: ResourceEntry }): ReactElement | null {
  const { data: resource } = useResource(entry.slug, !entry.locked)
  if (!resource) return null
  return (
    <>
      {resource.description === undefined ? null : <p className="lead">{resource.description}</p>}
      <Fields resource={resource} />
      <Actions resource={resource} />
    </>
  )
}

/** Every field that somebody sees, with what it is for, those of rows below their table; a word finds some. */
function Fields({ resource }: { resource: ResourceInfo }): ReactElement {
  const [word, setWord] = useState('')
  const all = resource.fields.filter(({ hidden }) => !hidden)
  const shown = all.flatMap((field) => [
    { key: field.name, field, label: sentenceCase(field.label) },
    ...(field.fields ?? [])
      .filter(({ hidden }) => !hidden)
      .map((row) => ({
        key: `${field.name}.${row.name}`,
        field: row,
        label: `${sentenceCase(field.label)}: ${sentenceCase(row.label)}`,
      })),
  ])
  const wanted = word.trim().toLowerCase()
  const found = shown.filter(({ field, label }) =>
    `${label} ${field.description ?? ''}`.toLowerCase().includes(wanted),
  )
  return (
    <details>
      <summary>{PAGES.fieldsOf(String(shown.length))}</summary>
      <span className="search-box">
        <Icon name="search" size={14} />
        <input
          type="search"
          value={word}
          placeholder={PAGES.findField}
          aria-label={PAGES.findField}
          onChange={(event) => setWord(event.target.value)}
        />
      </span>
      <dl className="meanings">
        {found.map(({ key, field, label }) => (
          <div key={key}>
            <dt>{label}</dt>
            <dd>
              <Meaning field={field} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

/** What the definition says of a field, else what may stand in it, and who fills it. */
function Meaning({ field }: { field: FieldInfo }): ReactElement {
  const { entryOf } = useDesk()
  const filled = field.readOnly ? PAGES.filledBySystem : field.required ? PAGES.mustBeFilled : ''
  const to = field.resource === undefined ? undefined : entryOf(field.resource)?.label_plural
  const what =
    field.description ?? (to === undefined ? kindOf(field) : PAGES.oneOf(sentenceCase(to)))
  return <>{[what, filled].filter(Boolean).join(' · ')}</>
}

/** What may stand in a field of which the definition says nothing more. */
function kindOf({ type, options }: FieldInfo): string {
  if (type === 'select' && typeof options === 'object')
    return PAGES.oneOf(options.map((one) => (typeof one === 'string' ? one : one.label)).join(', '))
  return PAGES.kinds[type] ?? ''
}

function Actions({ resource: { actions } }: { resource: ResourceInfo }): ReactElement | null {
  if (actions.length === 0) return null
  return (
    <details>
      <summary>{PAGES.actionsOf(String(actions.length))}</summary>
      <dl className="meanings">
        {actions.map(({ name, label, description }) => (
          <div key={name}>
            <dt>{sentenceCase(label)}</dt>
            <dd>{description ?? ''}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
