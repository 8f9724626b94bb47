import { expression, FIELD_NAME, fieldNames, list, mapOf, object, text } from './schema-parts.ts'

/** `unique:` of a DocType. */
export const UNIQUE = list(
  'Fields of which no two records have the same values together.',
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
        'Only among records for which this is true: stored fields compared with literals, e.g. docstatus < 2.',
      ),
      message: text('What the caller is told about the first of the fields.'),
    },
    ['fields'],
  ),
)

/** `validate:` of a DocType. */
export const VALIDATE = list('Conditions every write must meet.', {
  ...object(
    'A condition: check, or each with unique.',
    {
      check: expression('Must be true after formulas are computed.'),
      each: text('Own table each of whose rows must meet it.', { pattern: FIELD_NAME }),
      unique: {
        ...fieldNames('Columns in which no two rows of the table may agree.'),
        minItems: 1,
        maxItems: 8,
        uniqueItems: true,
      },
      field: text('Field the message is about; with each a column.'),
      message: text('What the caller is told when it is false; {…} is an expression.'),
      on: list('Only on these; every write but a cancel without it.', {
        enum: ['create', 'submit', 'cancel'],
      }),
    },
    ['field', 'message'],
  ),
  oneOf: [{ required: ['check'] }, { required: ['each', 'unique'] }],
})

/** `invariants:` of a DocType. */
export const INVARIANTS = list(
  'Truths over all records, tried by `svc verify`.',
  object(
    'A truth: its terms add up to zero, for each value of `by`.',
    {
      name: text('What is checked.'),
      by: fieldNames('What the sums are made for, e.g. [company, party].'),
      terms: list(
        'What is added up.',
        object(
          'A sum over records.',
          {
            from: text('DocType, or Doctype.table for rows.'),
            where: expression('Which of them count.'),
            add: expression('Added up.'),
            subtract: expression('Subtracted.'),
            by: mapOf('Name of `by` → its expression here.', {
              $ref: '#/definitions/expression',
            }),
          },
          ['from'],
        ),
      ),
    },
    ['name', 'terms'],
  ),
)
