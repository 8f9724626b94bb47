import type { JsonSchema } from '../../fields/field-type.ts'
import {
  conditions,
  expression,
  FIELD_NAME,
  fieldNames,
  flag,
  list,
  mapOf,
  number,
  object,
  SLUG,
  text,
  withExamples,
} from './schema-parts.ts'

/** Field → expression of its value. */
export const SET = mapOf('Field → expression of its value.', { $ref: '#/definitions/expression' })
/** Field, or path to one, that is taken over. */
export const COPIED = '^[a-z][a-z0-9_]*(?:\\.[a-z][a-z0-9_]*)*$'
/** Names that are taken over as they are, beside `set`. */
export const COPY = list(
  'Fields of the same name as what they are set to, short for set: qty means qty: i.qty, with the name of what is gone through in the nearest each, and qty: qty of the document where there is none. A path gives the field of its last name: input.reason means reason: input.reason. The name of a list of let stands for all in it.',
  { type: 'string', pattern: COPIED },
)
/** Needs one of `set` and `copy` at least. */
export const SET_OR_COPY: JsonSchema = {
  if: { required: ['copy'] },
  else: { required: ['set'] },
}
const TOTALS = mapOf(
  'Name → expression that is added up, or the smallest or largest of it, within the group; without group over all that is found.',
  {
    $ref: '#/definitions/expression',
  },
)
const EACH: JsonSchema = {
  ...withExamples(
    object(
      'What is gone through: rows of the own table, or what a query finds; "each: items" is short for "each: {table: items}". What is gone through is known before the first is done; a create asks if again before each.',
      {
        table: text('Own table whose rows are gone through.', { pattern: FIELD_NAME }),
        from: text(
          'DocType whose records are looked for, or Doctype.table for rows. Cancelled documents are passed over unless where speaks of their docstatus.',
        ),
        declaring: text(
          'Instead of from, in each of a step: every DocType that declares this (declares), one after the other.',
          { pattern: SLUG, maxLength: 50 },
        ),
        as: text(
          'Name in the expressions of what is gone through, row without it: v.driven; of a found row v.parent is the id of its record.',
          { pattern: FIELD_NAME },
        ),
        where: conditions(
          'With from: condition on its fields, or a list of conditions that must all hold, and one step through their links; document.x is the record of a row, this.x this document, input.x the input of the action, p.x what is gone through around it.',
        ),
        order: {
          type: ['string', 'array'],
          items: { type: 'string' },
          description:
            'With from: fields that say which comes first, -field for the largest; without it the oldest.',
        },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 5000,
          description:
            'With from: only the first so many. More than 5000 are refused (422) where there is none.',
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
        if: expression(
          'Leaves out what this is false for: with v.x, links of the document and row macros.',
        ),
      },
    ),
    {
      table: 'items',
      from: 'Service Round.vehicles',
      as: 'v',
      where: 'is_private && day <= this.day',
      order: '-driven',
      limit: 100,
      group: ['vehicle'],
      sum: { driven: 'kilometres' },
      if: 'v.driven > 500',
    },
  ),
  type: ['string', 'object'],
}
const ROW_SOURCE = {
  each: EACH,
  as: text('Name of the row in the expressions.', { pattern: FIELD_NAME }),
  if: expression('Leaves out what this is false for.'),
}
const POST_ROWS = list('Rows to post.', {
  ...object('Rows of the ledger.', {
    ...ROW_SOURCE,
    group: fieldNames(
      'Columns by which rows are added up to one. A row whose amounts are all 0 is left out.',
    ),
    copy: COPY,
    set: SET,
  }),
  ...SET_OR_COPY,
})
const POSTING = {
  post: text(
    "DocType with ledger that rows are added to. In set bare names are the document's, i.x the row's. A cancel adds a mirror row to each.",
  ),
  if: expression('The step is done only when this is true.'),
  rows: POST_ROWS,
  together: flag(
    'Its rows are the first of the next posting of the document to the same ledger, and balance together with it; where there is none it posts by itself.',
  ),
  date: expression("Posting date, instead of the document's posting_date."),
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

const CREATED_ROWS: JsonSchema = {
  ...object('Rows of the table.', { ...ROW_SOURCE, copy: COPY, set: SET }),
  ...SET_OR_COPY,
}

/** Schema of a step of an action or of a submit. */
export const STEP = withExamples(
  object(
    'A step: one of post, create, duplicate, update, fill, change, set, number, submit. Cancel undoes those of a submit by itself: it adds mirror rows, cancels or deletes what was created, cancels what was submitted and puts back what was set, and is refused (409) where somebody has changed that since.',
    {
      ...POSTING,
      each: EACH,
      create: text(
        'DocType of a record to create, with rows for its tables. With each it names nothing for later steps.',
      ),
      duplicate: text(
        'Link or dynamic link of the record: a draft like the one it names, without what is no_copy. In actions; the caller may create such records.',
        { pattern: FIELD_NAME },
      ),
      days: expression('With duplicate: how many days later all its dates are.'),
      update: text(
        'DocType of a record to set fields of, with all that follows from it, or to submit. record.x is its field as it is now, once it is locked.',
      ),
      record: expression('With update: its name; empty leaves the step out.'),
      repeat: flag(
        'With update and each of a query: again until it changes nothing, for what one change makes necessary elsewhere. More than 200 rounds are refused (422).',
      ),
      fill: text(
        'Own table whose rows are replaced by one for each. On a submitted document it is refused (409) unless the table is readOnly or has allow_on_submit.',
        { pattern: FIELD_NAME },
      ),
      keep: flag('With fill: the rows there are stay.'),
      change: text(
        'Own table whose rows are changed: each of them that is gone through gets what set says, all others stay as they are. Refused (409) as fill is.',
        { pattern: FIELD_NAME },
      ),
      as: text('Name of what was created, for later steps: trip.name.', { pattern: FIELD_NAME }),
      copy: COPY,
      set: SET,
      number: text(
        'Of a submit: own text field that gets the next number of a series as the last thing that is done, so that what is refused leaves no gap. A cancel leaves it, and a record that has one is never deleted. The field is readOnly and no_copy.',
        { pattern: FIELD_NAME },
      ),
      pattern: expression(
        'With number: the pattern of the series, such as RE-{YYYY}-{#####}; empty gives no number.',
      ),
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
    },
  ),
  {
    post: 'Fuel Ledger Entry',
    if: 'litres >= 1000',
    together: true,
    date: 'start_date',
    rounding: { max: 0.5, set: { account: 'round_off_account' } },
    create: 'Vehicle Trip',
    duplicate: 'trip',
    days: '7',
    update: 'Pool Vehicle',
    record: 'v.vehicle',
    fill: 'vehicles',
    change: 'vehicles',
    as: 'trip',
    copy: ['input.vehicle'],
    set: { day: 'today()' },
    number: 'bill_no',
    pattern: 'bill_pattern',
    submit: true,
    rows: { parts: { set: { part: '"Rent"', cost: 'amount' } } },
  },
)
