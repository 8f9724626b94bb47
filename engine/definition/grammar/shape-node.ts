import type { JsonSchema } from '../../fields/field-type.ts'
import type { Schema } from './shape-schema.ts'

/**
 * Part of the meta-schema, ready to check by: what it refers to stands in it, patterns are compiled, and every key is
 * there, so that all parts are alike to V8. The check looks at some twenty of them for every line of every file.
 */
export interface Shape {
  /** Whether the value is an expression: a number or a word of YAML says itself. */
  readonly isExpression: boolean
  readonly types: readonly string[] | undefined
  readonly values: readonly unknown[] | undefined
  /** Where the values come from. */
  readonly valuesAre: string | undefined
  /** The only value there may be, in a list; undefined where others may be. */
  readonly only: readonly [unknown] | undefined
  readonly pattern: RegExp | undefined
  readonly minLength: number
  readonly maxLength: number
  readonly minimum: number
  readonly maximum: number
  readonly minItems: number
  readonly maxItems: number
  readonly areUnique: boolean
  readonly items: Shape | undefined
  readonly maxKeys: number
  readonly required: readonly string[]
  readonly keys: ReadonlyMap<string, Shape>
  /** The same one after the other. */
  readonly entries: readonly { readonly key: string; readonly shape: Shape }[]
  /** What other keys have; false where there may be none. */
  readonly others: Shape | false | undefined
  /** Whether it says nothing of keys: any are right, and none is needed. */
  readonly isOpen: boolean
  /** Pattern of the names of keys. */
  readonly named: RegExp | undefined
  readonly all: readonly Shape[]
  readonly oneOf: readonly Shape[]
  readonly when:
    | { readonly holds: Shape; readonly so: Shape; readonly otherwise: Shape }
    | undefined
}

/** Reference by which the schema says that a value is an expression. */
const EXPRESSION = '#/definitions/expression'

/** Makes the shapes of a meta-schema, each once. */
export function shapeOf(meta: JsonSchema): Shape {
  const definitions = (meta.definitions ?? {}) as Readonly<Record<string, Schema>>
  const shapes = new Map<Schema, Shape>()
  const patterns = new Map<string, RegExp>()

  function regExp(pattern: string | undefined): RegExp | undefined {
    if (pattern === undefined) return undefined
    const made = patterns.get(pattern) ?? new RegExp(pattern, 'u')
    patterns.set(pattern, made)
    return made
  }

  function shape(given: Schema): Shape {
    const { $ref } = given
    const schema =
      $ref === undefined ? given : (definitions[$ref.slice('#/definitions/'.length)] ?? ANY)
    const known = shapes.get(schema)
    if (known) return known
    const { type, additionalProperties: others, required = [] } = schema
    const made: { -readonly [Key in keyof Shape]: Shape[Key] } = {
      isExpression: $ref === EXPRESSION,
      types: typeof type === 'string' ? [type] : type,
      values: schema.enum,
      valuesAre: schema.$comment,
      only: 'const' in schema ? [schema.const] : undefined,
      pattern: regExp(schema.pattern),
      minLength: schema.minLength ?? 0,
      maxLength: schema.maxLength ?? Number.POSITIVE_INFINITY,
      minimum: schema.minimum ?? Number.NEGATIVE_INFINITY,
      maximum: schema.maximum ?? Number.POSITIVE_INFINITY,
      minItems: schema.minItems ?? 0,
      maxItems: schema.maxItems ?? Number.POSITIVE_INFINITY,
      areUnique: schema.uniqueItems === true,
      items: undefined,
      maxKeys: schema.maxProperties ?? Number.POSITIVE_INFINITY,
      required,
      keys: NO_KEYS,
      entries: [],
      others: undefined,
      isOpen: !schema.properties && others === undefined && !schema.propertyNames && !required[0],
      named: regExp(schema.propertyNames?.pattern),
      all: [],
      oneOf: [],
      when: undefined,
    }
    // Noted before what is in it is made: a schema may refer to itself.
    shapes.set(schema, made)
    const { items, properties, if: holds } = schema
    if (items) made.items = shape(items)
    if (properties) {
      made.entries = Object.entries(properties).map(([key, value]) => ({
        key,
        shape: shape(value),
      }))
      made.keys = new Map(made.entries.map((entry) => [entry.key, entry.shape]))
    }
    made.others = typeof others === 'object' ? shape(others) : others === false ? false : undefined
    made.all = (schema.allOf ?? []).map(shape)
    made.oneOf = (schema.oneOf ?? []).map(shape)
    if (holds)
      made.when = {
        holds: shape(holds),
        so: shape(schema.then ?? ANY),
        otherwise: shape(schema.else ?? ANY),
      }
    return made
  }

  return shape(meta as Schema)
}

const ANY: Schema = {}
const NO_KEYS: ReadonlyMap<string, Shape> = new Map()
