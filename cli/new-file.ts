import { closeSync, linkSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileProblem } from '../engine/base/file-error.ts'
import { flushToDisk } from '../engine/base/flush.ts'
import { Failure } from './failure.ts'

/** Endings of files that SQLite lays beside one it writes: a copy begins in the mode of its source, with a log. */
const BESIDE = ['-journal', '-wal', '-shm']

/**
 * Makes a file (mode 0600) as a whole or not at all: `write` fills an empty one beside it, which then gets its
 * name. A file that is there is replaced with `force`, else Failure is thrown, before anything is written where
 * it can be told; so it is where nothing can be written at all.
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
  const temporary = emptyFileBeside(file)
  try {
    const result = await write(temporary)
    flushToDisk(temporary)
    if (force) renameSync(temporary, file)
    else linkOnly(temporary, file)
    flushToDisk(dirname(file))
    return result
  } finally {
    for (const ending of ['', ...BESIDE]) rmSync(`${temporary}${ending}`, { force: true })
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

function emptyFileBeside(file: string): string {
  const temporary = `${file}.${process.pid}.partial`
  try {
    removeLeftovers(file)
    closeSync(openSync(temporary, 'wx', 0o600))
    return temporary
  } catch (error) {
    throw new Failure(`cannot write ${file}: ${fileProblem(error)}`, { cause: error })
  }
}

/** Removes what processes that are gone have not finished. */
function removeLeftovers(file: string): void {
  const folder = dirname(file)
  const start = `${basename(file)}.`
  for (const name of readdirSync(folder)) {
    const pid = /^(\d+)\.partial(?:-(?:journal|wal|shm))?$/.exec(name.slice(start.length))?.[1]
    if (name.startsWith(start) && pid !== undefined && !isRunning(Number(pid)))
      rmSync(join(folder, name), { force: true })
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
