import { type ReactElement, useState } from 'react'
import { PAGES } from '../words/pages/en.ts'
import { FormPart } from './form-part.tsx'
import { RightsPart } from './rights-part.tsx'
import type { StudioInfo, Words } from './studio-types.ts'
import { WordsEditor } from './value-editor.tsx'

/** Parts of a definition, and the words that each is about; `form` and `rights` have more to show. */
const PARTS = {
  form: [],
  list: ['title', 'search', 'list', 'views'],
  paper: ['print'],
  states: ['submittable', 'status', 'actions', 'next'],
  rights: ['permissions'],
  rules: [
    'receivable',
    'payable',
    'validate',
    'effects',
    'unique',
    'find',
    'let',
    'events',
    'invariants',
  ],
  about: ['label', 'label_plural', 'description', 'icon', 'module', 'tier', 'naming'],
} as const
type Part = keyof typeof PARTS

/** Words that are shown though nothing is said. */
const ALWAYS: Readonly<Partial<Record<Part, readonly string[]>>> = {
  list: ['title', 'search', 'list'],
  paper: ['print'],
  states: ['submittable', 'status'],
  about: ['label', 'description', 'module', 'tier', 'naming'],
}

interface EditorProps {
  readonly info: StudioInfo
  readonly definition: Words
  readonly base: Words | undefined
  readonly rights: Readonly<Record<string, readonly string[]>>
  readonly onChange: (definition: Words) => void
  /** Words that the page itself asks for. */
  readonly without?: readonly string[]
}

/** A definition by its parts: the form, the list, the paper, states, rights, rules and what it is. */
export function StudioEditor(props: EditorProps): ReactElement {
  const { info, definition, base, rights, onChange, without = [] } = props
  const [part, setPart] = useState<Part>('form')
  const only = PARTS[part].filter((word) => !without.includes(word))
  const always = (ALWAYS[part] ?? []).filter((word) => only.includes(word as never))
  return (
    <>
      <nav className="studio-parts" aria-label={PAGES.studio}>
        {(Object.keys(PARTS) as Part[]).map((one) => (
          <button key={one} type="button" aria-pressed={one === part} onClick={() => setPart(one)}>
            {PAGES.studioParts[one]}
          </button>
        ))}
      </nav>
      <div className="studio-part">
        {part === 'form' ? (
          <FormPart info={info} definition={definition} base={base} onChange={onChange} />
        ) : null}
        {part === 'rights' ? (
          <RightsPart
            definition={definition}
            roles={info.roles}
            rights={rights}
            onChange={onChange}
          />
        ) : null}
        {part === 'form' ? null : (
          <WordsEditor
            key={part}
            label={PAGES.studioParts[part]}
            node={info.schema}
            whole={info.schema}
            words={definition}
            only={part === 'rights' ? only.filter((word) => Object.hasOwn(definition, word)) : only}
            always={always}
            base={base}
            onChange={onChange}
          />
        )}
      </div>
    </>
  )
}
