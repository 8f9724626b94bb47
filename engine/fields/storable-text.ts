import { refusal } from './problem.ts'

/**
 * The text when both databases can keep and compare it: no NUL (PostgreSQL refuses it, SQLite's functions
 * stop there), no half of a surrogate pair. Empty text is unset, so null. Throws FieldProblem.
 */
export function storableText(text: string): string | null {
  if (text === '') return null
  if (text.includes('\0')) throw refusal('text without the NUL character', text)
  if (!text.isWellFormed()) throw refusal('well-formed Unicode text', text)
  return text
}

/** Throws FieldProblem when a text is longer than `limit` characters; a surrogate pair is one. */
export function assertLength(text: string, limit: number): void {
  if (text.length <= limit) return
  const length = characters(text)
  if (length > limit) throw refusal(`at most ${limit} characters`, length, 'out_of_range')
}

function characters(text: string): number {
  let count = 0
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    if (unit < 0xdc00 || unit > 0xdfff) count += 1
  }
  return count
}
