/*
 * The process of many test files: runs one after another, so that our modules and libraries are loaded and warm for
 * all of them. When nothing of one is going on any more it reads the path of the next, a line on file descriptor 3.
 * A file that fails, does not come to its end, or changes the process for those after it ends the process; the
 * runner then starts another for the rest.
 */
import { readSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { END_OF_FILE } from './parts.ts'

interface UvuGlobals {
  UVU_QUEUE: unknown[][]
  UVU_SUITES: { readonly ctx: { readonly tests: unknown[]; readonly only: unknown[] } }[]
}

const uvu = globalThis as unknown as UvuGlobals
const ORDERS = 3
// It listens for the end of the process, which is not the doing of a test file.
await import('uvu')

// The event loop is empty: all that the file began has ended.
process.on('beforeExit', () => {
  if (!isWell() || traces() !== untouched) return
  // Both streams say it, for what the file said on either is its own.
  process.stdout.write(END_OF_FILE)
  process.stderr.write(END_OF_FILE)
  begin()
})
const untouched = traces()
begin()

function begin(): void {
  const file = nextFile()
  if (file === undefined) return
  uvu.UVU_QUEUE.splice(0, uvu.UVU_QUEUE.length, [null])
  uvu.UVU_SUITES.length = 0
  process.exitCode = undefined
  // What keeps a file from being loaded ends the process with its error, as if it ran by itself.
  void import(pathToFileURL(resolve(file)).href)
}

/** Waits for the runner; undefined when there is nothing left. */
function nextFile(): string | undefined {
  const line = Buffer.alloc(4096)
  const length = readSync(ORDERS, line)
  return length === 0 ? undefined : line.toString('utf8', 0, length).trimEnd()
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
