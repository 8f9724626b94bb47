import type { JsonSchema } from '../fields/field-type.ts'
import {
  expression,
  FIELD_NAME,
  fieldNames,
  flag,
  list,
  mapOf,
  number,
  object,
  text,
} from './schema-parts.ts'

/** Field → expression of its value. */
export const SET = mapOf('Field → expression of its value.', { $ref: '#/definitions/expression' })
const TOTALS = mapOf('Name → expression that is added up, or the smallest or largest of it.', {
  $ref: '#/definitions/expression',
})
const EACH: JsonSchema = {
  ...object('What is gone through: rows of the own table, or what a query finds.', {
    table: text('Own table whose rows are gone through.', { pattern: FIELD_NAME }),
    from: text('DocType whose records are looked for, or Doctype.table for rows.'),
    as: text('Name in the expressions of what is gone through.', { pattern: FIELD_NAME }),
    where: expression(
      'With from: condition on its fields; this.x is the document, document.x the record of a row.',
    ),
    order: {
      type: ['string', 'array'],
      items: { type: 'string' },
      description: 'With from: fields that say which comes first; -field for the largest.',
    },
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: 5000,
      description: 'With from: only the first so many.',
    },
    group: {
      type: ['array', 'object'],
      items: { type: 'string' },
      additionalProperties: { $ref: '#/definitions/expression' },
      propertyNames: { pattern: FIELD_NAME },
      description: 'With from: one for all that agree in these fields, or name → expression.',
    },
    sum: { ...TOTALS, propertyNames: { pattern: FIELD_NAME } },
    min: { ...TOTALS, propertyNames: { pattern: FIELD_NAME } },
    max: { ...TOTALS, propertyNames: { pattern: FIELD_NAME } },
    if: expression('Leaves out what this is false for.'),
  }),
  type: ['string', 'object'],
}
const ROW_SOURCE = {
  each: EACH,
  as: text('Name of the row in the expressions.', { pattern: FIELD_NAME }),
  if: expression('Leaves out what this is false for.'),
}
const POST_ROWS = list(
  'Rows to post.',
  object(
    'Rows of the ledger.',
    {
      ...ROW_SOURCE,
      group: fieldNames('Columns by which rows are added up to one.'),
      set: SET,
    },
    ['set'],
  ),
)
const POSTING = {
  post: text('DocType with `ledger` that is posted to.'),
  if: expression('The step is done only when this is true.'),
  rows: POST_ROWS,
  date: expression("Posting date, instead of the document's."),
  rounding: object(
    'Where a difference by rounding goes.',
    {
      max: number('The largest difference taken.'),
      set: mapOf('Fields of the row it is posted in, e.g. its account.', {
        $ref: '#/definitions/expression',
      }),
    },
    ['max', 'set'],
  ),
}

const CREATED_ROWS = object('Rows of the table.', { ...ROW_SOURCE, set: SET }, ['set'])

/** A step of an action or of what a submit does. */
export const STEP = object('A step: one of post, create, update, fill, set, submit.', {
  ...POSTING,
  each: EACH,
  create: text('DocType of a record to create.'),
  update: text('DocType of a record to set fields of, or to submit.'),
  record: expression('With update: its name; empty leaves the step out.'),
  repeat: flag(
    'With update and each of a query: again until it changes nothing, for what one change makes necessary elsewhere.',
  ),
  fill: text('Own table whose rows are replaced by one for each.', { pattern: FIELD_NAME }),
  keep: flag('With fill: the rows there are stay.'),
  as: text('Name of what was created, for later steps.', { pattern: FIELD_NAME }),
  set: SET,
  submit: {
    type: ['boolean', 'string'],
    description:
      'With create and update: submit it too. Alone: name of what was created and is submitted now.',
  },
  rows: {
    description:
      'With create: rows of its tables. With update, in actions: rows they are given besides. With post: rows of the ledger.',
    type: ['object', 'array'],
    items: POST_ROWS.items,
    additionalProperties: {
      type: ['object', 'array'],
      items: CREATED_ROWS,
      properties: CREATED_ROWS.properties,
    },
  },
})
