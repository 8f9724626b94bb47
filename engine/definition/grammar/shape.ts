import { suggest } from '../../base/suggest.ts'
import type { JsonSchema } from '../../fields/field-type.ts'
import type { Path } from '../yaml/parse.ts'
import type { ShapeProblem } from '../yaml/shape-problem.ts'
import type { Schema } from './shape-schema.ts'
import { hint, isMap, patternMatcher, shown, wrongValue } from './shape-value.ts'

/** The way to a value, its last step first: one is made for every key, a path only for a mistake. */
interface Trail {
  readonly before: Trail | undefined
  readonly step: string | number
}

type Mistake = Pick<ShapeProblem, 'part' | 'message'> & { readonly missing?: true }
type Add = (at: Trail | undefined, mistake: Mistake) => void

/** Mistakes in the content of a file. */
export type ShapeCheck = (data: unknown) => readonly ShapeProblem[]

/**
 * Checks the content of a file against the meta-schema and says every mistake in words. It reads the schema
 * itself instead of having ajv compile it: that would cost every start more than reading all the files does,
 * and could not suggest what was meant. A test holds the two to the same verdict.
 */
export function createShapeCheck(meta: JsonSchema): ShapeCheck {
  const definitions = (meta.definitions ?? {}) as Readonly<Record<string, Schema>>
  const referred = new Map(
    Object.entries(definitions).map(([name, schema]) => [`#/definitions/${name}`, schema]),
  )
  const matches = patternMatcher()

  function resolve(schema: Schema): Schema {
    return schema.$ref === undefined ? schema : (referred.get(schema.$ref) ?? {})
  }

  function check(given: Schema, data: unknown, at: Trail | undefined, add: Add): void {
    const schema = resolve(given)
    const wrong = wrongValue(schema, data, matches)
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
      if (
        Object.hasOwn(data, key) &&
        wrongValue(properties[key]!, data[key], matches) !== undefined
      )
        return false
    }
    return true
  }

  function checkMap(
    schema: Schema,
    data: Readonly<Record<string, unknown>>,
    map: Trail | undefined,
    add: Add,
  ): void {
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
