import type pg from 'pg'
import { FixedParameters } from '../database/statements.ts'
import {
  type BatchEnd,
  type BatchStatement,
  StatementBatch,
  type StatementResult,
  wireValues,
} from './statement-batch.ts'
import type { HeldStatement, HeldStatements } from './statement-names.ts'

/** invalid_sql_statement_name and duplicate_prepared_statement (PostgreSQL, appendix A). */
const LOST = new Set(['26000', '42P05'])

/**
 * Whether a statement failed because what the server holds under its name is gone, or gives other columns since a
 * migration. It has done nothing then; in a transaction all of it is to be tried again.
 */
export function isStaleStatement(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  if (LOST.has(String(error.code))) return true
  // "cached plan must not change result type", in whichever language the server speaks.
  return error.code === '0A000' && 'routine' in error && error.routine === 'RevalidateCachedQuery'
}

/** invalid_text_representation, datatype_mismatch and undefined_function. */
const MISTYPED = new Set(['22P02', '42804', '42883'])

/** Whether a statement may have failed because what is held under its name is of the types that columns had before a migration. */
function isMistyped(error: unknown): boolean {
  return error instanceof Error && 'code' in error && MISTYPED.has(String(error.code))
}

interface Waiting extends BatchStatement {
  /** Whether somebody waits for its result; what nobody waits for goes out with the next that somebody does. */
  readonly isAwaited: boolean
  /** It may be several statements in one text: it goes alone, by the simple protocol. */
  readonly isScript: boolean
}

/**
 * A connection whose statements go out together: what is asked for in one turn of the event loop, or while others are on
 * their way, is one message and has one answer (docs/decisions/0104). Statements are done in their order; where one fails, those
 * behind it in its batch are told its reason, so only who shares a transaction asks at the same time.
 */
export class BatchingClient {
  readonly #client: pg.PoolClient
  readonly #held: HeldStatements | undefined
  #waiting: Waiting[] = []
  #isOnTheWay = false
  #isDue = false

  /** Without `held` no statement has a name. */
  constructor(client: pg.PoolClient, held?: HeldStatements) {
    this.#client = client
    this.#held = held
  }

  /** Runs a text, under a name where it is planned alike for any values. */
  query<Row>(
    text: string,
    values: readonly unknown[],
    isFixed = values instanceof FixedParameters,
  ): Promise<StatementResult<Row>> {
    return new Promise((resolve, reject) => {
      this.#add({ text, values, resolve, reject, isAwaited: true }, isFixed)
      this.#schedule()
    })
  }

  /** Sends a text that is planned alike for any values, with the next query; `reject` is told why it failed, `resolve` what it gave. */
  send<Row>(
    text: string,
    values: readonly unknown[],
    reject: (reason: unknown) => void,
    resolve: (result: StatementResult<Row>) => void = ignore,
  ): void {
    this.#add({ text, values, resolve, reject, isAwaited: false }, true)
  }

  /** Sends what still waits for a query; returns when it is done or has failed. */
  async settle(): Promise<void> {
    const last = this.#waiting.at(-1)
    if (!last || last.isAwaited) return
    await new Promise<void>((resolve) => {
      const told = {
        resolve(result: StatementResult<never>): void {
          last.resolve(result)
          resolve()
        },
        reject(reason: unknown): void {
          last.reject(reason)
          resolve()
        },
      }
      this.#waiting.splice(-1, 1, { ...last, isAwaited: true, ...told })
      this.#schedule()
    })
  }

  #add({ values, ...asked }: Omit<Waiting, 'held' | 'isScript'>, isFixed: boolean): void {
    const wire = wireValues(values)
    const held = isFixed ? this.#held?.hold(asked.text) : undefined
    for (const name of held?.drop ?? []) this.#waiting.push(deallocation(name))
    const isScript = !isFixed && values.length === 0
    this.#waiting.push({ ...asked, values: wire, held: held?.statement, isScript })
  }

  #schedule(): void {
    if (this.#isOnTheWay || this.#isDue) return
    this.#isDue = true
    // Behind all that goes on without an answer of the server.
    process.nextTick(() => {
      this.#isDue = false
      this.#sendNext()
    })
  }

  #sendNext(): void {
    this.#isOnTheWay = true
    const script = this.#waiting.findIndex(({ isScript }) => isScript)
    if (script === 0) this.#sendScript(this.#waiting.shift()!)
    else this.#sendBatch(this.#waiting.splice(0, script < 0 ? this.#waiting.length : script))
  }

  #sendScript({ text, resolve, reject }: Waiting): void {
    this.#client
      .query(text)
      .then((result) => resolve(result as unknown as StatementResult<never>), reject)
      .finally(() => this.#goOn())
  }

  #sendBatch(statements: Waiting[]): void {
    const asked = statements.filter(({ reject }) => reject !== ignore)
    const [first] = asked
    // What has done nothing yet, and is all that is done, is asked once more.
    if (asked.length === 1 && first?.held && this.#client.getTransactionStatus() === 'I')
      statements[statements.indexOf(first)] = {
        ...first,
        reject: (reason) => this.#again(first, reason),
      }
    const unparsed = new Set(statements.flatMap(({ held }) => (held?.isParsed ? [] : (held ?? []))))
    const end: BatchEnd = (done, failed) => {
      if (failed) {
        if (isStaleStatement(failed.reason) || isMistyped(failed.reason)) this.#held?.forget()
        for (const { held } of statements.slice(0, done)) if (held) unparsed.delete(held)
        this.#loseUnparsed(statements.slice(done), unparsed)
      }
      this.#goOn()
    }
    this.#client.query(new StatementBatch(statements, end))
  }

  /** Of statements that were not done the server may have been told the text of the first, and of no other. */
  #loseUnparsed(undone: readonly Waiting[], unparsed: Set<HeldStatement>): void {
    for (const [at, { text, held }] of undone.entries()) {
      if (!held || !unparsed.delete(held)) continue
      if (at === 0) this.#held?.lose(text)
      else held.isParsed = false
    }
  }

  #again(statement: Waiting, reason: unknown): void {
    if (isStaleStatement(reason)) {
      this.#waiting.unshift({ ...statement, held: undefined })
      this.#schedule()
    } else statement.reject(reason)
  }

  #goOn(): void {
    this.#isOnTheWay = false
    if (this.#waiting.some(({ isAwaited }) => isAwaited)) this.#schedule()
  }
}

function deallocation(name: string): Waiting {
  const text = `deallocate ${name}`
  return {
    text,
    values: [],
    held: undefined,
    resolve: ignore,
    reject: ignore,
    isAwaited: false,
    isScript: false,
  }
}

/** For who is not told. */
function ignore(): void {}
