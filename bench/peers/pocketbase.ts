import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { memoryOf } from '../memory.ts'
import { processorTimeOf } from '../processor-time.ts'
import type { MeasuredServer } from '../scenarios.ts'
import { listening } from '../server-process.ts'

const SOURCES = join(import.meta.dirname, 'pocketbase')
const PROGRAM = join(import.meta.dirname, '../../dist/peers/pocketbase')
/** A first build fetches some 50 modules and compiles them; later ones find that nothing has changed. */
const BUILD_MS = 900_000

/** PocketBase with the version that it is pinned to. */
export function pocketBaseName(): string {
  const pinned = readFileSync(join(SOURCES, 'go.mod'), 'utf8')
  return `PocketBase ${/pocketbase\/pocketbase v([\d.]+)/.exec(pinned)?.[1]}`
}

/** Builds the program of `bench/peers/pocketbase`. Throws where there is no Go, or the build takes too long. */
export function buildPocketBase(): void {
  mkdirSync(join(PROGRAM, '..'), { recursive: true })
  const started = performance.now()
  try {
    execFileSync('go', ['build', '-mod=readonly', '-trimpath', '-buildvcs=false', '-o', PROGRAM], {
      cwd: SOURCES,
      env: { ...process.env, CGO_ENABLED: '0' },
      stdio: ['ignore', 'ignore', 'inherit'],
      timeout: BUILD_MS,
    })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT')
      throw new Error(
        'expected go (1.25 or later, https://go.dev/dl) on the PATH: --peers builds PocketBase with it',
      )
    if (code === 'ETIMEDOUT')
      throw new Error(`expected PocketBase to be built within ${BUILD_MS / 60_000} minutes`)
    throw error
  }
  const seconds = (performance.now() - started) / 1000
  console.log(`${pocketBaseName()} built in ${seconds.toFixed(0)} s`)
}

/** Makes the collection in a new folder, with the records of a file; returns the token of a superuser. */
export function fillPocketBase(folder: string, lines: string): string {
  return execFileSync(PROGRAM, ['fill', lines, '--dir', folder], { encoding: 'utf8' }).trim()
}

/** Starts PocketBase on the folder, on a free port and on as many processors as it likes. */
export async function startPocketBase(folder: string): Promise<MeasuredServer> {
  const logFile = join(folder, 'stderr.log')
  const child = spawn(PROGRAM, ['serve', '--dir', folder], {
    stdio: ['ignore', 'pipe', openSync(logFile, 'a')],
  })
  const { port, pid, stop } = await listening(child, logFile)
  return {
    port,
    usage: () =>
      Promise.resolve({ cpuMicroseconds: processorTimeOf(pid) * 1000, rssBytes: memoryOf(pid) }),
    stop,
  }
}
