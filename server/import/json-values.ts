import { BrokenSource } from './incoming.ts'

/** The text of one JSON value and the line where it begins. */
export interface JsonText {
  readonly line: number
  /** Bytes of the file up to its end. */
  readonly end: number
  readonly text: string
}

/** Characters of one value. */
const MAX_VALUE = 16 * 1024 * 1024

/** The lines of a JSONL text that are not empty. */
export async function* jsonLines(text: AsyncIterable<string>): AsyncGenerator<JsonText> {
  let line = 1
  let read = 0
  let rest = ''
  for await (const piece of text) {
    rest += piece
    let start = 0
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n', start)) {
      const one = rest.slice(start, end)
      read += Buffer.byteLength(one) + 1
      if (one.trim() !== '') yield { line, end: read, text: one }
      line += 1
      start = end + 1
    }
    rest = rest.slice(start)
    if (rest.length > MAX_VALUE) throw tooLong(line)
  }
  if (rest.trim() !== '') yield { line, end: read + Buffer.byteLength(rest), text: rest }
}

/**
 * The elements of a JSON array, cut out one after the other without reading them: only brackets and quotes
 * are looked at, so that each has its line and a broken end costs only itself. Throws BrokenSource where the
 * array is none, or breaks off.
 */
export async function* jsonElements(text: AsyncIterable<string>): AsyncGenerator<JsonText> {
  const scan = new ElementScan()
  for await (const piece of text) {
    yield* scan.take(piece)
    if (scan.broken) throw scan.broken
  }
  scan.end()
}

const EXPECTED = {
  before: 'expected a list of records, [{…}, …]',
  after: 'expected nothing behind the list',
} as const

const QUOTE = 34
const COMMA = 44
const OPENING = new Set([91, 123])
const CLOSING = new Set([93, 125])
const ARRAY_START = 91
const ARRAY_END = 93
const BACKSLASH = 92
const NEWLINE = 10

/** Position in the text of a list; what has broken it off is thrown after the elements before it are given. */
class ElementScan {
  broken: BrokenSource | undefined
  #line = 1
  #depth = 0
  #isInText = false
  #isEscaped = false
  /** Text of the element that is being read, and its first line. */
  #kept = ''
  #startLine = 1
  #hasBegun = false
  #state: 'before' | 'element' | 'after' = 'before'
  #count = 0
  /** Bytes that have been looked at. */
  #read = 0

  take(piece: string): JsonText[] {
    const found: JsonText[] = []
    let from = 0
    let counted = 0
    for (let at = 0; at < piece.length; at += 1) {
      const code = piece.charCodeAt(at)
      if (code === NEWLINE) this.#line += 1
      if (this.#isInText) {
        if (this.#isEscaped) this.#isEscaped = false
        else if (code === BACKSLASH) this.#isEscaped = true
        else if (code === QUOTE) this.#isInText = false
        continue
      }
      if (this.#state !== 'element') {
        if (isSpace(code)) continue
        if (this.#state === 'after' || code !== ARRAY_START) {
          this.broken = new BrokenSource(this.#line, EXPECTED[this.#state])
          return found
        }
        this.#state = 'element'
        this.#startLine = this.#line
        from = at + 1
        continue
      }
      if (!this.#hasBegun && !isSpace(code)) {
        this.#hasBegun = true
        this.#startLine = this.#line
      }
      if (code === QUOTE) this.#isInText = true
      else if (OPENING.has(code)) this.#depth += 1
      else if (this.#depth > 0 && CLOSING.has(code)) this.#depth -= 1
      else if (this.#depth === 0 && (code === COMMA || code === ARRAY_END)) {
        this.#read += Buffer.byteLength(piece.slice(counted, at + 1))
        counted = at + 1
        found.push(...this.#element(piece.slice(from, at), code === ARRAY_END))
        from = at + 1
        if (code === ARRAY_END) this.#state = 'after'
      }
    }
    this.#read += Buffer.byteLength(piece.slice(counted))
    if (this.#state === 'element') this.#kept += piece.slice(from)
    if (this.#kept.length > MAX_VALUE) throw tooLong(this.#startLine)
    return found
  }

  end(): void {
    if (this.#state === 'before')
      throw new BrokenSource(this.#line, 'expected a list of records, got nothing')
    if (this.#state === 'element')
      throw new BrokenSource(this.#startLine, 'the list breaks off here')
  }

  #element(last: string, isEnd: boolean): JsonText[] {
    const text = (this.#kept + last).trim()
    this.#kept = ''
    this.#hasBegun = false
    // `[]` has no element; `[1,]` lacks one, which reading it will say.
    if (text === '' && isEnd && this.#count === 0) return []
    this.#count += 1
    return [{ line: this.#startLine, end: this.#read, text }]
  }
}

function isSpace(code: number): boolean {
  return code === 32 || code === NEWLINE || code === 13 || code === 9
}

function tooLong(line: number): BrokenSource {
  return new BrokenSource(
    line,
    'a record is longer than 16 million characters; is a quote or bracket not closed?',
  )
}
