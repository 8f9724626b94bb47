import { type ReactElement, useState } from 'react'
import { Link } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import { Icon } from '../ui/icon.tsx'
import { WORDS } from '../words/en.ts'
import { recordGroups } from './menu-plan.ts'

/** `/all`: every list of the workspace by its module, with a box that finds among them. */
export function AllRecords(): ReactElement {
  const { boot } = useDesk()
  const [filter, setFilter] = useState('')
  const groups = recordGroups(boot, filter)
  return (
    <div className="home all-records">
      <header>
        <h1>{WORDS.allRecords}</h1>
        <span className="search-box">
          <Icon name="search" size={14} />
          <input
            type="search"
            data-search
            aria-label={WORDS.searchIn(WORDS.allRecords)}
            placeholder={WORDS.search}
            value={filter}
            onChange={(event) => setFilter(event.currentTarget.value)}
          />
        </span>
      </header>
      {groups.length === 0 ? <p className="quiet">{WORDS.nothingFound}</p> : null}
      <div className="modules">
        {groups.map(({ name, label, entries }) => (
          <section key={name} aria-label={label}>
            <h2>{label}</h2>
            <ul>
              {entries.map(({ slug, label_plural, icon, locked }) => (
                <li key={slug}>
                  <Link href={`/${slug}`}>
                    <Icon name={icon ?? 'file'} />
                    {label_plural}
                    {locked ? <Icon name="lock" size={12} /> : null}
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </div>
  )
}
