import type { JsonSchema } from '../../fields/field-type.ts'
import { FIELD_NAME, flag, list, mapOf, object, SLUG, text, withExamples } from './schema-parts.ts'

const BLOCK = text('Name of the block: blocks/<name>.yaml.', { pattern: SLUG, maxLength: 50 })

/** Schema of `use:` of a DocType, a table or a block. */
export const USE: JsonSchema = list(
  'Blocks whose parts are taken in, by name; their fields come before the own ones. An own field of the same name changes key by key what the block says of it, and stays where the block has it.',
  {
    ...withExamples(
      object(
        'A block and how it is used; its name alone is enough.',
        {
          block: BLOCK,
          with: mapOf('Parameter of the block → its value.', {
            type: ['string', 'number', 'boolean', 'array'],
            items: { type: 'string' },
            description: 'A text, a number, true, false, or a list of texts.',
          }),
          dimensions: flag(
            'It is used once for each dimension (dimension), with name, its field, and doctype.',
          ),
          after: text('Field that those of the block stand behind.', { pattern: FIELD_NAME }),
          without: list(
            'Fields of the block that are left out; field.key leaves out a key of one.',
            {
              type: 'string',
              pattern: '^[a-z][a-z0-9_]*(?:\\.[a-z][a-zA-Z_]*)?$',
            },
          ),
        },
        ['block'],
      ),
      {
        block: 'party',
        with: { party: 'customer' },
        dimensions: true,
        after: 'company',
        without: ['territory', 'party_name.description'],
      },
    ),
    type: ['string', 'object'],
    pattern: SLUG,
    maxLength: 50,
  },
)

/** Schema of `parameters:` of a block. */
export const PARAMETERS: JsonSchema = {
  ...mapOf(
    'Parameters: name → what it is. `$name` stands for its value in all texts and keys of the block; where a letter, digit or _ follows, put its name in braces behind the dollar.',
    {
      ...withExamples(
        object('A parameter.', {
          description: text('What it is for.'),
          default: {
            type: ['string', 'number', 'boolean', 'array'],
            items: { type: 'string' },
            description: 'Its value where none is given; without one it has to be given.',
          },
          link: text('It names a link to records of this DocType.', { maxLength: 60 }),
        }),
        { description: 'Field that names the party.', default: 'driver', link: 'Pool Driver' },
      ),
    },
  ),
  propertyNames: { pattern: FIELD_NAME },
}

/** Word of a block's file that changes another block. */
export const EXTENDS_BLOCK = flag(
  'This file changes a block of the same name instead of replacing it, as a DocType with extend: true does.',
)

/** Words of a block's `missing:`. */
export const MISSING_WORDS = ['fields', 'status'] as const

/** Schema of `missing:` of a block. */
export function missingParts(words: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return object(
    'What the block needs and a DocType may have already: each field is taken in only where the DocType, with its other blocks, has none of the name, and the status only where it has none. They come before the fields of the block.',
    words,
  )
}
