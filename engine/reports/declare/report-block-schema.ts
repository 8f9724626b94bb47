import { withParameters } from '../../definition/grammar/block-schema.ts'
import { EXTENDS_BLOCK, PARAMETERS } from '../../definition/grammar/use-schema.ts'
import type { Vocabulary } from '../../definition/model/vocabulary.ts'
import type { JsonSchema } from '../../fields/field-type.ts'
import { reportSchemaJson } from './report-schema.ts'

/** Words of a report that each has of its own. */
const OWN = ['report', 'module', 'description'] as const

/** JSON Schema of the file of a block that reports use, for editors and for what does not hang on parameters. */
export function reportBlockSchemaJson(
  vocabulary: Pick<Vocabulary, 'modules' | 'tiers'>,
): JsonSchema {
  const { properties, definitions } = reportSchemaJson(vocabulary) as {
    readonly properties: Readonly<Record<string, JsonSchema>>
    readonly definitions: Readonly<Record<string, JsonSchema>>
  }
  const parts = Object.entries(properties).filter(
    ([word]) => !(OWN as readonly string[]).includes(word),
  )
  return withParameters({
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'A block of reports',
    description: 'What several reports share; docs/doctypes/cookbook/report.md.',
    type: 'object',
    additionalProperties: false,
    required: ['kind'],
    properties: {
      kind: { const: 'report', description: 'It is for reports, not for DocTypes.' },
      description: {
        type: 'string',
        minLength: 1,
        maxLength: 2000,
        description: 'One sentence: what the block is for.',
      },
      extend: EXTENDS_BLOCK,
      parameters: PARAMETERS,
      ...Object.fromEntries(parts),
    },
    definitions,
  })
}
