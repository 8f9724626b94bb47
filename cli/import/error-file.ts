import { closeSync, lstatSync, openSync, writeFileSync } from 'node:fs'
import { fileProblem } from '../../engine/base/file-error.ts'
import type { Incoming } from '../../server/import/incoming.ts'
import { refusedHead, refusedText } from '../../server/import/refused-text.ts'
import { Failure } from '../failure.ts'

/** Keeps the records that were not imported, whole, to be mended and imported again. */
export interface ErrorFile {
  readonly path: string
  /** True once it holds a record. */
  readonly isWritten: () => boolean
  add(incoming: Incoming, error: string): void
  close(): void
}

/**
 * The file is made with the first bad record. `headings` are those of a table; without them each record is a
 * line of JSON. Throws Failure at once where a file or a link of that name is there, which may hold what nobody
 * has mended; `add` throws it where nothing can be written.
 */
export function errorFile(path: string, headings: () => readonly string[] | undefined): ErrorFile {
  if (lstatSync(path, { throwIfNoEntry: false }))
    throw new Failure(
      `${path} is there from an earlier import: mend and import it, then remove it, or name another with --errors`,
    )
  let file: number | undefined

  function opened(): number {
    if (file !== undefined) return file
    file = openSync(path, 'wx', 0o600)
    put(file, refusedHead(headings()))

    return file
  }

  return {
    path,
    isWritten: () => file !== undefined,
    add(incoming, error) {
      try {
        put(opened(), refusedText(incoming, error, headings()))
      } catch (cause) {
        throw new Failure(`cannot write ${path}: ${fileProblem(cause)}`, { cause })
      }
    },
    close() {
      if (file !== undefined) closeSync(file)
    },
  }
}

/** Writes all of a text: a disk that is nearly full takes a part of what one write is given, and says nothing. */
function put(file: number, text: string): void {
  writeFileSync(file, text)
}
