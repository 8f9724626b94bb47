import type { Row } from '../data/types.ts'

/** Changes that nobody has saved, as this browser keeps them. */
export interface KeptDraft {
  readonly changes: Row
  /** Moment of the last change, ISO 8601. */
  readonly at: string
  /** When the record was changed last that they were made on. */
  readonly modified: string | undefined
}

/** Whose changes, of which record; no `id`: of a new one. */
export interface DraftOf {
  readonly person: string
  readonly slug: string
  readonly id: string | undefined
}

const PREFIX = 'desk.draft.'

/** Drafts that are kept, and characters of one, at most. */
const MOST = 30
const LONGEST = 300_000

function keyOf({ person, slug, id }: DraftOf): string {
  return `${PREFIX}${JSON.stringify([person, slug, id ?? null])}`
}

/** The changes that are kept for a record, if any. */
export function keptDraft(of: DraftOf): KeptDraft | undefined {
  try {
    const text = localStorage.getItem(keyOf(of))
    const kept = text === null ? undefined : (JSON.parse(text) as KeptDraft)
    return kept && Object.keys(kept.changes).length > 0 ? kept : undefined
  } catch (_spoiled) {
    return undefined
  }
}

/** Keeps changes; what is too long, or has no room, is not kept. */
export function keepDraft(of: DraftOf, kept: KeptDraft): void {
  const text = JSON.stringify(kept)
  if (text.length > LONGEST) return
  try {
    localStorage.setItem(keyOf(of), text)
    dropOldest()
  } catch (_noRoom) {
    forgetDraft(of)
  }
}

/** Forgets the changes of a record. */
export function forgetDraft(of: DraftOf): void {
  localStorage.removeItem(keyOf(of))
}

function dropOldest(): void {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX))
  if (keys.length <= MOST) return
  const at = (key: string): string =>
    /"at":"([^"]+)"/.exec(localStorage.getItem(key) ?? '')?.[1] ?? ''
  const oldest = keys.sort((a, b) => at(a).localeCompare(at(b)))
  for (const key of oldest.slice(0, keys.length - MOST)) localStorage.removeItem(key)
}
