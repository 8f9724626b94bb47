import type { ChildProcess } from 'node:child_process'
import { ExpressionError } from '../../expression/tree/problem.ts'
import type { Errand } from './errand.ts'
import type { Failed, FromReader, ToReader } from './messages.ts'
import { overBudget, readerEnded } from './over-budget.ts'
import { timeLeft } from './process-time.ts'

/** Less than the system's clock of a process tells apart, in ms. */
const TICK_MS = 20

/** Time that a reader has for an answer. */
export interface Within {
  readonly ms: number
  readonly errand: Errand
  /** Time of the whole statement, in ms, of which `ms` is left. */
  readonly budgetMs: number
}

/**
 * Sends a message to a reader and resolves with its answer. Throws UNAVAILABLE where none comes in time, and has killed
 * the process then, and where it ended by itself.
 */
export function exchange(
  to: ChildProcess,
  message: ToReader,
  { ms, errand, budgetMs }: Within,
): Promise<FromReader> {
  return new Promise((resolve, reject) => {
    let settled = false
    const left = timeLeft(to.pid, ms)
    let timer: NodeJS.Timeout
    const wait = (forMs: number): void => {
      timer = setTimeout(() => {
        // What came while this thread was busy itself is read first: it may be the answer.
        setImmediate(() => {
          if (settled) return
          const more = left()
          if (more > TICK_MS) return wait(more)
          to.kill('SIGKILL')
          finish(() => reject(overBudget(errand, budgetMs)))
        })
      }, forMs)
    }
    wait(ms)
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

/** Tells a reader that nobody wants the rest of its statement. */
export function forget(to: ChildProcess): void {
  if (to.connected) to.send({ do: 'forget' } satisfies ToReader, () => undefined)
}

/** Says whether this process goes on as long as the reader is there: it does while it waits for an answer. */
export function hold(child: ChildProcess, on: boolean): void {
  if (on) {
    child.ref()
    child.channel?.ref()
  } else {
    child.unref()
    child.channel?.unref()
  }
}

/** The error of a reader as it would have been thrown in this process. */
export function errorOf({ message, code, isExpression }: Failed): Error {
  if (isExpression) return new ExpressionError(message)
  const error = new Error(message)
  return code === undefined ? error : Object.assign(error, { name: 'SqliteError', code })
}
