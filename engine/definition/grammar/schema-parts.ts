import type { JsonSchema } from '../../fields/field-type.ts'

/** Names of fields: they become columns, JSON keys and names in expressions. */
export const FIELD_NAME = '^[a-z][a-z0-9_]{0,49}$'
/** Names in addresses. */
export const SLUG = '^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$'

/** The kinds of values that the words of a DocType take, as JSON Schema with a description. */
export const text = (description: string, more: JsonSchema = {}): JsonSchema => ({
  type: 'string',
  minLength: 1,
  maxLength: 2000,
  description,
  ...more,
})
/** A name of those that a file of the workspace declares; any, where there is no such file. */
export const declaredName = (
  description: string,
  names: readonly string[],
  file: string,
): JsonSchema =>
  names.length === 0
    ? text(description, { maxLength: 50 })
    : { enum: names, description, $comment: `declared in ${file}`, examples: names.slice(0, 1) }
export const flag = (description: string): JsonSchema => ({ type: 'boolean', description })
export const number = (description: string): JsonSchema => ({ type: 'number', description })
export const expression = (description: string): JsonSchema => ({
  $ref: '#/definitions/expression',
  description,
})
/** A condition, or a list of conditions that must all hold. */
export const conditions = (description: string): JsonSchema => ({
  type: ['string', 'array'],
  minLength: 1,
  maxLength: 2000,
  minItems: 1,
  maxItems: 20,
  items: { $ref: '#/definitions/expression' },
  description,
})
export const list = (description: string, items: JsonSchema): JsonSchema => ({
  type: 'array',
  description,
  items,
})
export const mapOf = (description: string, values: JsonSchema): JsonSchema => ({
  type: 'object',
  description,
  additionalProperties: values,
})
export const fieldNames = (description: string): JsonSchema => list(description, { type: 'string' })

/** A map with these words and no others. */
export function object(
  description: string,
  properties: Record<string, JsonSchema>,
  required: readonly string[] = [],
): JsonSchema {
  return {
    type: 'object',
    description,
    properties,
    additionalProperties: false,
    ...(required.length > 0 ? { required } : {}),
  }
}

/** A map with an example for words of it, which editors and the reference show. */
export function withExamples(
  schema: JsonSchema,
  examples: Readonly<Record<string, unknown>>,
): JsonSchema {
  const words = schema.properties as Readonly<Record<string, JsonSchema>>
  return { ...schema, properties: wordsWithExamples(words, examples) }
}

/** Words with an example for those that have one. */
export function wordsWithExamples(
  words: Readonly<Record<string, JsonSchema>>,
  examples: Readonly<Record<string, unknown>>,
): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(
    Object.entries(words).map(([word, meaning]) => [
      word,
      word in examples ? { ...meaning, examples: [examples[word]] } : meaning,
    ]),
  )
}
