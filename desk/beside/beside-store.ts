import type { FileKind } from './file-kind.ts'

/** A file that stands beside a form. */
export interface BesideFile {
  readonly key: string
  readonly name: string
  readonly content: Blob
  readonly kind: FileKind
  /** How far it has come: it waits for the record, is on its way, belongs to it, or could not be brought. */
  readonly state: 'waiting' | 'sending' | 'kept' | 'failed'
  /** How much of it has gone, 0 to 1. */
  readonly share: number
  /** Why it could not be brought. */
  readonly why?: string
}

/** What stands beside the form of a record. */
export interface Beside {
  /** The record; without an identifier a new one. */
  readonly of: { readonly slug: string; readonly id: string | undefined } | undefined
  readonly files: readonly BesideFile[]
  /** Key of the file that is shown. */
  readonly shown: string | undefined
  readonly isOpen: boolean
}

/** Files beside the form that is open; they go when it is left. */
export interface BesideStore {
  readonly now: () => Beside
  readonly subscribe: (listener: () => void) => () => void
  /** Begins at a record with nothing, unless its files have come along from when it was new. */
  arrive(slug: string, id: string | undefined): void
  leave(slug: string, id: string | undefined): void
  /** A new record has been made: its files go along to its page. */
  made(id: string): void
  /** Puts a file beside the form, and shows it where that is possible; one that is there already is shown. */
  add(file: Omit<BesideFile, 'share'>): void
  change(key: string, how: Partial<BesideFile>): void
  remove(key: string): void
  show(key: string): void
  open(isOpen: boolean): void
  clear(): void
}

const NOTHING: Beside = { of: undefined, files: [], shown: undefined, isOpen: true }

/** A place for the files beside forms. */
export function createBesideStore(): BesideStore {
  const listeners = new Set<() => void>()
  let now = NOTHING

  function set(next: Partial<Beside>): void {
    now = { ...now, ...next }
    for (const listener of listeners) listener()
  }
  const isAt = (slug: string, id: string | undefined): boolean =>
    now.of?.slug === slug && now.of.id === id

  return {
    now: () => now,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    arrive(slug, id) {
      if (!isAt(slug, id)) set({ ...NOTHING, of: { slug, id } })
    },
    leave(slug, id) {
      if (isAt(slug, id)) set(NOTHING)
    },
    made(id) {
      if (now.of) set({ of: { slug: now.of.slug, id } })
    },
    add(file) {
      const isThere = now.files.some(({ key }) => key === file.key)
      set({
        files: isThere ? now.files : [...now.files, { ...file, share: 0 }],
        shown: file.kind === 'other' ? now.shown : file.key,
        isOpen: true,
      })
    },
    change(key, how) {
      set({ files: now.files.map((one) => (one.key === key ? { ...one, ...how } : one)) })
    },
    remove(key) {
      const files = now.files.filter((one) => one.key !== key)
      const next = files.find(({ kind }) => kind !== 'other')?.key
      set({ files, shown: now.shown === key ? next : now.shown })
    },
    show: (key) => set({ shown: key, isOpen: true }),
    open: (isOpen) => set({ isOpen }),
    clear: () => set({ files: [], shown: undefined, isOpen: true }),
  }
}

/** Whether a file beside the form would be lost by leaving it. */
export function isUnsent({ files }: Beside): boolean {
  return files.some(({ state }) => state !== 'kept')
}
