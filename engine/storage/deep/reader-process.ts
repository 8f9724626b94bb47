import type { ChildProcess } from 'node:child_process'
import { ExpressionError } from '../../expression/tree/problem.ts'
import type { Errand, Lane, TakePage } from './errand.ts'
import type { Failed, FromReader, Page, ToReader } from './messages.ts'
import { overBudget, readerEnded } from './over-budget.ts'
import { rowMaker } from './row-maker.ts'

export interface ReaderOptions {
  readonly file: string
  /** Folders where the single binary may unpack SQLite's library. */
  readonly libraryFolders: readonly string[]
  /** Longest time of one statement, in ms. */
  readonly budgetMs: number
  /** Time without work after which the process ends, in ms. */
  readonly idleMs: number
}

/** Reader of one file in a process of its own; the process lives as long as there is work now and then. */
export interface ReaderProcess extends Lane {
  /** Number of the process; undefined while there is none. */
  readonly pid: number | undefined
  /** Ends the process, and with it what it runs. */
  end(): Promise<void>
}

/** Time in which a process has to have the file open, in ms: a busy machine takes its while. */
const START_MS = 20_000

/**
 * Makes a reader. Nothing can interrupt a statement of better-sqlite3, not even the end of a thread it runs in: so it
 * runs in a process, which is killed when the statement passes its budget, and started again at the next one
 * (docs/decisions/0050).
 */
export function createReaderProcess({
  file,
  libraryFolders,
  budgetMs,
  idleMs,
}: ReaderOptions): ReaderProcess {
  let child: ChildProcess | undefined
  let idle: NodeJS.Timeout | undefined
  let ended = false

  async function open(): Promise<ChildProcess> {
    if (child) return child
    // A command that reads nothing long need not load what starts processes.
    const { spawnReader } = await import('./spawn-reader.ts')
    const started = spawnReader()
    child = started
    started.on('exit', () => {
      if (child === started) child = undefined
    })
    const answer = await exchange(started, { do: 'open', file, libraryFolders }, START_MS)
    if (answer.is === 'ready') return started
    kill(started)
    throw answer.is === 'failed' ? errorOf(answer) : new Error('the reader did not open its file')
  }

  function kill(which: ChildProcess): void {
    if (child === which) child = undefined
    which.kill('SIGKILL')
  }

  function rest(): void {
    if (!child) return
    hold(child, false)
    idle = setTimeout(() => {
      const last = child
      child = undefined
      if (last?.connected) last.disconnect()
    }, idleMs)
    idle.unref()
  }

  async function pages(
    to: ChildProcess,
    errand: Errand,
    run: ToReader,
    take: TakePage,
  ): Promise<number> {
    let worked = 0
    let make: ((values: readonly unknown[]) => Record<string, unknown>) | undefined
    for (let message = run; ; message = { do: 'next' }) {
      const answer = await withinBudget(to, errand, message, budgetMs - worked)
      worked += answer.ms
      if (answer.is === 'failed') throw errorOf(answer)
      if (answer.columns) make = rowMaker(answer.columns)
      take(answer.rows.map((values) => make!(values)))
      if (answer.done) return worked
    }
  }

  async function withinBudget(
    to: ChildProcess,
    errand: Errand,
    message: ToReader,
    leftMs: number,
  ): Promise<Page | Failed> {
    const answer = await exchange(to, message, Math.max(1, leftMs), errand, budgetMs)
    if (answer.is === 'ready') throw new Error('the reader answered out of turn')
    return answer
  }

  return {
    get pid() {
      return child?.pid
    },
    async read(errand, text, parameters, take) {
      if (ended) throw readerEnded(errand, 'the workspace is being closed')
      clearTimeout(idle)
      const to = await open()
      hold(to, true)
      try {
        return await pages(to, errand, { do: 'run', text, parameters }, take)
      } catch (error) {
        // It waits for a wish that never comes, or works on what nobody wants.
        if (child === to) forget(to)
        throw error
      } finally {
        rest()
      }
    },
    async end() {
      ended = true
      clearTimeout(idle)
      const last = child
      if (!last) return
      child = undefined
      const gone = new Promise<void>((resolve) => last.once('exit', () => resolve()))
      last.ref()
      last.kill('SIGKILL')
      await gone
    },
  }
}

/** Sends a message and resolves with its answer. Throws UNAVAILABLE where there is none in time, and kills then. */
function exchange(
  to: ChildProcess,
  message: ToReader,
  withinMs: number,
  errand: Errand = { person: '', narrow: 'tell the operator' },
  budgetMs = withinMs,
): Promise<FromReader> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      // What came while this thread was busy itself is read first: it may be the answer.
      setImmediate(() => {
        if (settled) return
        to.kill('SIGKILL')
        finish(() => reject(overBudget(errand, budgetMs)))
      })
    }, withinMs)
    let settled = false
    const finish = (how: () => void): void => {
      if (settled) return
      settled = true
      clearTimeout(timer)
      to.off('message', answered)
      to.off('exit', exited)
      to.off('error', failed)
      how()
    }
    const answered = (answer: unknown): void => finish(() => resolve(answer as FromReader))
    const failed = (error: Error): void => finish(() => reject(readerEnded(errand, error.message)))
    const exited = (code: number | null, signal: string | null): void =>
      finish(() => reject(readerEnded(errand, signal ?? `exit code ${code}`)))
    to.on('message', answered)
    to.on('exit', exited)
    to.on('error', failed)
    to.send(message, (error) => {
      if (error) failed(error)
    })
  })
}

function forget(to: ChildProcess): void {
  if (to.connected) to.send({ do: 'forget' } satisfies ToReader, () => undefined)
}

/** Whether this process goes on as long as the reader is there: it does while it waits for an answer. */
function hold(child: ChildProcess, on: boolean): void {
  if (on) {
    child.ref()
    child.channel?.ref()
  } else {
    child.unref()
    child.channel?.unref()
  }
}

/** The error as it would have been thrown in this process. */
function errorOf({ message, code, isExpression }: Failed): Error {
  if (isExpression) return new ExpressionError(message)
  const error = new Error(message)
  return code === undefined ? error : Object.assign(error, { name: 'SqliteError', code })
}
