import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Failure } from '../failure.ts'

/**
 * Makes a file (mode 0600) as a whole or not at all: `write` fills an empty one beside it, which then gets its
 * name. A file that is there is replaced with `force`, else Failure is thrown, before anything is written where it can be told.
 */
export async function writeNewFile<T>(
  file: string,
  force: boolean,
  write: (temporary: string) => Promise<T>,
): Promise<T> {
  const there = statSync(file, { throwIfNoEntry: false })
  if (there && !there.isFile())
    throw new Failure(`${file} is no file; name one that can be written`)
  if (there && !force) throw alreadyThere(file)
  const temporary = partialOf(file)
  try {
    const result = await write(temporary)
    sync(temporary)
    if (force) renameSync(temporary, file)
    else linkOnly(temporary, file)
    sync(dirname(file))
    return result
  } finally {
    rmSync(temporary, { force: true })
    rmSync(`${temporary}-journal`, { force: true })
  }
}

/**
 * Makes an empty file (mode 0600) beside another one, that gets its name when it is whole; nobody else writes to
 * it, and no link is followed. Removes what processes that are gone have left of the same. Throws Failure for a
 * folder that cannot be written.
 */
export function partialOf(file: string): string {
  removeLeftovers(file)
  const partial = `${file}.${process.pid}.partial`
  try {
    closeSync(openSync(partial, 'wx', 0o600))
  } catch (error) {
    throw new Failure(`cannot write ${file}: ${(error as Error).message}`, { cause: error })
  }
  return partial
}

/** Puts a file or folder on the disk, so that a power cut cannot take it. */
export function sync(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** A link is refused by the system where there is a file, also one that was made a moment ago. */
function linkOnly(temporary: string, file: string): void {
  try {
    linkSync(temporary, file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw alreadyThere(file)
    // Some file systems of other systems know no second name of a file.
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS') throw error
    if (statSync(file, { throwIfNoEntry: false })) throw alreadyThere(file)
    renameSync(temporary, file)
  }
}

function alreadyThere(file: string): Failure {
  return new Failure(`${file} is there already: --force replaces it`)
}

/** What processes that are gone have not finished. */
function removeLeftovers(file: string): void {
  const folder = dirname(file)
  const start = `${basename(file)}.`
  for (const name of namesBeside(file)) {
    const pid = /^(\d+)\.partial(-journal)?$/.exec(name.slice(start.length))?.[1]
    if (name.startsWith(start) && pid !== undefined && !isRunning(Number(pid)))
      rmSync(join(folder, name), { force: true })
  }
}

function namesBeside(file: string): readonly string[] {
  try {
    return readdirSync(dirname(file))
  } catch (error) {
    throw new Failure(`cannot write ${file}: ${(error as Error).message}`, { cause: error })
  }
}

function isRunning(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
