import type { WrittenText } from './let.ts'

/** Part of a text that came from one place, letter by letter. */
interface Piece {
  readonly start: number
  readonly end: number
  readonly from: WrittenText
  /** Offset there of its first letter. */
  readonly offset: number
}

/** Part of a text that a let was put in for. */
interface Inserted {
  readonly start: number
  readonly end: number
  readonly from: WrittenText
  readonly offset: number
}

/** Text of an expression with its lets in place, and where its parts were written. */
export interface ExpandedText {
  readonly text: string
  /** The text that the lets were put into. */
  readonly from: WrittenText
  readonly pieces: readonly Piece[]
  /** The lets that were put in, outer ones first. */
  readonly inserted: readonly Inserted[]
}

/** Change of a text: what comes instead of the letters from `start` to `end`. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly by: string | ExpandedText
  /** Whether it is a let, in place of its name. */
  readonly isLet?: boolean
}

/** The text with these changes, none of which overlap. */
export function edited(from: WrittenText, edits: readonly Edit[]): ExpandedText {
  const pieces: Piece[] = []
  const inserted: Inserted[] = []
  let text = ''
  let done = 0
  const keep = (end: number): void => {
    if (end === done) return
    const start = text.length
    text += from.text.slice(done, end)
    pieces.push({ start, end: text.length, from, offset: done })
  }
  for (const { start, end, by, isLet } of edits.toSorted((a, b) => a.start - b.start)) {
    keep(start)
    const at = text.length
    const put = typeof by === 'string' ? { text: by, pieces: [], inserted: [] } : by
    text += put.text
    if (isLet) inserted.push({ start: at, end: text.length, from, offset: start })
    const moved = <Part extends Piece>(part: Part): Part => ({
      ...part,
      start: part.start + at,
      end: part.end + at,
    })
    pieces.push(...put.pieces.map(moved))
    inserted.push(...put.inserted.map(moved))
    done = end
  }
  keep(from.text.length)
  return { text, from, pieces, inserted }
}

/** The text in parentheses. */
export function inParentheses({ text, from, pieces, inserted }: ExpandedText): ExpandedText {
  const moved = <Part extends Piece>(part: Part): Part => ({
    ...part,
    start: part.start + 1,
    end: part.end + 1,
  })
  return { text: `(${text})`, from, pieces: pieces.map(moved), inserted: inserted.map(moved) }
}

/**
 * Where a mistake of an expanded text was written: in a let, or where its name stands when the let as a whole does not
 * fit there.
 */
export function writtenAt(
  { text, from, pieces, inserted }: ExpandedText,
  offset: number,
  length: number,
): { readonly from: WrittenText; readonly offset: number } | undefined {
  // About nothing in the text, but about all of it.
  if (length === 0) return { from, offset }
  const whole = inserted.find(
    (part) =>
      offset <= firstLetter(text, part) &&
      offset >= part.start &&
      offset + length >= lastLetter(text, part) &&
      // Of one word alone, the mistake may be the word.
      (offset < part.start ||
        offset + length > part.end ||
        !/^\W*\w+\W*$/.test(text.slice(part.start, part.end))),
  )
  if (whole) return { from: whole.from, offset: whole.offset }
  const piece = pieces.find(({ start, end }) => start <= offset && offset < end)
  // A letter that was put in, as the `i.` of a row: what stands behind it was written.
  const next = piece ?? pieces.find(({ start }) => start >= offset) ?? pieces.at(-1)
  return next && { from: next.from, offset: next.offset + Math.max(0, offset - next.start) }
}

function firstLetter(text: string, { start, end }: Inserted): number {
  return start + (/^[\s(]*/.exec(text.slice(start, end))?.[0].length ?? 0)
}

function lastLetter(text: string, { start, end }: Inserted): number {
  return end - (/[\s)]*$/.exec(text.slice(start, end))?.[0].length ?? 0)
}
