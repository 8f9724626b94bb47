import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { IS_BINARY, PROGRAM_FOLDER } from '../../engine/base/packaged-files.ts'
import type { ChaosCopy } from './copy.ts'
import { CHAOS_SERVER_WORD, type Leap } from './words.ts'

/** Place of a copy that a process works on. */
export type CopyPlace = Pick<ChaosCopy, 'env'> & { readonly dataFolder: string }

/** A process that serves a copy. */
export interface ServerProcess {
  readonly pid: number
  readonly url: string
  /** Ends it in the middle of what it does, and waits until it is gone. */
  kill(): Promise<void>
  /** Lets it answer what is under way and ends it. Resolves with its exit code. */
  stop(): Promise<number | null>
  freeze(): void
  thaw(): void
  /** Sets its clock so many ms off from that of the machine. */
  leap(ms: number): void
  /** Log so far. */
  log(): string
}

/** A start that was refused. */
export class StartRefused extends Error {}

/** Result of a command that has ended. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** The most of a log that is kept, in characters: its end. */
const LOG = 200_000

/** Starts a server on a copy and waits until it listens. Throws StartRefused with its own words. */
export async function startServer({ dataFolder, env }: CopyPlace): Promise<ServerProcess> {
  const args = [CHAOS_SERVER_WORD, '--port', '0', '--host', '127.0.0.1', '--data', dataFolder]
  const child = start(args, env, true)
  const output = collect(child)
  const closed = once(child, 'close').then(([code]) => code as number | null)
  const url = await Promise.race([listening(child, output), closed.then(() => undefined)])
  if (url === undefined) throw new StartRefused(output().stderr.trim())
  const end = (signal: NodeJS.Signals): Promise<number | null> => {
    // One that stands still would hear of no other signal.
    child.kill('SIGCONT')
    child.kill(signal)
    return closed
  }
  return {
    pid: child.pid ?? 0,
    url,
    kill: () => end('SIGKILL').then(() => undefined),
    stop: () => end('SIGTERM'),
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    leap: (leapMs) => void child.send({ leapMs } satisfies Leap),
    log: () => output().stderr,
  }
}

/** Runs a command of this program on a copy, `['verify', '--json']`, and waits for its end. */
export async function runCommand(
  { dataFolder, env }: CopyPlace,
  args: readonly string[],
): Promise<Ended> {
  const child = start([...args, '--data', dataFolder], env, false)
  const output = collect(child)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...output() }
}

function start(args: readonly string[], env: ChaosCopy['env'], isServer: boolean): ChildProcess {
  const program = IS_BINARY ? [] : [join(PROGRAM_FOLDER, 'cli/svc.js')]
  return spawn(process.execPath, [...program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe', ...(isServer ? ['ipc' as const] : [])],
    env: { ...withoutSettings(process.env), ...env },
    windowsHide: true,
  })
}

/** Settings of the workspace would let the copy send mail and take money. */
function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('SVC_')))
}

function collect(child: ChildProcess): () => Omit<Ended, 'code'> {
  const output = { stdout: '', stderr: '' }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output.stderr = (output.stderr + text).slice(-LOG)
  })
  return () => ({ ...output })
}

async function listening(child: ChildProcess, output: () => Omit<Ended, 'code'>): Promise<string> {
  for (;;) {
    const [, url] = /^svc listening on (\S+)\n/m.exec(output().stdout) ?? []
    if (url !== undefined) return url
    if (child.stdout === null) throw new Error('the process has no output')
    await once(child.stdout, 'data')
  }
}
