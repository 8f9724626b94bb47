import type { PostgresQueryResult } from 'kysely'
import type pg from 'pg'
import { prepareValue } from 'pg/lib/utils.js'
import { type FieldDescription, type RowReader, rowReader } from './row-reader.ts'
import type { HeldStatement } from './statement-names.ts'

/** A statement on its way, and who waits for it. */
export interface BatchStatement {
  readonly text: string
  /** As the driver sends them (`wireValues`). */
  readonly values: readonly unknown[]
  /** Undefined for one that is planned for its values. */
  readonly held: HeldStatement | undefined
  readonly resolve: (result: StatementResult<never>) => void
  readonly reject: (reason: unknown) => void
}

/** What a statement gave, as kysely takes it. */
export type StatementResult<Row = unknown> = PostgresQueryResult<Row>

/** Told when a batch is over: how many of its statements are done, and why the next of them failed. */
export type BatchEnd = (done: number, failed?: { readonly reason: unknown }) => void

/**
 * Statements that go to the server in one message and are answered in one (its extended query protocol, with one Sync behind
 * them): each is done, or one fails and none behind it is; these are told its reason, it before them. What a statement held under a name gives is described once and
 * not with each answer. The driver runs it by the interface of its cursors (`client.query(batch)`).
 */
export class StatementBatch implements pg.Submittable {
  readonly #statements: readonly BatchStatement[]
  readonly #end: BatchEnd
  readonly #results: StatementResult[] = []
  #read: RowReader | undefined
  #rows: Record<string, unknown>[] = []
  /** Of a value that could not be read, and the place of its statement: the batch goes on to its end. */
  #unreadable: { readonly reason: unknown; readonly at: number } | undefined

  constructor(statements: readonly BatchStatement[], end: BatchEnd) {
    this.#statements = statements
    this.#end = end
    this.#begin()
  }

  /** Texts of its statements. */
  get texts(): readonly string[] {
    return this.#statements.map(({ text }) => text)
  }

  /** Writes all messages as one. */
  submit(connection: pg.Connection): void {
    const to = connection as unknown as Wire
    to.stream.cork()
    try {
      for (const { text, values, held } of this.#statements) {
        if (!held?.isParsed) to.parse({ name: held?.name, text })
        to.bind({ statement: held?.name, values })
        if (!held?.isParsed) to.describe({ type: 'P' })
        to.execute({})
        if (held) held.isParsed = true
      }
      to.sync()
    } finally {
      to.stream.uncork()
    }
  }

  handleRowDescription({ fields }: { readonly fields: readonly FieldDescription[] }): void {
    this.#read = rowReader(fields)
    const { held } = this.#statements[this.#results.length]!
    if (held) held.read = this.#read
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    try {
      this.#rows.push(this.#read!(fields))
    } catch (reason) {
      this.#unreadable ??= { reason, at: this.#results.length }
    }
  }

  /** `INSERT 0 1`, `SELECT 3`, `BEGIN`. */
  handleCommandComplete({ text }: { readonly text: string }): void {
    const count = Number(text.slice(text.lastIndexOf(' ') + 1))
    const space = text.indexOf(' ')
    this.#results.push({
      command: (space < 0 ? text : text.slice(0, space)) as StatementResult['command'],
      rowCount: Number.isNaN(count) ? 0 : count,
      rows: this.#rows,
    })
    this.#begin()
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' })
  }

  handleError(reason: unknown): void {
    this.#finish({ reason, at: this.#results.length })
  }

  handleReadyForQuery(): void {
    this.#finish(this.#unreadable)
  }

  #begin(): void {
    this.#rows = []
    this.#read = this.#statements[this.#results.length]?.held?.read
  }

  /** What fails at the end of all, as a check that waited for it, has taken all of it back. */
  #finish(failed: { readonly reason: unknown; readonly at: number } | undefined): void {
    const done = failed?.at ?? this.#statements.length
    this.#end(done, failed)
    const isAllLost = failed !== undefined && done === this.#statements.length
    for (const [at, { resolve, reject }] of this.#statements.entries())
      if (at < done && !isAllLost) resolve(this.#results[at] as StatementResult<never>)
      else reject(failed!.reason)
  }
}

/** Values as the driver sends them. Throws for what it cannot write, as an object with itself inside. */
export function wireValues(values: readonly unknown[]): unknown[] {
  return Array.from(values, (value) => (typeof value === 'string' ? value : prepareValue(value)))
}

/** The driver's connection, of which its types know another shape. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void }
  parse(statement: { readonly name: string | undefined; readonly text: string }): void
  bind(bound: { readonly statement: string | undefined; readonly values: readonly unknown[] }): void
  describe(what: { readonly type: 'P' }): void
  execute(what: object): void
  sync(): void
}
