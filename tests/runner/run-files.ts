/*
 * The process of some test files, given as arguments: runs them one after another, so that our modules and
 * libraries are loaded and warm for all of them. Each begins when nothing of the one before is going on any more.
 * A file that fails, does not come to its end, or changes the process for those after it ends the process; the
 * runner then starts another for the rest.
 */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { END_OF_FILE } from './parts.ts'

interface UvuGlobals {
  UVU_QUEUE: unknown[][]
  UVU_SUITES: { readonly ctx: { readonly tests: unknown[]; readonly only: unknown[] } }[]
}

const uvu = globalThis as unknown as UvuGlobals
const files = process.argv.slice(2)
// It listens for the end of the process, which is not the doing of a test file.
await import('uvu')

// The event loop is empty: all that the file began has ended.
process.on('beforeExit', () => {
  if (files.length === 0 || !isWell() || traces() !== untouched) return
  // Both streams say it, for what the file said on either is its own.
  process.stdout.write(END_OF_FILE)
  process.stderr.write(END_OF_FILE)
  begin()
})
const untouched = traces()
begin()

function begin(): void {
  const file = files.shift()
  if (file === undefined) return
  uvu.UVU_QUEUE.splice(0, uvu.UVU_QUEUE.length, [null])
  uvu.UVU_SUITES.length = 0
  process.exitCode = undefined
  // What keeps a file from being loaded ends the process with its error, as if it ran by itself.
  void import(pathToFileURL(resolve(file)).href)
}

/** uvu sets 0 when it has come to the end of its tests and none has failed. */
function isWell(): boolean {
  const left = uvu.UVU_SUITES.some(({ ctx }) => ctx.tests.length + ctx.only.length > 0)
  return process.exitCode === 0 && !left
}

/** What one file could leave behind for the next: listeners of the process, settings, global names. */
function traces(): string {
  const listeners = process.eventNames().map((name) => [String(name), process.listenerCount(name)])
  return JSON.stringify([
    listeners.toSorted(),
    Object.entries(process.env).toSorted(),
    process.cwd(),
    Object.getOwnPropertyNames(globalThis).toSorted(),
  ])
}
