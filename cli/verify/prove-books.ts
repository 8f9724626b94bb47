import { once } from 'node:events'
import { setPriority } from 'node:os'
import type { ProveBooks } from '../../server/jobs/books-job.ts'
import type { Settings } from '../../server/settings/settings.ts'
import { startOwn } from '../workspace-process.ts'

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
    const child = startOwn(settings, ['verify', '--since', 'last', '--json'], signal)
    child.stdin.end()
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

function stepBack(pid: number): void {
  try {
    setPriority(pid, NICE)
  } catch {
    // Where that is not allowed it is only less polite.
  }
}
