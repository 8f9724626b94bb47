import { useEffect, useRef } from 'react'

/** Milliseconds within which the second key of a pair has to follow. */
const PAIR_MS = 1_000

/** Key → what it does: `ctrl+k` (on a Mac also with ⌘), `c`, or a pair such as `g h`; false leaves the key to others. */
export type Shortcuts = Readonly<Record<string, (event: KeyboardEvent) => unknown>>

/** Listens for keys. Single ones count only outside fields, where no dialog is open, and not for who has turned them off (WCAG 2.1.4). */
export function useShortcuts(shortcuts: Shortcuts): void {
  const current = useRef(shortcuts)
  current.current = shortcuts
  useEffect(() => {
    let first: { key: string; at: number } | undefined
    function press(event: KeyboardEvent): void {
      const key = nameOf(event)
      const isSingle = !key.startsWith('ctrl+')
      const isQuiet = document.documentElement.hasAttribute('data-quiet-keys')
      if (event.defaultPrevented || (isSingle && (isQuiet || isTyping(event.target)))) return
      const pair = first && event.timeStamp - first.at < PAIR_MS ? `${first.key} ${key}` : key
      const run = current.current[pair] ?? current.current[key]
      first = { key, at: event.timeStamp }
      if (!run || run(event) === false) return
      event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}

function nameOf({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): string {
  if (altKey) return `alt+${key}`
  return ctrlKey || metaKey ? `ctrl+${key.toLowerCase()}` : key
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return (
    target.closest(
      'input:not([type=checkbox]), textarea, select, dialog, [role=grid], [contenteditable], [role=menu]',
    ) !== null
  )
}
