import type { Detail } from '../../engine/base/errors.ts'

/** One record of a file, read but not yet checked. */
export interface Incoming {
  /** Line of the file where it begins, from 1. */
  readonly line: number
  /** Fields of the record in the wire form of a body. */
  readonly body: Record<string, unknown>
  /** What is wrong with its text already; it is not imported then. */
  readonly problems: readonly Detail[]
  /** Line of a field, by its path in a body such as `items[2].qty`. */
  lineOf(path: string): number
  /** The record whole as it stands in the file: its rows in a table, else its value. */
  readonly original: readonly (readonly string[])[] | Readonly<Record<string, unknown>>
}

/** The file breaks off or cannot be read from here on; what came before stands. */
export class BrokenSource extends Error {
  readonly line: number

  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}
