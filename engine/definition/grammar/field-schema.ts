import type { FieldType, JsonSchema } from '../../fields/field-type.ts'
import { fieldTypes } from '../../fields/index.ts'
import { FIND } from './find-schema.ts'
import { LET } from './let-schema.ts'
import { ROWS } from './rows-schema.ts'
import {
  conditions,
  expression,
  FIELD_NAME,
  flag,
  list,
  mapOf,
  number,
  object,
  SLUG,
  text,
  withExamples,
} from './schema-parts.ts'
import { USE } from './use-schema.ts'

const LINK_FIELD = '^[a-z][a-z0-9_]*\\.[a-z][a-z0-9_]*$'

/** Schema of `at` of a source of values. */
const moments = (words: readonly string[], meaning: string): JsonSchema => ({
  enum: words,
  description: `Moment it is taken at: ${meaning}`,
})

const MOMENT = moments(
  ['create', 'draft', 'submit', 'always'],
  'create, draft (default) on every write until submit, submit, always also on the writes after it, but not on the cancel.',
)

/** Schema of `when` of a source of values. */
const GAP: JsonSchema = {
  enum: ['empty'],
  description:
    'Only fills the gap: callers may set the field, and what they gave stays. Without it the field is not theirs to set.',
}

const SEARCH_INPUT = object(
  'Records that a hook is given as rows.',
  {
    from: text('DocType of the records.'),
    where: expression(
      'Condition on their fields; this.x is the record or row that calls, parent.x the record of the row.',
    ),
    latest: text('Those with the highest value of this field come first; without it the oldest.'),
    limit: { type: 'integer', minimum: 1, maximum: 5000, description: 'Only the first so many.' },
  },
  ['from', 'where'],
)

const typesWhoseOptions = (meaning: FieldType['optionsMean']): string[] =>
  [...fieldTypes.values()]
    .filter(({ optionsMean }) => optionsMean === meaning)
    .map(({ name }) => name)

/** Schema by which `options` is of this JSON type in a field whose type is one of `types`. */
function optionsAre(types: readonly string[], type: string, description: string): JsonSchema {
  return {
    if: { properties: { type: { enum: types } }, required: ['type'] },
    // biome-ignore lint/suspicious/noThenProperty: `then` is a keyword of JSON Schema
    then: { properties: { options: { type, description } } },
  }
}

