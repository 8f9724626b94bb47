import {
  type Dirent,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileProblem } from '../../engine/base/file-error.ts'
import type { BackupFile } from '../../engine/storage/backup/manifest.ts'
import { Failure } from '../failure.ts'

/** The folder in the data folder that goes into a backup: without it a restore would lose DocTypes. */
export const OWN_DOCTYPES = 'doctypes'

/** DocTypes have at most 256 KB; what is more than all this, in bytes, was put there by mistake. */
const MAX_BYTES = 64 * 1024 * 1024

/**
 * The files of `DATA/doctypes`, hidden ones left out, as the loader sees them: a link to a file is that file.
 * Throws Failure for what cannot be read and for more than 64 MB.
 */
export function collectFiles(dataFolder: string): BackupFile[] {
  const files: BackupFile[] = []
  let bytes = 0

  function walk(folder: string): void {
    const entries = readdirSync(join(dataFolder, folder), { withFileTypes: true })
    for (const entry of entries.sort(byName)) {
      const path = posix.join(folder, entry.name)
      if (entry.name.startsWith('.')) continue
      if (entry.isDirectory()) walk(path)
      else take(path)
    }
  }

  function take(path: string): void {
    const file = join(dataFolder, path)
    const stats = statSync(file)
    if (!stats.isFile()) return
    bytes += stats.size
    if (bytes > MAX_BYTES)
      throw new Failure(
        `${join(dataFolder, OWN_DOCTYPES)} holds more than ${MAX_BYTES / 1024 / 1024} MB; take out what is no DocType`,
      )
    files.push({ path, mode: stats.mode & 0o777, content: readFileSync(file) })
  }

  if (!existsSync(join(dataFolder, OWN_DOCTYPES))) return files
  try {
    walk(OWN_DOCTYPES)
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure(
      `cannot read the DocTypes in ${join(dataFolder, OWN_DOCTYPES)}: ${fileProblem(error)}`,
      { cause: error },
    )
  }
  return files
}

function byName(a: Dirent, b: Dirent): number {
  return a.name < b.name ? -1 : 1
}

/**
 * Throws Failure for a file that would not lie in `doctypes`: whoever made the backup must not choose what a
 * restore writes elsewhere.
 */
export function assertInside(files: readonly BackupFile[]): void {
  for (const { path } of files) {
    const parts = path.split('/')
    const isPlain =
      parts.length > 1 &&
      parts[0] === OWN_DOCTYPES &&
      parts.every((part) => part !== '' && part !== '.' && part !== '..' && !part.includes('\\')) &&
      !path.includes('\0')
    if (!isPlain)
      throw new Failure(
        `the backup has a file ${JSON.stringify(path)}, which is not in ${OWN_DOCTYPES}/: it was not made by svc, nothing was restored`,
      )
  }
}

/** Writes the files below a folder that is empty; a file is never written twice, and no link is followed. */
export function placeFiles(files: readonly BackupFile[], folder: string): void {
  assertInside(files)
  mkdirSync(join(folder, OWN_DOCTYPES), { recursive: true })
  for (const { path, mode, content } of files) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content, { mode: mode & 0o777, flag: 'wx', flush: true })
  }
}
