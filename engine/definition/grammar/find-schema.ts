import type { JsonSchema } from '../../fields/field-type.ts'
import {
  conditions,
  expression,
  FIELD_NAME,
  mapOf,
  object,
  text,
  withExamples,
} from './schema-parts.ts'

const WORDS = withExamples(
  object(
    'A record that expressions look into.',
    {
      from: text('DocType of the record, or Doctype.table for a row.'),
      match: {
        ...mapOf('', { $ref: '#/definitions/expression' }),
        type: ['string', 'object'],
        minLength: 1,
        maxLength: 2000,
        propertyNames: { pattern: FIELD_NAME },
        description:
          'Its id, as an expression; or field of the record → expression of its value. An empty text finds nothing. A record that is named by just these fields is read by its name. What is read by name stays locked until the write is done.',
      },
      where: conditions(
        'Instead of match: condition on its fields (document.x: the record of a row found), or a list of conditions that must all hold; this.x is the record or row that searches, parent.x the record of the row. A cancelled record is never found, unless the condition speaks of docstatus.',
      ),
      latest: text(
        'Of several the one with the highest value of this field; without it the oldest.',
      ),
      as_of: expression(
        'A place of the ledger that keeps the record and looks back (looks_back): sums of its quantity and value leave out what stands behind.',
      ),
      at: {
        enum: ['create', 'draft', 'submit', 'always'],
        description:
          'When it is searched: create, draft (default) = every write until submit, submit, always = every write but a cancel. What was read of it stays as it was then.',
      },
      renew: expression(
        'With at: create. While the record is a draft and this is true, it is searched anew. old.x is what it was searched for.',
      ),
    },
    ['from'],
  ),
  {
    from: 'Fuel Price',
    match: { depot: 'depot', fuel: 'fuel' },
    where: 'fuel == this.fuel && valid_from <= this.day',
    latest: 'valid_from',
    at: 'create',
    renew: 'fuel != old.fuel',
  },
)

/** Schema of `find:` of a DocType, a table or a block. */
export const FIND: JsonSchema = {
  ...mapOf(
    'Records that expressions look into, by a name: name → which one. bin.actual_qty is a field of what bin finds, empty where it finds nothing; bin.name != "" says whether it did. One query, whatever is read of it; what is read is kept with the record.',
    WORDS,
  ),
  propertyNames: { pattern: FIELD_NAME },
}
