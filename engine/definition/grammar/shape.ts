import { suggest } from '../../base/suggest.ts'
import type { JsonSchema } from '../../fields/field-type.ts'
import type { Path } from '../yaml/parse.ts'
import type { ShapeProblem } from '../yaml/shape-problem.ts'
import { CUT_OFF, isCutOff } from './cut-off.ts'
import type { Schema } from './shape-schema.ts'
import { hint, isMap, type Matches, patternMatcher, shown, wrongValue } from './shape-value.ts'

type Mistake = Pick<ShapeProblem, 'part' | 'message'> & { readonly missing?: true }

/** Receiver of what a check finds, and the way to the value it looks at: one list that grows and shrinks. */
interface Found {
  readonly at: (string | number)[]
  mistake(mistake: Mistake): void
  literal(): void
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

  function check(given: Schema, data: unknown, found: Found): void {
    const schema = resolve(given)
    const wrong = wrongValue(schema, data, matches)
    if (wrong !== undefined) {
      const message = `${wrong}, got ${shown(data)}${hint(schema, data)}`
      found.mistake({ part: 'value', message })
      return
    }
    if (given.$ref === EXPRESSION && typeof data !== 'string') found.literal()
    if (Array.isArray(data) && schema.items) {
      for (let step = 0; step < data.length; step += 1) {
        found.at.push(step)
        check(schema.items, data[step], found)
        found.at.pop()
      }
    } else if (isMap(data)) checkMap(schema, data, found)
    if (schema.allOf) for (const part of schema.allOf) check(part, data, found)
    if (schema.if)
      check((holds(schema.if, data, matches) ? schema.then : schema.else) ?? ANY, data, found)
    if (schema.oneOf && schema.oneOf.filter((part) => holds(part, data, matches)).length !== 1)
      found.mistake({ part: 'key', message: `needs either ${alternatives(schema.oneOf)}` })
  }

  function checkMap(schema: Schema, data: Readonly<Record<string, unknown>>, found: Found): void {
    if (schema.required) {
      for (const key of schema.required) {
        if (!Object.hasOwn(data, key))
          found.mistake({ part: 'key', message: `needs the key ${key}`, missing: true })
      }
    }
    let before: unknown
    for (const key of Object.keys(data)) {
      const value = data[key]
      found.at.push(key)
      if (!isKnown(schema, key) && isCutOff(before, key, value)) {
        found.mistake({ part: 'key', message: CUT_OFF })
        before = `${before},${key}`
      } else {
        before = value
        checkKey(schema, key, value, found)
      }
      found.at.pop()
    }
  }

  function checkKey(schema: Schema, key: string, value: unknown, found: Found): void {
    const { properties, additionalProperties, propertyNames } = schema
    const named = propertyNames?.pattern
    if (named !== undefined && !matches(named, key)) {
      found.mistake({ part: 'key', message: badName(key) })
    } else if (isKnown(schema, key)) check(properties![key]!, value, found)
    else if (additionalProperties === false) {
      found.mistake({ part: 'key', message: unknownKey(key, properties ?? {}) })
    } else if (typeof additionalProperties === 'object') check(additionalProperties, value, found)
  }

  return (data, literal) => {
    const problems: ShapeProblem[] = []
    check(meta as Schema, data, receiver(problems, literal))
    return problems
  }
}

function receiver(problems: ShapeProblem[], literal: ((path: Path) => void) | undefined): Found {
  const at: (string | number)[] = []
  return {
    at,
    mistake({ part, message, missing }) {
      const path = [...at]
      problems.push({ path, part, message, ...(missing ? {} : { remove: path }) })
    },
    literal: () => literal?.([...at]),
  }
}

function isKnown({ properties }: Schema, key: string): boolean {
  return properties !== undefined && Object.hasOwn(properties, key)
}

const ANY: Schema = {}

/** Whether a condition (`if`, a part of `oneOf`) holds: those only ask for keys and plain values. */
function holds({ required, properties }: Schema, data: unknown, matches: Matches): boolean {
  if (!isMap(data) || required?.some((key) => !Object.hasOwn(data, key))) return false
  for (const key in properties) {
    if (Object.hasOwn(data, key) && wrongValue(properties![key]!, data[key], matches) !== undefined)
      return false
  }
  return true
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
