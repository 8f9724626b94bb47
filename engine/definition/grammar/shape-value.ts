import { isDeepStrictEqual } from 'node:util'
import { shown as shownJson, TYPE_WORDS } from '../../base/shown.ts'
import { suggest } from '../../base/suggest.ts'
import type { Shape } from './shape-node.ts'

/** What is wrong with a value itself, not with what is in it: what was expected, or undefined. */
export function wrongValue(shape: Shape, data: unknown): string | undefined {
  const { types, values, only, maxKeys } = shape
  if (types && !isOfType(types, data))
    return `expected ${types.map((name) => TYPE_NAMES[name]).join(' or ')}`
  if (values && !values.includes(data)) {
    const source = shape.valuesAre === undefined ? '' : ` (${shape.valuesAre})`
    return `expected one of ${values.join(' ')}${source}`
  }
  if (only && only[0] !== data) return `expected ${JSON.stringify(only[0])}`
  if (typeof data === 'string') return wrongText(shape, data)
  if (typeof data === 'number') return wrongNumber(shape, data)
  if (Array.isArray(data)) return wrongList(shape, data)
  if (maxKeys < Number.POSITIVE_INFINITY && isMap(data) && Object.keys(data).length > maxKeys)
    return `expected at most ${maxKeys} keys`
  return undefined
}

export function isMap(data: unknown): data is Readonly<Record<string, unknown>> {
  return typeof data === 'object' && data !== null && !Array.isArray(data)
}

function isOfType(types: readonly string[], data: unknown): boolean {
  for (let at = 0; at < types.length; at += 1) if (isOf(types[at]!, data)) return true
  return false
}

function isOf(type: string, data: unknown): boolean {
  if (type === 'object') return isMap(data)
  if (type === 'array') return Array.isArray(data)
  return type === 'integer' ? Number.isInteger(data) : typeof data === type
}

/** What YAML calls otherwise than JSON. */
const MAP = 'a map of keys'
const TYPE_NAMES: Readonly<Record<string, string>> = {
  ...TYPE_WORDS,
  string: 'a text (quote it)',
  object: MAP,
}

function wrongList(
  { minItems, maxItems, areUnique }: Shape,
  data: readonly unknown[],
): string | undefined {
  if (data.length < minItems)
    return `expected at least ${minItems} ${minItems === 1 ? 'entry' : 'entries'}`
  if (data.length > maxItems) return `expected at most ${maxItems} entries`
  const twice = areUnique ? data.find((item, index) => isAmong(item, data, index)) : undefined
  return twice === undefined
    ? undefined
    : `expected entries that differ (${shown(twice)} is there twice)`
}

function isAmong(item: unknown, list: readonly unknown[], end: number): boolean {
  return list.slice(0, end).some((other) => isDeepStrictEqual(other, item))
}

function wrongNumber({ minimum, maximum }: Shape, data: number): string | undefined {
  if (data < minimum) return `expected at least ${minimum}`
  return data > maximum ? `expected at most ${maximum}` : undefined
}

function wrongText({ minLength, maxLength, pattern }: Shape, data: string): string | undefined {
  if (data.length < minLength) return 'expected some text'
  if (data.length > maxLength && [...data].length > maxLength)
    return `expected at most ${maxLength} characters`
  return pattern && !pattern.test(data) ? `expected text like ${pattern.source}` : undefined
}

/** What may have been meant by a value that is none of those expected, as the end of a message. */
export function hint({ values }: Shape, data: unknown): string {
  const near = typeof data === 'string' && values ? suggest(data, values.map(String)) : undefined
  return near === undefined ? '' : `; did you mean ${near}?`
}

/** A value as messages show what came. */
export function shown(data: unknown): string {
  return isMap(data) ? MAP : shownJson(data ?? undefined)
}
