import type { JsonSchema } from '../../fields/field-type.ts'
import { expression, FIELD_NAME, object, text, withExamples } from './schema-parts.ts'
import { COPY, SET, SET_OR_COPY } from './step-schema.ts'

const NAME = { pattern: FIELD_NAME }

const SOURCE: JsonSchema = withExamples(
  {
    ...object(
      'Of a table: its rows are made from those of another table of the record, on every write until the submit, and then frozen. Callers who send them get a 422. Columns that set does not name compute themselves. A list makes rows of several, one behind the other.',
      {
        each: text('Table of the record whose rows are gone through.', NAME),
        as: text('Name of such a row in the expressions: i.qty; row without it.', NAME),
        within: withExamples(
          object(
            'Goes on, in each row, through the rows of a record that a link of the row names.',
            {
              each: text('The link, a dot, and the table of the record behind it: kit.parts.', {
                pattern: '^[a-z][a-z0-9_]*\\.[a-z][a-z0-9_]*$',
              }),
              as: text(
                'Name of such a row in the expressions: p.qty, and behind its links p.part.weight; part without it.',
                NAME,
              ),
            },
            ['each'],
          ),
          { each: 'kit.parts', as: 'p' },
        ),
        if: expression('Leaves out what this is false for.'),
        copy: COPY,
        set: {
          ...SET,
          description: 'Column → expression of its value; bare names are the fields of the record.',
        },
      },
      ['each'],
    ),
    ...SET_OR_COPY,
  },
  { each: 'items', as: 'i', if: 'i.qty > 0', copy: ['part'], set: { qty: 'i.qty * 2' } },
)

/** Schema of `rows:` of a table: its rows are made from those of another table of the record, or of several. */
export const ROWS: JsonSchema = { ...SOURCE, type: ['object', 'array'], minItems: 1, items: SOURCE }
