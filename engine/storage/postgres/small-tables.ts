/** Largest table of which any plan takes about the same time, in bytes. */
const SMALL = 256 * 1024

/** Time for which a size is believed, in ms. */
const KNOWN_FOR_MS = 60_000

/** Texts whose tables are known; when there are more all are forgotten. */
const MOST_TEXTS = 1000

/** Tables of a text that we compiled: each name there is quoted. What else stands so (`year from "day"`) is none. */
const TABLES = /\b(?:from|join)\s+"(\w+)"/gi

/** What may be a table that is not named so, or stands behind a comma. */
const OTHERS = /\b(?:from|join)\s+(?:[^\s"(]|"\w+"(?:\s+(?:as\s+)?"?\w+"?)?\s*,)/i

/** Size of the largest of these tables in bytes; null where none is there. */
export const SIZE_OF_LARGEST =
  'select max(pg_relation_size(to_regclass(quote_ident(name)))) as size from unnest($1::text[]) as name'

/** A row that it gives. */
export interface LargestSize {
  readonly size: bigint | null
}

/** What is known of the tables that texts read. */
export interface SmallTables {
  /** Whether all of a text are small: its plan need not be made for its values then. Undefined where `unknown` has to be asked first. */
  of(text: string): boolean | undefined
  /** Tables of a text whose sizes are to be asked for: from its second use on, and again when they are no longer believed. */
  unknown(text: string): readonly string[]
  /** Notes the size of the largest of them; null for none. */
  note(text: string, size: bigint | null): void
}

interface Known {
  readonly tables: readonly string[]
  isSmall: boolean | undefined
  uses: number
  until: number
}

/** Makes the memory of one process or connection, by the texts it sends. */
export function createSmallTables(now: () => number = () => performance.now()): SmallTables {
  const texts = new Map<string, Known>()

  function knownOf(text: string): Known {
    let known = texts.get(text)
    if (!known) {
      if (texts.size >= MOST_TEXTS) texts.clear()
      const names = OTHERS.test(text)
        ? []
        : Array.from(text.matchAll(TABLES), ([, name = '']) => name)
      const tables = [...new Set(names)]
      known = { tables, isSmall: undefined, uses: 0, until: 0 }
      texts.set(text, known)
    }
    return known
  }

  return {
    of(text) {
      const known = knownOf(text)
      return now() < known.until ? known.isSmall : undefined
    },
    unknown(text) {
      const known = knownOf(text)
      known.uses += 1
      return known.uses > 1 ? known.tables : []
    },
    note(text, size) {
      const known = knownOf(text)
      known.isSmall = size !== null && size <= SMALL
      known.until = now() + KNOWN_FOR_MS
    },
  }
}
