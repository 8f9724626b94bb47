import { suggest } from '../../base/suggest.ts'
import type { JsonSchema } from '../../fields/field-type.ts'
import type { Path } from '../yaml/parse.ts'
import type { ShapeProblem } from '../yaml/shape-problem.ts'
import { CUT_OFF, isCutOff } from './cut-off.ts'
import type { Schema } from './shape-schema.ts'
import { hint, isMap, type Matches, patternMatcher, shown, wrongValue } from './shape-value.ts'

/** The way to a value, its last step first: one is made for every key, a path only for a mistake. */
interface Trail {
  readonly before: Trail | undefined
  readonly step: string | number
}

type Mistake = Pick<ShapeProblem, 'part' | 'message'> & { readonly missing?: true }

/** Receiver of what a check finds. */
interface Found {
  mistake(at: Trail | undefined, mistake: Mistake): void
  literal(at: Trail | undefined): void
}

/**
 * Mistakes in the content of a file. `literal` hears of each number, true and false that stands where an expression is
 * expected, which is one that says itself.
 */
export type ShapeCheck = (data: unknown, literal?: (path: Path) => void) => readonly ShapeProblem[]

/** Reference by which the schema says that a value is an expression. */
const EXPRESSION = '#/definitions/expression'

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

  function check(given: Schema, data: unknown, at: Trail | undefined, found: Found): void {
    const schema = resolve(given)
    const wrong = wrongValue(schema, data, matches)
    if (wrong !== undefined) {
      const message = `${wrong}, got ${shown(data)}${hint(schema, data)}`
      found.mistake(at, { part: 'value', message })
      return
    }
    if (given.$ref === EXPRESSION && typeof data !== 'string') found.literal(at)
    if (Array.isArray(data) && schema.items) {
      for (const [step, item] of data.entries())
        check(schema.items, item, { before: at, step }, found)
    } else if (isMap(data)) checkMap(schema, data, at, found)
    for (const part of schema.allOf ?? []) check(part, data, at, found)
    if (schema.if)
      check((holds(schema.if, data, matches) ? schema.then : schema.else) ?? {}, data, at, found)
    if (schema.oneOf && schema.oneOf.filter((part) => holds(part, data, matches)).length !== 1)
      found.mistake(at, { part: 'key', message: `needs either ${alternatives(schema.oneOf)}` })
  }

  function checkMap(
    schema: Schema,
    data: Readonly<Record<string, unknown>>,
    map: Trail | undefined,
    found: Found,
  ): void {
    const { properties = {}, additionalProperties = true, propertyNames, required = [] } = schema
    for (const key of required) {
      if (!Object.hasOwn(data, key))
        found.mistake(map, { part: 'key', message: `needs the key ${key}`, missing: true })
    }
    const named = propertyNames?.pattern
    let before: unknown
    for (const key of Object.keys(data)) {
      const value = data[key]
      const at: Trail = { before: map, step: key }
      if (!Object.hasOwn(properties, key) && isCutOff(before, key, value)) {
        found.mistake(at, { part: 'key', message: CUT_OFF })
        before = `${before},${key}`
        continue
      }
      before = value
      if (named !== undefined && !matches(named, key)) {
        found.mistake(at, { part: 'key', message: badName(key) })
      } else if (Object.hasOwn(properties, key)) check(properties[key]!, value, at, found)
      else if (additionalProperties === false) {
        found.mistake(at, { part: 'key', message: unknownKey(key, properties) })
      } else if (additionalProperties !== true) check(additionalProperties, value, at, found)
    }
  }

  return (data, literal) => {
    const problems: ShapeProblem[] = []
    check(meta as Schema, data, undefined, {
      mistake(at, { part, message, missing }) {
        const path = pathOf(at)
        problems.push({ path, part, message, ...(missing ? {} : { remove: path }) })
      },
      literal: (at) => literal?.(pathOf(at)),
    })
    return problems
  }
}

/** Whether a condition (`if`, a part of `oneOf`) holds: those only ask for keys and plain values. */
function holds(
  { required = [], properties = {} }: Schema,
  data: unknown,
  matches: Matches,
): boolean {
  if (!isMap(data) || !required.every((key) => Object.hasOwn(data, key))) return false
  for (const key in properties) {
    if (Object.hasOwn(data, key) && wrongValue(properties[key]!, data[key], matches) !== undefined)
      return false
  }
  return true
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
