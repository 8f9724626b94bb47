import type { JsonSchema } from '../../fields/field-type.ts'
import { FIELD_NAME, mapOf } from './schema-parts.ts'

/** Schema of `let:` of a DocType, a table or a block. */
export const LET: JsonSchema = {
  ...mapOf(
    'Names for expressions, without a column: name → expression. Other expressions of the record say the name, also in other lets; i.left is that of a row, parent.left that of the record of a row, this.left that of the one that searches. It means what its text would mean there; nobody else can read it.',
    { $ref: '#/definitions/expression' },
  ),
  propertyNames: { pattern: FIELD_NAME },
}
