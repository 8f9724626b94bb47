import { spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { partsOfOutput } from './parts.ts'

/** One finished process with everything it printed. */
export interface ProcessResult {
  readonly output: string
  /** Exit code; null when a signal ended it. */
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly seconds: number
  readonly timedOut: boolean
}

/** What a process does one after the other, until there is nothing left to do. */
export interface ProcessParts {
  /** The name of the next part; undefined when the last one was that. */
  next(): string | undefined
  /** Called with the result of each part but the last when it ends (`END_OF_FILE`). */
  ended(result: ProcessResult): void
}

export interface ProcessOptions {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** Milliseconds after which the process and its children are killed; each part has as many. */
  readonly timeout: number
  /** Killed with everything they started when it aborts. */
  readonly signal: AbortSignal
  /** Given to a process of several parts, which asks for each one as a line on its file descriptor 3. */
  readonly parts?: ProcessParts
}

/** Where a process reads the names of its parts: its standard input may be what a part is about. */
const PARTS_FD = 3

/** What a process printed before its end is read for this long, should others hold its pipes open. */
const LAST_WORDS_MS = 3000

/**
 * Runs a command to its end and never rejects: a command that does not start is a result too. The result is that
 * of its last part, which for most commands is all there is.
 * Whatever the process leaves running in its process group is killed with it.
 */
export function runProcess(
  command: string,
  args: readonly string[],
  { cwd, env, timeout, signal, parts }: ProcessOptions,
): Promise<ProcessResult> {
  return new Promise((resolve) => {
    let started = performance.now()
    let timedOut = false
    const child = spawn(command, args, {
      cwd,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', ...(parts ? ['pipe' as const] : [])],
    })
    const outputs = { stdout: child.stdout as Readable, stderr: child.stderr as Readable }
    const orders = child.stdio[PARTS_FD] as Writable | undefined
    const timer = setTimeout(() => {
      timedOut = true
      killGroup(child.pid)
    }, timeout)
    const output = partsOfOutput((output) => {
      parts?.ended({ output, code: 0, signal: null, seconds: secondsPassed(), timedOut: false })
      started = performance.now()
      timer.refresh()
      order()
    })
    const abort = () => killGroup(child.pid)
    signal.addEventListener('abort', abort)
    if (signal.aborted) abort()

    function order(): void {
      const name = parts?.next()
      if (name === undefined) orders?.end()
      else orders?.write(`${name}\n`)
    }

    function secondsPassed(): number {
      return (performance.now() - started) / 1000
    }

    function finish(code: number | null, endedBy: NodeJS.Signals | null): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      const seconds = secondsPassed()
      resolve({ output: output.last(), code, signal: endedBy, seconds, timedOut })
    }

    for (const stream of ['stdout', 'stderr'] as const)
      outputs[stream].setEncoding('utf8').on('data', (text: string) => output.add(stream, text))
    child.on('error', (error) => {
      output.add('stderr', `${command} does not start: ${error.message}\n`)
      finish(1, null)
    })
    child.on('exit', () => {
      // A server that a test forgot would hold the pipes open, and 'close' would never come.
      killGroup(child.pid)
      setTimeout(() => {
        for (const pipe of Object.values(outputs)) pipe.destroy()
      }, LAST_WORDS_MS).unref()
    })
    child.on('close', finish)
    // Whoever does not take its order has ended, which is told by its exit.
    orders?.on('error', () => {})
    order()
  })
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
