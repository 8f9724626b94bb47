import type { ProblemCode } from './problem-codes.ts'

/** Nesting a request body may have (contract §3). */
export const MAX_JSON_DEPTH = 32

export interface JsonProblem {
  readonly path: string
  readonly message: string
  readonly code: ProblemCode
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * The first thing in parsed JSON that cannot be kept as it came (contract §3, Values): nesting beyond 32,
 * an integer beyond 2^53, a number too large for a double, NUL, a lone surrogate. undefined when all is well.
 */
export function findUnsafeJson(value: unknown, path = '', depth = 1): JsonProblem | undefined {
  if (typeof value === 'string') return unsafeText(value, path)
  if (typeof value === 'number') return unsafeNumber(value, path)
  if (typeof value !== 'object' || value === null) return undefined
  if (depth > MAX_JSON_DEPTH)
    return {
      path,
      message: `expected at most ${MAX_JSON_DEPTH} levels of nesting`,
      code: 'out_of_range',
    }
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const problem = findUnsafeJson(value[index], `${path}[${index}]`, depth + 1)
      if (problem) return problem
    }
    return undefined
  }
  for (const key of Object.keys(value)) {
    const at = path === '' ? key : `${path}.${key}`
    const problem =
      unsafeText(key, at) ?? findUnsafeJson((value as Record<string, unknown>)[key], at, depth + 1)
    if (problem) return problem
  }
  return undefined
}

function unsafeText(text: string, path: string): JsonProblem | undefined {
  if (text.includes('\0'))
    return {
      path: path.replaceAll('\0', '\\u0000'),
      message: 'text may not contain the NUL character',
      code: 'wrong_type',
    }
  if (!text.isWellFormed())
    return {
      path: path.toWellFormed(),
      message: 'text has half of a surrogate pair; expected well-formed Unicode',
      code: 'wrong_type',
    }
  return undefined
}

function unsafeNumber(value: number, path: string): JsonProblem | undefined {
  if (!Number.isFinite(value))
    return {
      path,
      message: 'expected a number that fits a double, got one that is too large',
      code: 'out_of_range',
    }
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    return {
      path,
      message: `expected an integer between -(2^53-1) and 2^53-1, got about ${value}`,
      code: 'out_of_range',
    }
  }
  return undefined
}
