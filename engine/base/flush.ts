import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Puts a file, or the names in a folder, on the disk, so that a power cut cannot take it. */
export function flushToDisk(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
