import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { kebab } from '../../engine/definition/normalise/slug.ts'
import { put, textAt } from './own-folder.ts'

/** A file that a save has changed. */
export interface ChangedFile {
  /** Below the folder of definitions. */
  readonly name: string
  /** What stood in it; null where there was none. */
  readonly before: string | null
  /** Hash of what the save left; null where it took the file away. */
  readonly after: string | null
}

/** A save that can be taken back. */
export interface PastSave {
  /** ISO 8601, UTC. */
  readonly at: string
  readonly by: string
  readonly files: readonly ChangedFile[]
}

/** Saves that are kept of a DocType. */
const KEPT = 20

/** Folder below that of the definitions; hidden, so that nothing of it is loaded. */
const FOLDER = '.studio'

/** The saves of a DocType that can be taken back, the last one at the end. */
export function pastSaves(folder: string, doctype: string): readonly PastSave[] {
  const text = textAt(fileOf(folder, doctype))
  return text === null ? [] : (JSON.parse(text) as PastSave[])
}

/** Keeps these saves, the newest of them. */
export function keepSaves(folder: string, doctype: string, saves: readonly PastSave[]): void {
  mkdirSync(join(folder, FOLDER), { recursive: true, mode: 0o700 })
  const kept = saves.slice(-KEPT)
  put(fileOf(folder, doctype), kept.length === 0 ? null : JSON.stringify(kept))
}

function fileOf(folder: string, doctype: string): string {
  return join(folder, FOLDER, `${kebab(doctype)}.json`)
}
