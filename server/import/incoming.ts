import type { Detail } from '../../engine/base/errors.ts'

/** One record of a file, read but not yet checked. */
export interface Incoming {
  /** Line of the file where it begins, from 1. */
  readonly line: number
  /** Bytes of the file up to its end. */
  readonly end: number
  /** Fields of the record in the wire form of a body. */
  readonly body: Record<string, unknown>
  /** Problems of its text that are known already; it is not imported then. */
  readonly problems: readonly Detail[]
  /** Line of a field, by its path in a body such as `items[2].qty`. */
  lineOf(path: string): number
  /** The record whole as it stands in the file: its rows in a table, else its text. */
  readonly original: readonly (readonly string[])[] | string
}

/** Problem of a record of a file whose id and name differ: both are the one name it has. */
export function differingNames(id: unknown, name: unknown): readonly Detail[] {
  const isOne = [id, name].some((one) => one === undefined || one === null || one === '')
  if (isOne || String(id) === String(name)) return []
  const message = `expected the same as id, ${JSON.stringify(id)}, or one of both; got ${JSON.stringify(name)}`
  return [{ field: 'name', message, code: 'rule' }]
}

/** The file breaks off or cannot be read from here on; what came before stands. */
export class BrokenSource extends Error {
  readonly line: number

  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}
