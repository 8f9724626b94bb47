import type { Row } from '../data/types.ts'

/** Changes of a draft, with those before and those taken back. */
interface History {
  readonly past: readonly Row[]
  readonly now: Row
  readonly future: readonly Row[]
  /** The field that is being typed in: letters of one word are one change. */
  readonly typing: string | undefined
}

/** Changes that can be taken back, at most. */
const MOST_CHANGES = 100

/** How a field is changed. */
export interface Change {
  /** What the record is called that it links to now. */
  readonly title?: string | undefined
  /** Whether it only completes the change before, which is taken back together with it. */
  readonly isPart?: boolean
}

/** The changes of a draft. They are changed at once, never at the next drawing: whoever asks has what was typed last. */
export interface DraftStore {
  readonly now: () => Row
  readonly change: (name: string, how: (value: unknown) => unknown, change?: Change) => void
  readonly undo: () => void
  readonly redo: () => void
  /** Forgets these changes, but those of fields that were changed again since; all without any. */
  readonly forget: (sent?: Row) => void
  readonly replace: (changes: Row) => void
  readonly subscribe: (told: () => void) => () => void
}

/** A store of changes that begins with some. */
export function createDraftStore(first: Row): DraftStore {
  let history = begun(first)
  const listeners = new Set<() => void>()
  const put = (next: History): void => {
    if (next === history) return
    history = next
    for (const told of listeners) told()
  }
  return {
    now: () => history.now,
    change: (name, how, change = {}) => put(changed(history, name, how, change)),
    undo: () => put(undone(history)),
    redo: () => put(redone(history)),
    forget: (sent) => put(begun(sent ? changedSince(history.now, sent) : {})),
    replace: (changes) => put(begun(changes)),
    subscribe(told) {
      listeners.add(told)
      return () => listeners.delete(told)
    },
  }
}

/** Names of the fields that changes have values of. */
export function namesOf(changes: Row): readonly string[] {
  return Object.keys(changes).filter((name) => name !== '_titles')
}

function begun(now: Row): History {
  return { past: [], now, future: [], typing: undefined }
}

function changed(
  { past, now: before, typing: last }: History,
  name: string,
  how: (value: unknown) => unknown,
  { title, isPart }: Change,
): History {
  const value = how(before[name])
  const titles = { ...before._titles }
  if (title === undefined) delete titles[name]
  else titles[name] = title
  const now = { ...before, [name]: value, _titles: titles }
  const typing = Array.isArray(value) ? undefined : name
  const isSame = isPart || (typing !== undefined && typing === last)
  return {
    past: isSame ? past : [...past.slice(-MOST_CHANGES), before],
    now,
    future: [],
    typing,
  }
}

function undone(history: History): History {
  const before = history.past.at(-1)
  if (!before) return history
  const future = [history.now, ...history.future]
  return { past: history.past.slice(0, -1), now: before, future, typing: undefined }
}

function redone(history: History): History {
  const [next, ...future] = history.future
  if (!next) return history
  return { past: [...history.past, history.now], now: next, future, typing: undefined }
}

/** What has another value now than it had when it was sent. */
function changedSince(now: Row, sent: Row): Row {
  const names = namesOf(now).filter((name) => now[name] !== sent[name])
  const titles = Object.entries(now._titles ?? {}).filter(([name]) => names.includes(name))
  const values = Object.fromEntries(names.map((name) => [name, now[name]]))
  return names.length === 0 ? {} : { ...values, _titles: Object.fromEntries(titles) }
}
