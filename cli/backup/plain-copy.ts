import { mkdirSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Name, in the data folder, of the plain form of a backup that is being encrypted or was decrypted. */
const PLAIN = 'backup.plain'

/** Files that SQLite lays beside one that it writes. */
const ENDINGS = ['', '-journal', '-wal', '-shm']

/**
 * Runs `work` with the path of a file that is not there yet, in the data folder: what is in it is as readable as the
 * workspace beside it. It is removed at the end, and so is one that a killed process has left. A folder that is made
 * for it goes with it where nothing else is in it.
 */
export async function withPlainFile<T>(
  dataFolder: string,
  work: (plain: string) => Promise<T>,
): Promise<T> {
  const made = mkdirSync(dataFolder, { recursive: true, mode: 0o700 })
  const plain = join(dataFolder, PLAIN)
  removeAll(plain)
  try {
    return await work(plain)
  } finally {
    removeAll(plain)
    if (made !== undefined) removeEmpty(dataFolder)
  }
}

function removeAll(plain: string): void {
  for (const ending of ENDINGS) rmSync(`${plain}${ending}`, { force: true })
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error
  }
}
