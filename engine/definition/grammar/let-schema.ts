import type { JsonSchema } from '../../fields/field-type.ts'
import { FIELD_NAME, mapOf } from './schema-parts.ts'
import { COPIED } from './step-schema.ts'

/** Schema of `let:` of a DocType, a table or a block. */
export const LET: JsonSchema = {
  ...mapOf(
    'Names for expressions, without a column: name → expression. Other expressions of the record say the name, also in other lets; i.left is that of a row, parent.left that of the record of a row, this.left that of the one that searches. It means what its text would mean there; nobody else can read it. Name → list of fields: what `copy` of the steps says for all of them, in the lets of the table that is gone through or of the DocType.',
    {
      type: ['string', 'number', 'boolean', 'array'],
      minLength: 1,
      maxLength: 2000,
      minItems: 1,
      items: { type: 'string', pattern: COPIED },
    },
  ),
  propertyNames: { pattern: FIELD_NAME },
}
