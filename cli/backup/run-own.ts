import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import type { Settings } from '../../server/settings/settings.ts'
import { startOwn } from '../workspace-process.ts'

/** Characters of what a command says that are kept. */
const MOST_SAID = 2_000

/** What came of a command. */
export interface Ran {
  readonly code: number | null
  /** The end of what it printed. */
  readonly said: string
  /** What it said where it failed. */
  readonly failed: string
}

/** Runs a command of ours on the workspace, in a process of its own, whose number is told once it has begun. */
export async function runOwn(
  settings: Settings,
  words: readonly string[],
  onBegun: (pid: number) => void = () => undefined,
): Promise<Ran> {
  const child = startOwn(settings, words)
  if (child.pid !== undefined) onBegun(child.pid)
  child.stdin.end()
  let [said, failed] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => {
    said = (said + chunk).slice(-MOST_SAID)
  })
  child.stderr.on('data', (chunk: Buffer) => {
    failed = (failed + chunk).slice(-MOST_SAID)
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, said, failed: failed.trim().replace(/^svc: /, '') }
}

/** Whether a process that ran this command of ours still does, also after who began it has ended. */
export function stillRuns(pid: number, word: string): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
  const commandLine = `/proc/${pid}/cmdline`
  // Its number may be another's by now. Where the system does not show what runs, it counts as the same.
  if (!existsSync(commandLine)) return !existsSync('/proc/self/cmdline')
  return readFileSync(commandLine, 'utf8').split('\0').includes(word)
}
