import { isObject } from '../../base/json-text.ts'

/** Whether a value that a client sent says something: forms send 0, "No" and empty texts for what nobody filled. */
export function saysSomething(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(saysSomething)
  if (isObject(value)) return Object.keys(value).length > 0
  if (typeof value === 'string') {
    const text = value.trim()
    return !['', 'No', '[]', '{}', 'null', 'false'].includes(text) && Number(text) !== 0
  }
  return value !== undefined && value !== null && value !== 0 && value !== false
}

/** Number that a client sent as one or as its text; undefined for what is none. */
export function numberSent(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || value.trim() === '') return undefined
  const number = Number(value)
  return Number.isFinite(number) ? number : undefined
}

/** Rows that a client sent, as a list or as its JSON text; undefined for what is none. */
export function rowsSent(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value
  if (typeof value !== 'string' || !value.trimStart().startsWith('[')) return undefined
  try {
    const read: unknown = JSON.parse(value)
    return Array.isArray(read) ? read : undefined
  } catch {
    return undefined
  }
}

/** Whether two values are the same to a client: numbers by what they count, all else by their JSON. */
export function sameSent(one: unknown, other: unknown): boolean {
  const [a, b] = [numberSent(one), numberSent(other)]
  if (a !== undefined && b !== undefined) return Math.abs(a - b) < 1e-9
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
}
