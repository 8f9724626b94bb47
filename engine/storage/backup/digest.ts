import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync, writeSync } from 'node:fs'

/** A multiple of every page size of SQLite: a text within a page never lies across two reads. */
const CHUNK = 1 << 20

/**
 * SHA-256 of a file, hex, as if `mark` were zeros wherever it stands; and the places of it. A file can so hold its
 * own checksum: while it is computed, and whenever it is checked, the place it has counts as zeros.
 */
export function digestWithout(
  file: string,
  mark: string,
): { readonly sha256: string; readonly places: readonly number[] } {
  const hash = createHash('sha256')
  const places: number[] = []
  const sought = Buffer.from(mark, 'latin1')
  const chunk = Buffer.alloc(CHUNK)
  const handle = openSync(file, 'r')
  try {
    for (let start = 0; ; ) {
      const length = readSync(handle, chunk, 0, CHUNK, start)
      if (length === 0) break
      const read = chunk.subarray(0, length)
      for (let at = read.indexOf(sought); at >= 0; at = read.indexOf(sought, at + sought.length)) {
        read.fill('0', at, at + sought.length)
        places.push(start + at)
      }
      hash.update(read)
      start += length
    }
  } finally {
    closeSync(handle)
  }
  return { sha256: hash.digest('hex'), places }
}

/** Writes a text of one byte a character over what stands at these places. */
export function overwrite(file: string, places: readonly number[], text: string): void {
  const handle = openSync(file, 'r+')
  try {
    for (const place of places)
      writeSync(handle, Buffer.from(text, 'latin1'), 0, text.length, place)
  } finally {
    closeSync(handle)
  }
}
