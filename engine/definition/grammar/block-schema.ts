import type { JsonSchema } from '../../fields/field-type.ts'
import type { Vocabulary } from '../model/vocabulary.ts'
import { metaSchemaJson } from './meta-schema.ts'
import { text, wordsWithExamples } from './schema-parts.ts'
import { EXTENDS_BLOCK, MISSING_WORDS, missingParts, PARAMETERS } from './use-schema.ts'

/** Words of a DocType that a block may have. */
export const BLOCK_PARTS = [
  'use',
  'declares',
  'find',
  'let',
  'fields',
  'unique',
  'validate',
  'status',
  'effects',
  'actions',
  'events',
  'permissions',
  'invariants',
  'print',
] as const

/**
 * JSON Schema of the file of a block, for editors and for what does not hang on parameters; what they make of it is
 * checked with the schema of DocTypes.
 */
export function blockSchemaJson(vocabulary: Pick<Vocabulary, 'modules' | 'tiers'>): JsonSchema {
  const { properties, definitions } = metaSchemaJson(vocabulary) as {
    readonly properties: Readonly<Record<string, JsonSchema>>
    readonly definitions: Readonly<Record<string, JsonSchema>>
  }
  const description = text('One sentence: what the block is for.')
  return withParameters({
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'block.schema.json',
    title: 'Block',
    description: 'What several DocTypes or tables share; docs/doctypes/cookbook/blocks.md.',
    type: 'object',
    additionalProperties: false,
    properties: {
      description: wordsWithExamples({ description }, { description: 'What a sold row has.' })
        .description,
      extend: EXTENDS_BLOCK,
      parameters: PARAMETERS,
      ...Object.fromEntries(BLOCK_PARTS.map((word) => [word, properties[word]])),
      missing: missingParts(
        Object.fromEntries(MISSING_WORDS.map((word) => [word, properties[word] as JsonSchema])),
      ),
    },
    definitions,
  })
}

/** A schema whose patterns let texts be that parameters are part of. */
function withParameters(schema: JsonSchema): JsonSchema {
  const text = JSON.stringify(schema, (key, value: unknown) =>
    key === 'pattern' && typeof value === 'string' ? `${value}|\\$` : value,
  )
  return JSON.parse(text) as JsonSchema
}
