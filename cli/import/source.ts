import { createReadStream, statSync } from 'node:fs'
import { fileProblem } from '../../engine/base/file-error.ts'
import { type Source, sourceOf } from '../../server/import/source.ts'
import { Failure } from '../failure.ts'

const PIECE = 64 * 1024

/**
 * Opens a file, or standard input for `-`. A file is looked through once before: one that is not UTF-8 is
 * refused before its first row is taken, not in its middle. Throws Failure for what cannot be read, FileRefused for what is not UTF-8.
 */
export async function openSource(file: string): Promise<Source> {
  if (file === '-') return sourceOf('stdin', undefined, process.stdin)
  const size = sizeOf(file)
  const open = (): Source => sourceOf(file, size, createReadStream(file, { highWaterMark: PIECE }))
  if (size !== undefined) for await (const _ of open().text);
  return open()
}

/** Size of a file; undefined for pipes, which can be read but once. */
function sizeOf(file: string): number | undefined {
  try {
    const found = statSync(file)
    if (found.isDirectory()) throw new Failure(`${file} is a folder; expected a file`)
    return found.isFile() ? found.size : undefined
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure(`cannot read ${file}: ${fileProblem(error)}`, { cause: error })
  }
}
