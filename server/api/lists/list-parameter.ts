import { validationError } from '../../../engine/base/errors.ts'
import { findUnsafeJson } from '../../../engine/base/json-text.ts'
import type { ProblemCode } from '../../../engine/base/problem-codes.ts'
import { shortened } from '../data-error.ts'

export type Params = Readonly<Record<string, unknown>>

/** Times that clients wrap JSON text in JSON text, at most. */
const MAX_WRAPPED = 3

/**
 * A parameter that may be JSON or its text: an object, an array or a plain text; undefined when it was not
 * given. A text that is no JSON, or only a number in it, stays a text. Throws 422 for JSON that nests too
 * deeply or holds what no body may hold.
 */
export function structured(params: Params, name: string): unknown {
  let read = params[name]
  for (let depth = 0; depth < MAX_WRAPPED && typeof read === 'string'; depth += 1) {
    const inner = parsed(read)
    if (inner === undefined) break
    read = inner
  }
  const problem = findUnsafeJson(read)
  if (problem) throw invalidParameter(name, problem.message, problem.code)
  return isAbsent(read) ? undefined : read
}

/** Text of what a client sent, other values as JSON: an object may have a `toString` of its own. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'string' || (typeof value === 'object' && value !== null)
      ? value
      : undefined
  } catch {
    return undefined
  }
}

/** Values that clients write for a parameter they do not give. */
const ABSENT = new Set<unknown>([undefined, null, '', 'null', 'undefined', 'None'])

function isAbsent(value: unknown): boolean {
  return ABSENT.has(value)
}

/** A text parameter, undefined when it was not given. Throws 422 for anything else. */
export function textParameter(params: Params, name: string): string | undefined {
  const value = params[name]
  if (isAbsent(value)) return undefined
  if (typeof value === 'string') return value
  throw invalidParameter(name, 'expected a text')
}

/** A whole number from 0, undefined when it was not given. Throws 422 for anything else. */
export function countParameter(params: Params, name: string): number | undefined {
  const value = params[name]
  if (isAbsent(value)) return undefined
  const number =
    typeof value === 'string' ? Number(/^\s*\d{1,16}\s*$/.test(value) ? value : NaN) : value
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 0) return number
  const got = shortened(JSON.stringify(value))
  throw invalidParameter(name, `expected a whole number from 0, got ${got}`)
}

/** True unless the parameter says no. */
export function flagParameter(params: Params, name: string): boolean {
  const value = params[name]
  return isAbsent(value) || !['0', 'false', 'no'].includes(textOf(value).trim().toLowerCase())
}

/** The parts of a list written as text; commas in brackets part nothing. Each character is looked at once. */
export function commaParts(text: string): string[] {
  const parts: string[] = []
  let start = 0
  let depth = 0
  for (const { 0: mark, index } of text.matchAll(/[(),]/g)) {
    if (mark === '(') depth += 1
    else if (mark === ')') depth = Math.max(0, depth - 1)
    else if (depth === 0) {
      parts.push(text.slice(start, index))
      start = index + 1
    }
  }
  parts.push(text.slice(start))
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

/** 417 for a parameter of a list. */
export function invalidParameter(
  field: string,
  message: string,
  code: ProblemCode = 'wrong_type',
): Error {
  return validationError([{ field, message, code }])
}
