import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { IS_BINARY, PROGRAM_FOLDER } from '../engine/base/packaged-files.ts'
import type { Settings } from '../server/settings/settings.ts'

/** A command of ours that runs beside this process. */
export type OwnProcess = ChildProcessByStdio<Writable, Readable, Readable>

/**
 * Starts a command of svc in a process of its own, on the workspace of these settings: neither its work nor its memory is the
 * server's. It has them by its environment: addresses of databases hold passwords, which lists of processes show.
 */
export function startOwn(
  settings: Settings,
  words: readonly string[],
  signal?: AbortSignal,
): OwnProcess {
  const own = [...process.execArgv, join(PROGRAM_FOLDER, 'cli/svc.js')]
  return spawn(process.execPath, IS_BINARY ? [...words] : [...own, ...words], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: environment(settings),
    ...(signal ? { signal } : {}),
    windowsHide: true,
  })
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
