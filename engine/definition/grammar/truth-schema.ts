import {
  expression,
  FIELD_NAME,
  fieldNames,
  list,
  mapOf,
  object,
  SLUG,
  text,
} from './schema-parts.ts'

/** Schema of `unique:` of a DocType. */
export const UNIQUE = list(
  'Fields of which no two records have the same values together. It is an index, so of two writers at once one is refused: 409. It also serves filters and look-ups that name its first fields. Rows that break it stop the start that would build it, and are named.',
  object(
    'Fields that are unique together; records in which one is unset are like no other.',
    {
      fields: {
        ...fieldNames('The fields, e.g. [employee, attendance_date].'),
        minItems: 1,
        maxItems: 8,
        uniqueItems: true,
      },
      where: expression(
        'Only among records for which this is true: stored fields compared with literals, joined by &&, such as kind in ["A", "B"].',
      ),
      message: text(
        'What the caller is told about the first of the fields; without it with which others it must be unique.',
      ),
    },
    ['fields'],
  ),
)

/** Schema of `validate:` of a DocType. */
export const VALIDATE = list(
  'Conditions every write must meet, else 422 with the field and the message. When a rollup changes a record, those that read what changed are tried again.',
  {
    ...object(
      'A condition: check, or each with unique.',
      {
        check: expression(
          "Must be true after formulas are computed. It may look one step through a link (!account.is_group) and at the value before (old.qty); with each, bare names are the row's, parent.x the document's.",
        ),
        each: text(
          'Own table each of whose rows must meet it; the answer names the row, items[2].qty.',
          { pattern: FIELD_NAME },
        ),
        unique: {
          ...fieldNames(
            'Columns in which no two rows of the table may agree; an empty value is one like others, and the later row is named.',
          ),
          minItems: 1,
          maxItems: 8,
          uniqueItems: true,
        },
        field: text('Field the message is about; with each a column.'),
        message: text('What the caller is told when it is false; {…} is an expression.'),
        during: list('Only during these; every write but a cancel without it.', {
          enum: ['create', 'submit', 'cancel'],
        }),
        warn: {
          const: true,
          description: 'It refuses nothing: previews (`_preview=1`) tell it among their warnings.',
        },
      },
      ['field', 'message'],
    ),
    oneOf: [{ required: ['check'] }, { required: ['each', 'unique'] }],
  },
)

/** Schema of `invariants:` of a DocType. */
export const INVARIANTS = list(
  'Truths over all records, tried by `svc verify`.',
  object(
    'A truth: its terms add up to zero, for each value of `by`.',
    {
      name: text('What is checked.'),
      by: fieldNames('What the sums are made for, e.g. [company, party].'),
      terms: list(
        'What is added up.',
        object('A sum over records.', {
          from: text('DocType, or Doctype.table for rows.'),
          declaring: text('Instead of from: each DocType that declares this (declares).', {
            pattern: SLUG,
            maxLength: 50,
          }),
          where: expression('Which of them count.'),
          add: expression('Added up.'),
          subtract: expression('Subtracted.'),
          by: mapOf('Name of `by` → its expression here.', {
            $ref: '#/definitions/expression',
          }),
        }),
      ),
    },
    ['name', 'terms'],
  ),
)
