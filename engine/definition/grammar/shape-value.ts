import { isDeepStrictEqual } from 'node:util'
import { shown as shownJson, TYPE_WORDS } from '../../base/shown.ts'
import { suggest } from '../../base/suggest.ts'
import type { Schema } from './shape-schema.ts'

/** Whether a text matches a pattern. */
export type Matches = (pattern: string, text: string) => boolean

/** Makes a matcher that compiles each pattern once. */
export function patternMatcher(): Matches {
  const patterns = new Map<string, RegExp>()
  return (pattern, text) => {
    const known = patterns.get(pattern)
    const regExp = known ?? new RegExp(pattern, 'u')
    if (!known) patterns.set(pattern, regExp)
    return regExp.test(text)
  }
}

/** What is wrong with a value itself, not with what is in it: what was expected, or undefined. */
export function wrongValue(schema: Schema, data: unknown, matches: Matches): string | undefined {
  const { type, enum: values, pattern, maxProperties } = schema
  if (type !== undefined && !isOfType(type, data)) {
    const names = typeof type === 'string' ? [type] : type
    return `expected ${names.map((name) => TYPE_NAMES[name]).join(' or ')}`
  }
  if (values && !values.includes(data)) {
    const source = schema.$comment === undefined ? '' : ` (${schema.$comment})`
    return `expected one of ${values.join(' ')}${source}`
  }
  if ('const' in schema && schema.const !== data) return `expected ${JSON.stringify(schema.const)}`
  if (Array.isArray(data)) return wrongList(schema, data)
  if (maxProperties !== undefined && isMap(data) && Object.keys(data).length > maxProperties) {
    return `expected at most ${maxProperties} keys`
  }
  if (typeof data === 'number') return wrongNumber(schema, data)
  if (typeof data !== 'string') return undefined
  return (
    wrongLength(schema, data) ??
    (pattern !== undefined && !matches(pattern, data) ? `expected text like ${pattern}` : undefined)
  )
}

export function isMap(data: unknown): data is Readonly<Record<string, unknown>> {
  return typeof data === 'object' && data !== null && !Array.isArray(data)
}

const IS_TYPE: Readonly<Record<string, (data: unknown) => boolean>> = {
  string: (data) => typeof data === 'string',
  boolean: (data) => typeof data === 'boolean',
  number: (data) => typeof data === 'number',
  integer: (data) => Number.isInteger(data),
  array: Array.isArray,
  object: isMap,
}

function isOfType(type: string | readonly string[], data: unknown): boolean {
  return typeof type === 'string'
    ? IS_TYPE[type]?.(data) === true
    : type.some((name) => IS_TYPE[name]?.(data))
}

/** What YAML calls otherwise than JSON. */
const MAP = 'a map of keys'
const TYPE_NAMES: Readonly<Record<string, string>> = {
  ...TYPE_WORDS,
  string: 'a text (quote it)',
  object: MAP,
}

function wrongList(
  { minItems = 0, maxItems, uniqueItems }: Schema,
  data: readonly unknown[],
): string | undefined {
  if (data.length < minItems)
    return `expected at least ${minItems} ${minItems === 1 ? 'entry' : 'entries'}`
  if (maxItems !== undefined && data.length > maxItems)
    return `expected at most ${maxItems} entries`
  const twice = uniqueItems ? data.find((item, index) => isAmong(item, data, index)) : undefined
  return twice === undefined
    ? undefined
    : `expected entries that differ (${shown(twice)} is there twice)`
}

function isAmong(item: unknown, list: readonly unknown[], end: number): boolean {
  return list.slice(0, end).some((other) => isDeepStrictEqual(other, item))
}

function wrongNumber({ minimum, maximum }: Schema, data: number): string | undefined {
  if (minimum !== undefined && data < minimum) return `expected at least ${minimum}`
  return maximum !== undefined && data > maximum ? `expected at most ${maximum}` : undefined
}

function wrongLength({ minLength = 0, maxLength }: Schema, data: string): string | undefined {
  if (data.length < minLength) return 'expected some text'
  if (maxLength === undefined || data.length <= maxLength || [...data].length <= maxLength)
    return undefined
  return `expected at most ${maxLength} characters`
}

/** What may have been meant by a value that is none of those expected, as the end of a message. */
export function hint(schema: Schema, data: unknown): string {
  const near =
    typeof data === 'string' && schema.enum ? suggest(data, schema.enum.map(String)) : undefined
  return near === undefined ? '' : `; did you mean ${near}?`
}

/** A value as messages show what came. */
export function shown(data: unknown): string {
  return isMap(data) ? MAP : shownJson(data ?? undefined)
}
