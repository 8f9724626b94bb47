import { randomUUID } from 'node:crypto'
import { renameSync, rmSync, writeFileSync } from 'node:fs'

/**
 * Makes a file of this content and these permission bits, or replaces it: who reads at the same time sees the
 * old file or the new one, never a part. Throws what the disk says; nothing is left beside it then, and a
 * process that is killed meanwhile leaves `<file>.<UUID>.tmp`.
 */
export function replaceFile(file: string, content: string | Buffer, mode: number): void {
  const temporary = `${file}.${randomUUID()}.tmp`
  try {
    writeFileSync(temporary, content, { mode, flag: 'wx' })
    renameSync(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}
