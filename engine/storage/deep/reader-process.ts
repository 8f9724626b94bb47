import type { ChildProcess } from 'node:child_process'
import type { Lane, TakePage } from './errand.ts'
import type { OpenFile, ToReader } from './messages.ts'
import { readerEnded } from './over-budget.ts'
import { errorOf, exchange, forget, hold, type Within } from './reader-channel.ts'
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
const STARTING: Within = {
  ms: START_MS,
  errand: { person: '', narrow: 'tell the operator that no reader starts' },
  budgetMs: START_MS,
}

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
    if (child && !child.killed) return child
    // A command that reads nothing long need not load what starts processes.
    const { spawnReader } = await import('./spawn-reader.ts')
    const started = spawnReader()
    child = started
    started.on('exit', () => {
      if (child === started) child = undefined
    })
    const open: OpenFile = { do: 'open', file, libraryFolders }
    const answer = await exchange(started, open, STARTING)
    if (answer.is === 'ready') return started
    kill(started)
    throw answer.is === 'failed' ? errorOf(answer) : new Error('the reader did not open its file')
  }

  function kill(which: ChildProcess): void {
    if (child === which) child = undefined
    which.kill('SIGKILL')
  }

  function rest(): void {
    if (!child || child.killed) return
    hold(child, false)
    idle = setTimeout(() => {
      const last = child
      child = undefined
      if (last?.connected) last.disconnect()
    }, idleMs)
    idle.unref()
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
        return await readPages(to, { errand, budgetMs }, { do: 'run', text, parameters }, take)
      } catch (error) {
        // It waits for a wish that never comes, or works on what nobody wants.
        if (!to.killed) forget(to)
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

/** Runs a statement and takes its pages one by one; resolves to the time that the reader worked, in ms. */
async function readPages(
  to: ChildProcess,
  { errand, budgetMs }: Omit<Within, 'ms'>,
  run: ToReader,
  take: TakePage,
): Promise<number> {
  let worked = 0
  let make: ReturnType<typeof rowMaker> | undefined
  for (let message = run; ; message = { do: 'next' }) {
    // Of the budget goes what the reader worked, not what this thread did meanwhile.
    const within = { ms: Math.max(1, budgetMs - worked), errand, budgetMs }
    const answer = await exchange(to, message, within)
    if (answer.is === 'ready') throw new Error('the reader answered out of turn')
    worked += answer.ms
    if (answer.is === 'failed') throw errorOf(answer)
    if (answer.columns) make = rowMaker(answer.columns)
    take(answer.rows.map((values) => make!(values)))
    if (answer.done) return worked
  }
}
