import {
  type KeyboardEvent,
  type ReactElement,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useLocation } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import type { Boot } from '../data/types.ts'
import { recentRecords } from '../home/recent.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { WORDS } from '../words/en.ts'
import { inSentence } from '../words/sentence-case.ts'

interface Entry {
  readonly key: string
  readonly icon: string
  readonly label: string
  readonly hint: string
  readonly href: string
}

/** Most entries that are shown at once. */
const MOST = 12

/** Ctrl-K: goes anywhere, and begins anything. */
export function Palette({ onClose }: { onClose: () => void }): ReactElement {
  const { boot } = useDesk()
  const [, navigate] = useLocation()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  const all = useMemo(() => entriesOf(boot), [boot])
  const found = useMemo(() => matching(all, text), [all, text])
  const chosen = Math.min(at, found.length - 1)

  useEffect(() => {
    list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' })
  }, [chosen])

  function go({ href }: Entry): void {
    onClose()
    navigate(href)
  }

  function press(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && found.length > 0) {
      event.preventDefault()
      setAt((chosen + step + found.length) % found.length)
    }
    const entry = found[chosen]
    if (event.key === 'Enter' && entry) go(entry)
  }

  return (
    <Dialog title={WORDS.searchOrJump} onClose={onClose} bare>
      <div className="palette-head">
        <Icon name="search" />
        <input
          autoFocus
          role="combobox"
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={found[chosen] ? `${id}-${chosen}` : undefined}
          aria-label={WORDS.searchOrJump}
          placeholder={WORDS.searchOrJump}
          value={text}
          onKeyDown={press}
          onChange={(event) => {
            setText(event.currentTarget.value)
            setAt(0)
          }}
        />
      </div>
      <div id={id} ref={list} className="palette-list" role="listbox" aria-label={WORDS.goTo}>
        {found.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
          <div
            key={entry.key}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            className="palette-entry"
            onClick={() => go(entry)}
            onMouseMove={() => setAt(index)}
          >
            <Icon name={entry.icon} />
            <span>{entry.label}</span>
            <small>{entry.hint}</small>
          </div>
        ))}
      </div>
      {found.length === 0 ? <p className="palette-none">{WORDS.nothingFound}</p> : null}
    </Dialog>
  )
}

function entriesOf({ resources }: Boot): readonly Entry[] {
  const lists = resources.map(({ slug, label_plural, icon }) => ({
    key: slug,
    icon: icon ?? 'file',
    label: label_plural,
    hint: WORDS.goTo,
    href: `/${slug}`,
  }))
  const fresh = resources
    .filter(({ can }) => can.includes('create'))
    .map(({ slug, label }) => ({
      key: `${slug}/new`,
      icon: 'plus',
      label: WORDS.newOne(inSentence(label)),
      hint: WORDS.create,
      href: `/${slug}/new`,
    }))
  const seen = recentRecords().map(({ slug, id, title, kind }) => ({
    key: `${slug}/${id}`,
    icon: 'file',
    label: title,
    hint: kind,
    href: `/${slug}/${encodeURIComponent(id)}`,
  }))
  return [...seen, ...lists, ...fresh]
}

/** What has all words that were typed; what begins with them comes first. */
function matching(entries: readonly Entry[], text: string): readonly Entry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const found = entries.filter(({ label }) =>
    words.every((word) => label.toLowerCase().includes(word)),
  )
  const first = words[0] ?? ''
  const rank = ({ label }: Entry): number => (label.toLowerCase().startsWith(first) ? 0 : 1)
  return [...found].sort((a, b) => rank(a) - rank(b)).slice(0, MOST)
}
