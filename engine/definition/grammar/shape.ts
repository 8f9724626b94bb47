import { isDeepStrictEqual } from 'node:util'
import { shown as shownJson, TYPE_WORDS } from '../../base/shown.ts'
import { suggest } from '../../base/suggest.ts'
import type { JsonSchema } from '../../fields/field-type.ts'
import type { Path } from '../yaml/parse.ts'
import type { ShapeProblem } from '../yaml/shape-problem.ts'
import { metaSchemaJson } from './meta-schema.ts'

/** The part of JSON Schema the meta-schema is written in. */
interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly description?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly propertyNames?: Schema
  readonly maxProperties?: number
  readonly required?: readonly string[]
  readonly allOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly if?: Schema
  readonly then?: Schema
  readonly else?: Schema
}

/** The way to a value, its last step first: one is made for every key, a path only for a mistake. */
interface Trail {
  readonly before: Trail | undefined
  readonly step: string | number
}

type Mistake = Pick<ShapeProblem, 'part' | 'message'> & { readonly missing?: true }
type Add = (at: Trail | undefined, mistake: Mistake) => void
type Known = Readonly<Record<string, unknown>>

/**
 * Checks the content of a file against the meta-schema and says every mistake in words. It reads the schema
 * itself instead of having ajv compile it: that would cost every start more than reading all the files does,
 * and could not suggest what was meant. A test holds the two to the same verdict.
 */
export function createShapeCheck(
  meta: JsonSchema = metaSchemaJson(),
): (data: unknown) => readonly ShapeProblem[] {
  const definitions = (meta.definitions ?? {}) as Readonly<Record<string, Schema>>
  const referred = new Map(
    Object.entries(definitions).map(([name, schema]) => [`#/definitions/${name}`, schema]),
  )
  const patterns = new Map<string, RegExp>()

  function resolve(schema: Schema): Schema {
    return schema.$ref === undefined ? schema : (referred.get(schema.$ref) ?? {})
  }

  function matches(pattern: string, text: string): boolean {
    const known = patterns.get(pattern)
    const regExp = known ?? new RegExp(pattern, 'u')
    if (!known) patterns.set(pattern, regExp)
    return regExp.test(text)
  }

  function check(given: Schema, data: unknown, at: Trail | undefined, add: Add): void {
    const schema = resolve(given)
    const wrong = wrongValue(schema, data)
    if (wrong !== undefined) {
      const message = `${wrong}, got ${shown(data)}${hint(schema, data)}`
      add(at, { part: 'value', message })
      return
    }
    if (Array.isArray(data) && schema.items) {
      for (const [step, item] of data.entries())
        check(schema.items, item, { before: at, step }, add)
    } else if (isMap(data)) checkMap(schema, data, at, add)
    for (const part of schema.allOf ?? []) check(part, data, at, add)
    if (schema.if) check((holds(schema.if, data) ? schema.then : schema.else) ?? {}, data, at, add)
    if (schema.oneOf && schema.oneOf.filter((part) => holds(part, data)).length !== 1)
      add(at, { part: 'key', message: `needs either ${alternatives(schema.oneOf)}` })
  }

  /** Whether a condition (`if`, a part of `oneOf`) holds: those only ask for keys and plain values. */
  function holds({ required = [], properties = {} }: Schema, data: unknown): boolean {
    if (!isMap(data) || !required.every((key) => Object.hasOwn(data, key))) return false
    for (const key in properties) {
      if (Object.hasOwn(data, key) && wrongValue(properties[key]!, data[key]) !== undefined)
        return false
    }
    return true
  }

  function checkMap(schema: Schema, data: Known, map: Trail | undefined, add: Add): void {
    const { properties = {}, additionalProperties = true, propertyNames, required = [] } = schema
    for (const key of required) {
      if (!Object.hasOwn(data, key))
        add(map, { part: 'key', message: `needs the key ${key}`, missing: true })
    }
    const named = propertyNames?.pattern
    for (const key of Object.keys(data)) {
      const value = data[key]
      const at: Trail = { before: map, step: key }
      if (named !== undefined && !matches(named, key)) {
        add(at, { part: 'key', message: badName(key) })
      } else if (Object.hasOwn(properties, key)) check(properties[key]!, value, at, add)
      else if (additionalProperties === false) {
        add(at, { part: 'key', message: unknownKey(key, properties) })
      } else if (additionalProperties !== true) check(additionalProperties, value, at, add)
    }
  }

  function wrongValue(schema: Schema, data: unknown): string | undefined {
    const { type, enum: values, pattern, maxProperties } = schema
    if (type !== undefined && !isOfType(type, data)) {
      const names = typeof type === 'string' ? [type] : type
      return `expected ${names.map((name) => TYPE_NAMES[name]).join(' or ')}`
    }
    if (values && !values.includes(data)) return `expected one of ${values.join(' ')}`
    if ('const' in schema && schema.const !== data)
      return `expected ${JSON.stringify(schema.const)}`
    if (Array.isArray(data)) return wrongList(schema, data)
    if (maxProperties !== undefined && isMap(data) && Object.keys(data).length > maxProperties) {
      return `expected at most ${maxProperties} keys`
    }
    if (typeof data === 'number') return wrongNumber(schema, data)
    if (typeof data !== 'string') return undefined
    return (
      wrongLength(schema, data) ??
      (pattern !== undefined && !matches(pattern, data)
        ? `expected text like ${pattern}`
        : undefined)
    )
  }

  return (data) => {
    const problems: ShapeProblem[] = []
    check(meta as Schema, data, undefined, (at, { part, message, missing }) => {
      const path = pathOf(at)
      problems.push({ path, part, message, ...(missing ? {} : { remove: path }) })
    })
    return problems
  }
}

function pathOf(trail: Trail | undefined): Path {
  const path: (string | number)[] = []
  for (let at = trail; at; at = at.before) path.unshift(at.step)
  return path
}

function isMap(data: unknown): data is Known {
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

function unknownKey(key: string, properties: object): string {
  const known = Object.keys(properties)
  const near = suggest(key, known)
  if (near !== undefined) return `unknown key ${key}; did you mean ${near}?`
  return `unknown key ${key}; expected one of ${known.join(' ')}`
}

function badName(key: string): string {
  return `expected a name of small letters, digits and _ (at most 50), got ${JSON.stringify(key)}`
}

function alternatives(schemas: readonly Schema[]): string {
  return schemas.map(({ required = [] }) => required.join(' and ')).join(', or ')
}

function hint(schema: Schema, data: unknown): string {
  const near =
    typeof data === 'string' && schema.enum ? suggest(data, schema.enum.map(String)) : undefined
  return near === undefined ? '' : `; did you mean ${near}?`
}

function shown(data: unknown): string {
  return isMap(data) ? MAP : shownJson(data ?? undefined)
}
