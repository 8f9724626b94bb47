import { useQuery } from '@tanstack/react-query'
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
import { manages } from '../boot/manages.ts'
import type { Boot } from '../data/types.ts'
import { recentRecords } from '../home/recent.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { WORDS } from '../words/en.ts'
import { inSentence, sentenceCase } from '../words/sentence-case.ts'

interface Entry {
  readonly key: string
  readonly icon: string
  readonly label: string
  readonly hint: string
  /** Where it leads, or what it does. */
  readonly href?: string
  readonly run?: () => void
}

/** Most entries that are shown at once. */
const MOST = 12

/** Records that a search finds at most. */
const MOST_RECORDS = 6

/** Milliseconds after the last key until records are looked for. */
const SEARCH_MS = 160

/** Ctrl-K: goes anywhere, does what this page can do, finds records, and begins anything. */
export function Palette({ onClose }: { onClose: () => void }): ReactElement {
  const { boot } = useDesk()
  const [, navigate] = useLocation()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  // What the page can do is what it could do before the palette stood over it.
  const [actions] = useState(actionsOfPage)
  const all = useMemo(() => [...actions, ...entriesOf(boot)], [boot, actions])
  const records = useRecords(text)
  const found = useMemo(
    () => [
      ...matching(all, text).slice(0, records.length > 0 ? MOST - records.length : MOST),
      ...records,
    ],
    [all, text, records],
  )
  const chosen = Math.min(at, found.length - 1)

  useEffect(() => {
    list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' })
  }, [chosen])

  function go({ href, run }: Entry): void {
    onClose()
    // Once the palette is gone the focus is back where the action wants it.
    if (run) setTimeout(run)
    else if (href?.startsWith('/settings/') || href?.startsWith('/docs')) location.assign(href)
    else if (href) navigate(href)
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
          <PaletteOption
            key={entry.key}
            id={`${id}-${index}`}
            entry={entry}
            isChosen={index === chosen}
            onGo={() => go(entry)}
            onPoint={() => setAt(index)}
          />
        ))}
      </div>
      {found.length === 0 ? <p className="palette-none">{WORDS.nothingFound}</p> : null}
    </Dialog>
  )
}

interface OptionProps {
  readonly id: string
  readonly entry: Entry
  readonly isChosen: boolean
  readonly onGo: () => void
  readonly onPoint: () => void
}

function PaletteOption({ id, entry, isChosen, onGo, onPoint }: OptionProps): ReactElement {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      className="palette-entry"
      onClick={onGo}
      onMouseMove={onPoint}
    >
      <Icon name={entry.icon} />
      <span>{entry.label}</span>
      <small>{entry.hint}</small>
    </div>
  )
}

/** What the buttons and the menus of this page do, by their own words; what is not possible now is left out. */
function actionsOfPage(): readonly Entry[] {
  const found = document.querySelectorAll<HTMLElement>(
    'main .page-actions :is(button.button, a.button-primary), main .page-actions [role=menuitem]',
  )
  return [...found]
    .filter((one) => one.getAttribute('aria-disabled') !== 'true' && !one.matches(':disabled'))
    .flatMap((one, at) => {
      const label = (one.querySelector('.menu-text')?.firstChild ?? one).textContent?.trim() ?? ''
      if (label === '') return []
      const key = `action ${at}`
      return [
        { key, icon: 'corner-down-left', label, hint: WORDS.thisPage, run: () => one.click() },
      ]
    })
}

/** Records that a text finds, of every kind, best first. */
function useRecords(text: string): readonly Entry[] {
  const { client, entryOf } = useDesk()
  const [sought, setSought] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSought(text.trim()), SEARCH_MS)
    return () => clearTimeout(timer)
  }, [text])
  const { data } = useQuery({
    queryKey: ['search', sought],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({ q: sought, limit: String(MOST_RECORDS) })
      return (await client.ask<{ data: readonly FoundRecord[] }>(`/v1/search?${query}`, { signal }))
        .body.data
    },
    enabled: sought.length > 1,
  })
  return useMemo(() => {
    if (text.trim().length < 2 || sought.length < 2) return []
    return (data ?? []).map(({ resource, id, title, subtitle }) => ({
      key: `found ${resource}/${id}`,
      icon: 'file-text',
      label: title || id,
      hint: [entryOf(resource)?.label, subtitle].filter(Boolean).join(' · '),
      href: `/${resource}/${encodeURIComponent(id)}`,
    }))
  }, [data, text, sought, entryOf])
}

/** A record as the search finds it (contract §7.3). */
interface FoundRecord {
  readonly resource: string
  readonly id: string
  readonly title: string
  readonly subtitle?: string | null
}

/** Where a new kind of record is made. */
const studioEntry = (): Entry => ({
  key: 'studio',
  icon: 'wrench',
  label: WORDS.newKindOfRecord,
  hint: WORDS.developer,
  href: '/studio/new',
})

/** Pages of the person, outside the lists. */
function settingEntries(): readonly Entry[] {
  const hint = WORDS.account
  return [
    { key: 'sessions', icon: 'laptop', label: WORDS.sessions, hint, href: '/settings/sessions' },
    {
      key: 'factors',
      icon: 'shield-check',
      label: WORDS.factors,
      hint,
      href: '/settings/second-factor',
    },
    { key: 'developer', icon: 'wrench', label: WORDS.developer, hint, href: '/settings/developer' },
    { key: 'people', icon: 'users', label: WORDS.peopleAndRights, hint, href: '/settings/users' },
    {
      key: 'webhooks',
      icon: 'webhook',
      label: WORDS.keysAndWebhooks,
      hint,
      href: '/developer/keys',
    },
    { key: 'docs', icon: 'book-open', label: WORDS.apiReference, hint, href: '/docs' },
  ]
}

function entriesOf(boot: Boot): readonly Entry[] {
  const { resources, reports } = boot
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
  const answers = reports.map(({ slug, label }) => ({
    key: `report ${slug}`,
    icon: 'chart-column',
    label: sentenceCase(label),
    hint: WORDS.reports,
    href: `/r/${slug}`,
  }))
  const bank = resources.some(({ serves, locked }) => serves === 'bank_lines' && !locked)
    ? [{ key: 'bank', icon: 'landmark', label: WORDS.bank, hint: WORDS.goTo, href: '/bank' }]
    : []
  const own = manages(boot) ? [studioEntry()] : []
  return [...seen, ...bank, ...lists, ...answers, ...fresh, ...settingEntries(), ...own]
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
