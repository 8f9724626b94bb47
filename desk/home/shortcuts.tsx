import type { ReactElement } from 'react'
import { Link } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import { Icon } from '../ui/icon.tsx'
import { WORDS } from '../words/en.ts'
import { inSentence, sentenceCase } from '../words/sentence-case.ts'
import type { WorkPage, WorkspaceShortcut } from './workspace-types.ts'

/** Ways to lists and reports, each with the way to a new record beside it. */
export function Shortcuts({
  all,
  pages = [],
}: {
  all: readonly WorkspaceShortcut[]
  pages?: readonly WorkPage[] | undefined
}): ReactElement {
  const { entryOf } = useDesk()
  return (
    <ul className="shortcuts">
      {pages.map(({ page, label, icon }) => (
        <li key={page}>
          <Link href={`/${page}`}>
            <Icon name={icon} />
            {sentenceCase(label)}
          </Link>
        </li>
      ))}
      {all.map(({ label, resource, report, filter }) => {
        const entry = resource === undefined ? undefined : entryOf(resource)
        const query = filter ? `?${new URLSearchParams(filter)}` : ''
        const list = entry?.serves === 'bank_lines' ? '/bank' : `/${resource}${query}`
        const href = report === undefined ? list : `/r/${report}`
        return (
          <li key={href}>
            <Link href={href}>
              <Icon name={report === undefined ? (entry?.icon ?? 'file') : 'chart-column'} />
              {sentenceCase(label)}
              {entry?.locked ? <Icon name="lock" size={12} /> : null}
            </Link>
            {entry && !entry.locked && entry.can.includes('create') ? (
              <Link
                href={`/${entry.slug}/new`}
                className="icon-button"
                aria-label={WORDS.newOne(inSentence(entry.label))}
                title={WORDS.newOne(inSentence(entry.label))}
              >
                <Icon name="plus" size={14} />
              </Link>
            ) : null}
          </li>
        )
      })}
    </ul>
  )
}
