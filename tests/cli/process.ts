import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'

/** What a person starts as `svc`. */
export const ENTRY = fileURLToPath(new URL('../../cli/svc.js', import.meta.url))

export interface Finished {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A temporary folder for workspaces. */
export interface Folder {
  readonly path: string
  remove(): void
}

export function temporaryFolder(): Folder {
  const path = mkdtempSync(join(tmpdir(), 'svc-cli-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Runs the command line as a person does, in a process of its own, and waits for its end. */
export function svc(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Finished> {
  return watched(start(args, env)).ended
}

/** A command that runs. */
export interface Running {
  readonly pid: number
  /** All of stdout and stderr so far. */
  output(): Omit<Finished, 'code'>
  /** Resolves when it has ended; a signal that ended it leaves no code. */
  readonly ended: Promise<Finished>
  /** Sends a signal and waits for the end. */
  end(signal?: NodeJS.Signals): Promise<Finished>
}

/** A running command that listens. */
export interface Served extends Running {
  readonly url: string
}

/** Starts `svc serve --port 0` on a data folder and waits for the line that says it is ready. */
export function serve(
  data: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Served> {
  return listening(['serve', '--port', '0', '--data', data, ...args], env)
}

/** Starts a command that listens and waits until it says on stdout, or on another stream, where. */
export function listening(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  stream: 'stdout' | 'stderr' = 'stdout',
): Promise<Served> {
  return served(start(args, env), stream)
}

/** A process that was started, once it says on this stream where it listens. Throws when it ends before. */
export async function served(
  child: ChildProcess,
  stream: 'stdout' | 'stderr' = 'stdout',
): Promise<Served> {
  const running = watched(child)
  const { output, ended } = running
  const url = await Promise.race([
    announcedUrl(child[stream], () => output()[stream]),
    ended.then(({ code, stderr }) => {
      throw new Error(`${child.spawnargs.slice(1).join(' ')} ended with ${code}: ${stderr}`)
    }),
  ])
  return { ...running, url }
}

/** Starts a command and waits for nothing. */
export function launch(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Running {
  return watched(start(args, env))
}

/** A process that was started, with all that it prints. */
export function watched(child: ChildProcess): Running {
  const output = collectOutput(child)
  const ended = once(child, 'close').then(([code]): Finished => ({ code, ...output() }))
  const end: Running['end'] = (signal = 'SIGTERM') => {
    child.kill(signal)
    return ended
  }
  return { pid: child.pid ?? 0, output, ended, end }
}

/** What the first start of a workspace left for the first person. */
export interface FirstRunFile {
  readonly user: string
  readonly password: string
  readonly admin_key: string
  readonly url: string
}

export function readFirstRun(data: string): FirstRunFile {
  return JSON.parse(readFileSync(join(data, 'first-run.json'), 'utf8')) as FirstRunFile
}

/** Longer than anything takes that is still on its way, in ms: beside other work too. */
const PATIENCE = 180_000

/** Asks until the answer is what it should be; throws with what was asked when it never is. */
export async function eventually(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + PATIENCE
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`still not so after ${PATIENCE} ms: ${isSo}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

function start(args: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
  return spawn(process.execPath, [ENTRY, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...withoutSettings(process.env), ...env },
  })
}

/** Settings of the machine the tests run on are not those of a test. */
export function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('SVC_')))
}

/** What a process has printed so far, whenever it is asked. */
function collectOutput(child: ChildProcess): () => Omit<Finished, 'code'> {
  const output = { stdout: '', stderr: '' }
  child.stdout?.on('data', (chunk: Buffer) => {
    output.stdout += chunk.toString()
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    output.stderr += chunk.toString()
  })
  return () => ({ ...output })
}

/** Waits for the line that says where a process listens; throws when its output ends without one. */
async function announcedUrl(stream: Readable | null, output: () => string): Promise<string> {
  while (stream) {
    const [, url] = /^(?:svc )?listening on (\S+)\n/m.exec(output()) ?? []
    if (url !== undefined) return url
    await once(stream, 'data')
  }
  throw new Error('the process has no such stream')
}
