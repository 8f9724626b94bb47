import type { FieldType, JsonSchema } from '../fields/field-type.ts'
import { fieldTypes } from '../fields/index.ts'
import { expression, FIELD_NAME, flag, mapOf, number, object, text } from './schema-parts.ts'

const FOUND_INPUT = object(
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

/** In a field whose type is one of `types`, `options` is of this JSON type. */
function optionsAre(types: readonly string[], type: string, description: string): JsonSchema {
  return {
    if: { properties: { type: { enum: types } }, required: ['type'] },
    // biome-ignore lint/suspicious/noThenProperty: `then` is a keyword of JSON Schema
    then: { properties: { options: { type, description } } },
  }
}

const WORDS = object('A field.', {
  type: { enum: [...fieldTypes.keys()], description: 'What the field holds.' },
  label: text('What people read; without it the name in title case.', { maxLength: 140 }),
  description: text('Help shown under the field and in the API description.'),
  required: flag('Must be sent and not be empty; a table needs at least one row.'),
  unique: flag('No two records with the same value.'),
  filterable: flag('Callers may filter by it; each costs an index.'),
  createOnly: flag('May be set on create, never changed.'),
  readOnly: flag('Callers cannot set it; actions and events may.'),
  hidden: flag('Not shown on forms and lists; still part of the record.'),
  allow_on_submit: flag('May change after submit.'),
  no_copy: flag('Left empty by amend and duplicate.'),
  options: {
    type: ['array', 'string'],
    items: { type: 'string', maxLength: 140 },
    maxItems: 500,
    description:
      'Values of a select; DocType of a link; for a dynamic_link the field that names the DocType; for a table the DocType of its rows.',
  },
  fields: { $ref: '#/definitions/fields', description: 'Fields of the rows of a table.' },
  min: number('Smallest number; of a table, the fewest rows.'),
  max: number('Largest number; of a table, the most rows (500 without it).'),
  length: number('Longest text, in characters.'),
  scale: number('Decimal places of a float or percent, instead of 6.'),
  pattern: text('Regular expression the text must match, e.g. "^[A-Z]{3}$".', { maxLength: 500 }),
  format: {
    enum: ['email', 'phone', 'url', 'time_zone'],
    description: 'Form of the text of a data field; the same as a type of that name.',
  },
  currency: text('The field, here or in the parent, that holds the currency of this amount.'),
  default: {
    type: ['string', 'number', 'boolean'],
    maxLength: 2000,
    description:
      'Used on create when nothing was sent: a number, a boolean, an option of a select, or an expression such as today() or \'"USD"\'.',
  },
  formula: expression('Computed on every write and stored; callers cannot set it.'),
  acyclic: flag('Of a link to its own DocType: following it never leads back to the record.'),
  default_from: expression(
    'Of a link: condition on records of its DocType; the oldest that meets it is used on create when nothing was sent and `default` gave nothing.',
  ),
  renew: expression(
    'Of a draft: when this is true and the value was not changed, it is taken anew, as on create.',
  ),
  fetch: text('Value copied from a linked record: customer.customer_name. Of a table: its rows.', {
    pattern: '^[a-z][a-z0-9_]*\\.[a-z][a-z0-9_]*$',
  }),
  fetch_if: {
    enum: ['always', 'empty', 'draft'],
    description:
      'When fetch copies: draft (default) until submit, always on every write, empty while the caller sent none. With lookup and call only empty.',
  },
  lookup: object(
    'Value read from other records at a point in time.',
    {
      from: text('DocType of the record, or Doctype.table for rows.'),
      match: expression('Id of the record; it is locked until the write is done.'),
      where: expression(
        'Instead of match: condition on its fields (document.x: the record of a row found); this.x is the record or row that looks up, parent.x the record of the row.',
      ),
      latest: text('With where: of several the one with the highest value of this field.'),
      value: text('Field of the record; of a row also document.x.'),
      sum: expression('Instead of value: adds this up over all that meet where.'),
      min: expression('Instead of value: the smallest of this.'),
      max: expression('Instead of value: the largest of this.'),
      count: { const: true, description: 'Instead of value: how many meet where.' },
      at: {
        enum: ['create', 'draft', 'submit', 'always'],
        description:
          'When it is read: create, draft = every write until submit, submit (default), always = every write but the cancel.',
      },
    },
    ['from'],
  ),
  call: object(
    'Value or rows that a hook gives: code for what no expression should say.',
    {
      hook: text('Name of the hook, e.g. working_deadline.'),
      value: text('Which of its outputs is the value; not for a table.'),
      with: mapOf('Input of the hook → expression, the name of a table, or what a query finds.', {
        ...FOUND_INPUT,
        description:
          'An expression, the name of a table, or records that the hook is given as rows.',
        type: ['string', 'object'],
        minLength: 1,
        maxLength: 2000,
      }),
      if: expression('Called only while this holds; else it gives no value, and no rows.'),
      at: {
        enum: ['create', 'draft', 'submit', 'always'],
        description:
          'When it is called: create, draft (default) = every write until submit, submit, always = every write but a cancel.',
      },
    },
    ['hook'],
  ),
  rollup: object(
    'Value kept from the records or rows that point here.',
    {
      from: text('DocType, or Doctype.table for rows.'),
      match: expression('What holds the id of this record over there.'),
      sum: expression('Adds this up.'),
      min: expression('The smallest of this.'),
      max: expression('The largest of this.'),
      count: { const: true, description: 'Counts them.' },
      where: expression('Which of them count.'),
    },
    ['from', 'match'],
  ),
  required_when: expression('Required as long as this is true.'),
  visible_when: expression('Hidden on forms while this is false.'),
  renamed_from: text('Former name of the field, so that its values move along.', {
    pattern: FIELD_NAME,
  }),
  section: text('Opens a section of the form with this heading.', { maxLength: 140 }),
  in_list: flag('A column of the list; `list` of the DocType is the shorter way.'),
  width: {
    type: 'integer',
    minimum: 1,
    maximum: 2000,
    description: 'Width of its column in the list, in pixels.',
  },
  placeholder: text('Grey text in an empty input.', { maxLength: 140 }),
})

/** What may be said of a field. */
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
