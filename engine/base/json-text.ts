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
 * an integer beyond 2^53, a number too large for a double, NUL, a lone surrogate. undefined when all is well. `path` is
 * that of the value itself.
 */
export function findUnsafeJson(value: unknown, path = ''): JsonProblem | undefined {
  const steps: (string | number)[] = []
  const found = findUnsafe(value, steps, 1)
  return found && { path: pathOf(path, steps.toReversed(), found), ...found }
}

type Unsafe = Pick<JsonProblem, 'message' | 'code'>

/**
 * The same without its path, whose steps are noted on the way back, the innermost first: nearly all bodies are well, and the
 * paths of all values of a large one are more than the body.
 */
function findUnsafe(value: unknown, steps: (string | number)[], depth: number): Unsafe | undefined {
  if (typeof value === 'string') return unsafeText(value)
  if (typeof value === 'number') return unsafeNumber(value)
  if (typeof value !== 'object' || value === null) return undefined
  if (depth > MAX_JSON_DEPTH) return TOO_DEEP
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const problem = findUnsafe(value[index], steps, depth + 1)
      if (problem) return noted(steps, index, problem)
    }
    return undefined
  }
  for (const key in value) {
    const problem =
      unsafeText(key) ?? findUnsafe((value as Record<string, unknown>)[key], steps, depth + 1)
    if (problem) return noted(steps, key, problem)
  }
  return undefined
}

function noted(steps: (string | number)[], step: string | number, problem: Unsafe): Unsafe {
  steps.push(step)
  return problem
}

/** Steps as a path, e.g. `items[3].qty`, which can be shown whatever is wrong with one of them. */
function pathOf(start: string, steps: readonly (string | number)[], problem: Unsafe): string {
  const path = steps.reduce<string>((before, step) => {
    if (typeof step === 'number') return `${before}[${step}]`
    return before === '' ? step : `${before}.${step}`
  }, start)
  if (problem === WITH_NUL) return path.replaceAll('\0', '\\u0000')
  return problem === HALF_A_PAIR ? path.toWellFormed() : path
}

const TOO_DEEP: Unsafe = {
  message: `expected at most ${MAX_JSON_DEPTH} levels of nesting`,
  code: 'out_of_range',
}
const WITH_NUL: Unsafe = {
  message: 'text may not contain the NUL character',
  code: 'wrong_type',
}
const HALF_A_PAIR: Unsafe = {
  message: 'text has half of a surrogate pair; expected well-formed Unicode',
  code: 'wrong_type',
}

function unsafeText(text: string): Unsafe | undefined {
  if (text.includes('\0')) return WITH_NUL
  return text.isWellFormed() ? undefined : HALF_A_PAIR
}

function unsafeNumber(value: number): Unsafe | undefined {
  if (!Number.isFinite(value))
    return {
      message: 'expected a number that fits a double, got one that is too large',
      code: 'out_of_range',
    }
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    return {
      message: `expected an integer between -(2^53-1) and 2^53-1, got about ${value}`,
      code: 'out_of_range',
    }
  }
  return undefined
}
