import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { delimiter, join } from 'node:path'
import { IS_BINARY, PROGRAM_FOLDER } from '../../engine/base/packaged-files.ts'
import type { ProveBooks } from '../../server/jobs/books-job.ts'
import type { Settings } from '../../server/settings/settings.ts'

/** Characters of what it says that are kept for the log. */
const MOST_SAID = 2_000
/** Exit codes of a verification that has ended: it found nothing, or something. */
const ENDED = [0, 1]
/** Steps by which it stands back behind who serves people. */
const NICE = 10

/**
 * Makes what proves the books: `svc verify --since last` in a process of its own, so that neither its work nor its
 * memory is the server's. It has the settings of this one, by its environment: addresses of databases hold passwords.
 */
export function booksProver(settings: Settings): ProveBooks {
  return async (signal) => {
    const own = [...process.execArgv, join(PROGRAM_FOLDER, 'cli/svc.js')]
    const words = ['verify', '--since', 'last', '--json']
    const child = spawn(process.execPath, IS_BINARY ? words : [...own, ...words], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: environment(settings),
      signal,
      windowsHide: true,
    })
    if (child.pid !== undefined) stepBack(child.pid)
    let said = ''
    let isReport = false
    child.stdout.on('data', (chunk: Buffer) => {
      isReport ||= chunk.includes('{')
    })
    child.stderr.on('data', (chunk: Buffer) => {
      said = (said + chunk).slice(-MOST_SAID)
    })
    const [code] = (await once(child, 'close')) as [number | null]
    if (!isReport || !ENDED.includes(code ?? -1))
      throw new Error(`svc verify ended with ${code}: ${said.trim()}`)
  }
}

function environment({ data, databaseUrl, doctypes, durability }: Settings): NodeJS.ProcessEnv {
  return {
    ...process.env,
    SVC_DATA: data,
    SVC_DOCTYPES: doctypes.join(delimiter),
    SVC_DURABILITY: durability,
    ...(databaseUrl === undefined ? {} : { SVC_DATABASE_URL: databaseUrl }),
  }
}

function stepBack(pid: number): void {
  try {
    setPriority(pid, NICE)
  } catch {
    // Where that is not allowed it is only less polite.
  }
}
