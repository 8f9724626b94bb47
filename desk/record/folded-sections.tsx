import { type ReactElement, useState } from 'react'
import { Icon } from '../ui/icon.tsx'
import { WORDS } from '../words/en.ts'
import { sentenceCase } from '../words/sentence-case.ts'
import type { Section } from './layout.ts'
import { SectionCard, type SectionProps } from './section-card.tsx'

/** Names of fields that a folded section tells of, at most. */
const MOST_NAMES = 5

type FoldedProps = Omit<SectionProps, 'section' | 'totals' | 'isWhole'> & {
  readonly sections: readonly Section[]
}

/** Sections that nobody has to fill and nobody has: one line each, with what is in it, until it is pressed. */
export function FoldedSections({ sections, ...shared }: FoldedProps): ReactElement {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  return (
    <>
      {sections
        .filter(({ key }) => opened.has(key))
        .map((section) => (
          <SectionCard key={section.key} {...shared} section={section} totals={[]} isWhole />
        ))}
      <ul className="folded">
        {sections
          .filter(({ key }) => !opened.has(key))
          .map((section) => (
            <li key={section.key}>
              <button
                type="button"
                onClick={() => setOpened((all) => new Set([...all, section.key]))}
              >
                <Icon name="plus" size={14} />
                <span>{sentenceCase(section.title ?? WORDS.details)}</span>
                <small>{namesIn(section)}</small>
              </button>
            </li>
          ))}
      </ul>
    </>
  )
}

function namesIn({ more, tables }: Section): string {
  const names = [...more, ...tables].map(({ label }) => sentenceCase(label))
  const some = names.slice(0, MOST_NAMES).join(', ')
  return names.length > MOST_NAMES ? `${some} …` : some
}
