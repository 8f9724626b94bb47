import { hash } from 'node:crypto'
import type { RowReader } from './row-reader.ts'

/** Texts that are watched for their second use. */
const MAX_WATCHED = 4000

/** Longest text that gets a name: bulk inserts and lists of a thousand names are hardly ever twice the same. */
const MAX_LENGTH = 20_000

/** Texts that the connections of a pool send, known to all of them. */
export interface StatementTexts {
  /** Name of this text from its second use on; undefined for one that is sent without a name. */
  use(text: string): string | undefined
}

/**
 * Makes the names of texts. A text that comes once is not worth one: the server would keep it for nothing. The name
 * is the hash of the text, so that one name never stands for two texts, whoever shares a connection of the server
 * with us.
 */
export function createStatementTexts(maxWatched = MAX_WATCHED): StatementTexts {
  /** Names of texts of this turn and of the one before: what neither knows has not been used for long. */
  let recent = new Map<string, string | undefined>()
  let older = new Map<string, string | undefined>()

  function remember(text: string, name: string | undefined): void {
    if (recent.size >= maxWatched / 2) {
      older = recent
      recent = new Map()
    }
    recent.set(text, name)
  }

  return {
    use(text) {
      if (text.length > MAX_LENGTH) return undefined
      const known = recent.get(text) ?? older.get(text)
      if (known !== undefined) {
        if (!recent.has(text)) remember(text, known)
        return known
      }
      if (!recent.has(text) && !older.has(text)) {
        remember(text, undefined)
        return undefined
      }
      const name = `svc_${hash('sha256', text).slice(0, 24)}`
      recent.delete(text)
      remember(text, name)
      return name
    },
  }
}

/** A statement that the server holds for a connection under a name, once it has been told its text. */
export interface HeldStatement {
  readonly name: string
  isParsed: boolean
  /** Makes its rows, as the server described them when it was told; undefined where it gives none. */
  read: RowReader | undefined
}

export interface HeldLimits {
  /** Statements a connection holds at once. */
  readonly held: number
  /** Uses after which a statement is prepared anew, and so planned for tables as they have grown meanwhile. */
  readonly uses: number
}

/** The statements that one connection of the server holds under a name. */
export interface HeldStatements {
  /** The statement to send this text as; `drop` are names to be deallocated before. */
  hold(text: string): {
    readonly statement: HeldStatement | undefined
    readonly drop: readonly string[]
  }
  /** Gives this text a new name from now on: it is not known whether the server has it under its own. */
  lose(text: string): void
  /** Gives new names from now on: nothing that was held can be relied upon any more. */
  forget(): void
  /** Statements that were prepared so far. */
  readonly prepared: number
}

/**
 * Keeps the statements of one connection. When it holds too many, the quarter that was used least lately goes. What
 * was dropped comes back under another name.
 */
export function createHeldStatements(texts: StatementTexts, limits: HeldLimits): HeldStatements {
  /** Names by text, the longest unused first. */
  const names = new Map<string, { readonly statement: HeldStatement; uses: number }>()
  /** Names that are no longer sent, but still held. */
  let worn: string[] = []
  let prepared = 0

  function dropOldest(): readonly string[] {
    for (const [text, { statement }] of names) {
      if (names.size <= limits.held - limits.held / 4) break
      names.delete(text)
      worn.push(statement.name)
    }
    const dropped = worn
    worn = []
    return dropped
  }

  return {
    get prepared() {
      return prepared
    },
    hold(text) {
      const base = texts.use(text)
      if (base === undefined) return UNNAMED
      const known = names.get(text)
      if (known) names.delete(text)
      if (known && known.uses < limits.uses) {
        known.uses += 1
        names.set(text, known)
        return { statement: known.statement, drop: NONE }
      }
      if (known) worn.push(known.statement.name)
      const drop = names.size + worn.length >= limits.held ? dropOldest() : NONE
      prepared += 1
      const statement = { name: `${base}_${prepared}`, isParsed: false, read: undefined }
      names.set(text, { statement, uses: 1 })
      return { statement, drop }
    },
    lose(text) {
      names.delete(text)
    },
    forget() {
      names.clear()
      worn = []
    },
  }
}

const NONE: readonly string[] = []
const UNNAMED = { statement: undefined, drop: NONE }