const WORDS = withExamples(
  object('A field.', {
    type: { enum: [...fieldTypes.keys()], description: 'What the field holds.' },
    label: text('What people read; without it the name in title case.', { maxLength: 140 }),
    description: text('Help shown under the field and in the API description.'),
    required: flag('Must be sent and not be empty; a table needs at least one row.'),
    unique: flag('No two records with the same value.'),
    filterable: flag(
      'Callers may filter by it: ?status=Open, ?due_date__lt=2026-01-01. Each costs an index, so name those that people ask for.',
    ),
    createOnly: flag('May be set on create, never changed.'),
    readOnly: flag('Callers cannot set it; actions and events may.'),
    hidden: flag(
      'Not on forms, nor where the workspace itself chooses what people see (columns of a list, a paper). For callers of the API a field like any other.',
    ),
    internal: flag(
      'Kept for other expressions: stored, frozen and verified like any field, and in no API: no answer, list, filter, event, description or export has it, and nobody may set it. Expressions, rollups, conditions, reports and `print` may read it.',
    ),
    allow_on_submit: flag(
      'May change after submit; of a table, its rows too. A column alone lets the rows be and changes in them.',
    ),
    no_copy: flag('Left empty by amend and duplicate, as a rollup is by itself.'),
    options: {
      type: ['array', 'string'],
      items: { type: 'string', maxLength: 140 },
      maxItems: 500,
      description:
        'Values of a select; DocType of a link, or Doctype.table for a row of its tables; for a dynamic_link the field that names the DocType; for a table the name of the DocType of its rows, which is made of the names of parent and field without it.',
    },
    declaring: list(
      'Of a select: the names of the DocTypes that declare one of these (declares), behind those of options.',
      { type: 'string', pattern: SLUG, maxLength: 50 },
    ),
    fields: {
      $ref: '#/definitions/fields',
      description:
        "Fields of the rows of a table. In their expressions bare names are the row's own and parent.x is the record's. Rows that several DocTypes share are a file with child: true, named in options.",
    },
    use: {
      ...USE,
      description: 'Of a table: blocks whose fields its rows have, before those of `fields`.',
    },
    find: {
      ...FIND,
      description: `Of a table: ${FIND.description}`,
    },
    let: {
      ...LET,
      description: `Of a table: ${LET.description}`,
    },
    min: number('Smallest number; of a table, the fewest rows.'),
    max: number('Largest number; of a table, the most rows: 500 without it, up to 5000.'),
    length: number('Longest text, in characters.'),
    scale: number('Decimal places of a float or percent, instead of 6.'),
    pattern: text('Regular expression the text must match, e.g. "^[A-Z]{3}$".', { maxLength: 500 }),
    currency: text(
      'The field, here or in the parent, that holds the currency of this amount; without it the field currency, else company_currency, where there is one. A float with it is a price, which keeps its decimal places and is shown as money.',
    ),
    default: {
      type: ['string', 'number', 'boolean'],
      maxLength: 2000,
      description:
        'Used on create when nothing was sent: a number, a boolean, an option of a select, or an expression such as today() or \'"USD"\'. It may look through links (company.default_currency), since it is taken at one moment. given.x is the field x as the caller sent it: a default that reads it does not wait for what x is filled with, so two fields may stand in for each other.',
    },
    formula: expression(
      'Computed on every write and stored, so that it can be filtered, sorted and added up; callers who send it get a 422. It may look through links (item_code.is_stock_item, three links at most) and into what `find` finds: what it reads there is kept with this record, follows the master while the record is a draft, and is frozen at submit.',
    ),
    acyclic: flag(
      'Of a link to records of the DocType itself, also in its tables: following it never leads back. What would close a circle, over any number of records, is refused (422).',
    ),
    drafts: flag(
      'Of a link: what it names may still be a draft when this record is submitted, e.g. the delivery that a packing slip is of.',
    ),
    adds: withExamples(
      object(
        'Of a table: rows that it adds to itself while the record is a draft, one for each row in which `when` is above 0 or true, behind all others. They follow these rows on every write, and go with them.',
        {
          mark: text(
            'Text column with the row_id of the row that one is added for; empty in others.',
            {
              pattern: FIELD_NAME,
            },
          ),
          when: text('Column that says whether one is added.', { pattern: FIELD_NAME }),
          set: {
            type: 'object',
            description: 'Column of the added row → column of the row it is added for.',
            additionalProperties: { type: 'string' },
          },
        },
        ['mark', 'when', 'set'],
      ),
      { mark: 'given_with', when: 'gift_qty', set: { part: 'gift', qty: 'gift_qty' } },
    ),
    takes: withExamples(
      object(
        'Of a link to rows: a new row that names one takes what the action of its document would have given it, unless it says otherwise; the first such row of a new record brings the head and the other tables along. Callers may read the document.',
        {
          action: text('Action of the DocType linked to that creates records of this one.', {
            pattern: FIELD_NAME,
          }),
          same: list(
            'Columns, and fields of the document as parent.x: where one is sent that says otherwise, nothing is taken.',
            { type: 'string', pattern: '^(parent\\.)?[a-z][a-z0-9_]*$' },
          ),
        },
        ['action'],
      ),
      { action: 'make_invoice', same: ['item_code', 'parent.customer'] },
    ),
    default_from: expression(
      'Of a link: condition on records of its DocType; the oldest that meets it is used on create when nothing was sent and `default` gave nothing.',
    ),
    keeps_empty: flag(
      'Null that is sent for a new record says that there shall be none: default and fetch propose nothing then.',
    ),
    renew: expression(
      'For what is taken once, by default, or by fetch, lookup or call `when: empty`. While the record is a draft and this is true, a value that the write does not change is taken anew, as on create. old.x is what it was taken for.',
    ),
    fetch: {
      ...withExamples(
        object(
          "Value copied from a linked record: customer.customer_name. Of a table: the rows of the linked record's table are copied while this one is empty.",
          {
            from: text('The link, a dot, and the field of the record behind it.', {
              pattern: LINK_FIELD,
            }),
            at: moments(
              ['draft', 'always'],
              'draft (default) on every write until submit, when it is frozen, always on the writes after it too.',
            ),
            when: GAP,
            as: mapOf(
              'Of a table: column of the rows there → column here that it is copied into, instead of the one of its name.',
              { type: 'string', pattern: FIELD_NAME },
            ),
          },
          ['from'],
        ),
        { from: 'customer.customer_name', at: 'always', as: { amount: 'agreed_amount' } },
      ),
      type: ['string', 'object'],
      minLength: 1,
      maxLength: 2000,
      pattern: LINK_FIELD,
    },
    lookup: object(
      'Value read from other records at one moment. A cancelled record is never found, unless the condition speaks of docstatus. Name a filterable field in an equality of where, for the database looks through what those leave. What match names is locked. Records of one DocType that look for each other wait for each other, so that of two at the same instant one finds the other; what excludes a record of another DocType looks up one that they share by match.',
      {
        from: text(
          'DocType of the record, or Doctype.table for rows. Not where match is a link or dynamic link of the record or row that looks up: then it is what that names.',
        ),
        match: expression('Id of the record; it stays locked until the write is done.'),
        where: conditions(
          'Instead of match: condition on its fields (document.x: the record of a row found), or a list of conditions that must all hold; this.x is the record or row that looks up, parent.x the record of the row.',
        ),
        latest: text(
          'With where: of several the one with the highest value of this field, or of this expression over what is found.',
        ),
        value: text(
          'Field of the record; of a row also document.x, and row_id for a link to the row itself. With where also an expression over what is found: price * this.factor.',
        ),
        sum: expression('Instead of value: adds this up over all that meet where; 0 for none.'),
        min: expression('Instead of value: the smallest of this; unset for none.'),
        max: expression('Instead of value: the largest of this; unset for none.'),
        count: { const: true, description: 'Instead of value: how many meet where.' },
        at: MOMENT,
        when: GAP,
      },
    ),
    call: object(
      'Value or rows that a hook gives: code of the program for what no expression should say. It is given values and changes nothing. A table takes the outputs that its columns are named after; a field that is no table names its output. A column may call a hook that gives rows: it is called once for all rows and each takes the value of its place, so its inputs are of the record (parent.x, parent.items).',
      {
        hook: text(
          'Name of the hook; all of them, with inputs and outputs, stand in the cookbook under "What no expression should say".',
        ),
        value: text('Which of its outputs is the value; not for a table.'),
        with: mapOf('Input of the hook → expression, the name of a table, or what a query finds.', {
          ...SEARCH_INPUT,
          description:
            'An expression, the name of a table, or records that the hook is given as rows: the fields that it reads are taken, 5000 records at most. As long as a part of where that speaks only of this and parent is false, nothing is asked.',
          type: ['string', 'number', 'boolean', 'object'],
          minLength: 1,
          maxLength: 2000,
        }),
        if: expression('Called only while this holds; else it gives no value, and no rows.'),
        at: MOMENT,
        when: GAP,
      },
      ['hook'],
    ),
    rows: ROWS,
    rollup: object(
      'Value kept from the records or rows that point here, exact after every create, change, submit, cancel and delete over there, in the same transaction. Only the difference is added, so it costs the same with ten records or ten million. On a column of a table it is kept per row, and match holds the row_id. Its expressions read stored values only, so not today(). Rollups and formulas cannot form a circle, also not by way of other DocTypes.',
      {
        from: text(
          'DocType, a ledger, or Doctype.table for rows, where parent is the record the row belongs to.',
        ),
        declaring: text(
          'Instead of from: every DocType that declares this (declares); a sum or count over all of them.',
          { pattern: SLUG, maxLength: 50 },
        ),
        match: expression('What holds the id of this record over there.'),
        sum: expression('Adds this up; 0 for none.'),
        min: expression('The smallest of this; unset for none.'),
        max: expression('The largest of this; unset for none.'),
        count: { const: true, description: 'Counts them.' },
        where: expression('Which of them count.'),
      },
      ['match'],
    ),
    required_when: expression('Required as long as this is true.'),
    visible_when: expression('Hidden on forms while this is false; the API does not mind.'),
    renamed_from: text(
      'Former name of the field, so that its values move along instead of being dropped.',
      {
        pattern: FIELD_NAME,
      },
    ),
    section: text(
      'Opens a section of the form with this heading; the fields after it belong to it too.',
      { maxLength: 140 },
    ),
    placeholder: text('Grey text in an empty input.', { maxLength: 140 }),
    place: text(
      'Where it stands among the fields: first, or after another; for files that extend a DocType, whose own fields come last without it.',
      { pattern: '^(?:first|after [a-z][a-z0-9_]{0,49})$' },
    ),
  }),
  {
    type: 'data',
    label: 'Pay Until',
    description: 'Last day to pay.',
    options: ['Low', 'Medium', 'High'],
    min: 0,
    max: 500,
    fields: { part: { type: 'data', required: true } },
    use: ['stock-row'],
    find: { price: { from: 'Fuel Price', where: 'fuel == this.fuel', latest: 'valid_from' } },
    length: 40,
    scale: 9,
    pattern: '^[A-Z]{3}$',
    currency: 'currency',
    default: 'add_days(posting_date, 30)',
    formula: 'items.sum(i, i.amount)',
    default_from: 'account_type == "Bank" && !is_group',
    renew: 'item != old.item',
    fetch: 'customer.customer_name',
    lookup: {
      from: 'Fuel Price',
      where: 'fuel == this.fuel && valid_from <= this.day',
      latest: 'valid_from',
      value: 'price',
      at: 'submit',
    },
    call: { hook: 'explode_bom', with: { bom: 'bom', quantity: 'quantity' } },
    rollup: { from: 'Vehicle Trip', match: 'vehicle', sum: 'kilometres' },
    required_when: 'status == "Declined"',
    visible_when: 'is_stock_item',
    renamed_from: 'plate',
    section: 'Loyalty',
    placeholder: 'DE123456789',
    place: 'after customer',
  },
)

/** Schema of a field. */
export const FIELD: JsonSchema = {
  ...WORDS,
  allOf: [
    optionsAre(typesWhoseOptions('values'), 'array', 'The values to select from.'),
    optionsAre(
      typesWhoseOptions('doctype'),
      'string',
      'The DocType to link to, or Doctype.table for a row.',
    ),
    optionsAre(typesWhoseOptions('field'), 'string', 'The field beside it that names the DocType.'),
    optionsAre(typesWhoseOptions('rows'), 'string', 'The DocType of the rows.'),
  ],
}
