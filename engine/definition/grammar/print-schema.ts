import type { JsonSchema } from '../../fields/field-type.ts'
import { withExamples } from './schema-parts.ts'

const SHORT = { type: 'string', minLength: 1, maxLength: 140 }
const NAME = { type: 'string', pattern: '^[a-z][a-z0-9_]{0,49}$' }
/** A field whose value is turned round when `-` stands before it. */
const SIGNED = { type: 'string', pattern: '^-?[a-z][a-z0-9_]{0,49}$' }
const text = (description: string): JsonSchema => ({ ...SHORT, description })
const field = (description: string): JsonSchema => ({ ...NAME, description })
const fields = (description: string): JsonSchema => ({ type: 'array', description, items: NAME })
const texts = (description: string): JsonSchema => ({ type: 'array', description, items: SHORT })
const textsBy = (description: string, propertyNames: JsonSchema, values: JsonSchema = SHORT) => ({
  type: 'object',
  description,
  propertyNames,
  additionalProperties: values,
})

function object(
  description: string,
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = [],
): JsonSchema {
  return { type: 'object', description, properties, additionalProperties: false, required }
}

/** An array of names, or of objects that say more. */
function listOf(description: string, short: JsonSchema, long: JsonSchema): JsonSchema {
  return { type: 'array', description, items: { ...long, ...short, type: ['string', 'object'] } }
}

const COLUMN = object(
  'A column that is more than a field.',
  {
    field: field('Column of the table.'),
    label: text('Its label on paper.'),
    under: field('Column below it in the same cell, unless it says the same.'),
    money: { type: 'boolean', description: 'The plain number is money of the record.' },
  },
  ['field'],
)

const tables = (description: string): JsonSchema => ({
  type: 'array',
  description,
  items: object(
    'A table.',
    {
      table: field('Table of the record.'),
      label: text('Text above it.'),
      columns: listOf('Columns; one that is empty in all rows is left out.', NAME, COLUMN),
    },
    ['table', 'columns'],
  ),
})

const pointing = (description: string): JsonSchema =>
  object(
    description,
    {
      from: text('DocType, or Doctype.table for rows.'),
      link: field('Its link or dynamic link to this record.'),
      unless: field('Check that rules a record out.'),
      first: field('Check of the record that is preferred.'),
    },
    ['from', 'link'],
  )

const ADDRESS = field(
  'Field with the lines of its address as they were then; a last line of two capital letters is a country (ISO 3166-1).',
)
const FACTS = fields('Fields told instead of the facts of its card.')

const WORDS: JsonSchema = object('How a record looks on paper.', {
  title: text('Heading; the label of the DocType without it.'),
  titles: textsBy('Check → heading while it is on.', NAME),
  parties: listOf(
    'Links, plain or dynamic, to whom it is about and where it goes: their cards.',
    NAME,
    object(
      'A party.',
      {
        link: field('Link or dynamic link.'),
        label: text('Text above it.'),
        name: field('Field with the name, for who may not read the record itself.'),
        address: ADDRESS,
        facts: FACTS,
      },
      ['link'],
    ),
  ),
  number: field(
    'Text field with the number on paper, for records that have one there; the name without it.',
  ),
  meta: fields('Facts beside the parties; unset ones are left out.'),
  tables: tables('Tables.'),
  totals: listOf(
    'Sums below the tables, - before those that are taken off; those that are 0 are left out.',
    SIGNED,
    object('A sum that says more, or a sum for each row of a table.', {
      field: { ...SIGNED, description: 'The sum.' },
      if: field('Only while this is set.'),
      rows: field('Table of the record with a sum in each row.'),
      label: field('Column with what it is.'),
      value: field('Column with the amount.'),
      percent: field('Column with a rate, told where the label does not.'),
      of: field('Column with the amount it was taken of.'),
    }),
  ),
  strong: field('The sum that counts; it is told when it is 0, too.'),
  below: tables('Tables below the sums.'),
  notes: fields('Long texts at the end.'),
  labels: textsBy('Field → its label on paper.', NAME),
  bank: { type: 'boolean', description: "The company's bank account stands on it." },
  letterhead: object('What the record keeps of the company as it was then.', {
    address: ADDRESS,
    facts: FACTS,
  }),
  card: object('How the record is written on the paper of others.', {
    facts: fields('Facts with their labels, such as tax ids.'),
    reach: fields('Ways to reach it, without labels.'),
    logo: field('Picture; one of this server is shown.'),
    language: field('Field with the language of papers for it, such as de.'),
    country: field('Link to its country.'),
    region: field('Of a country: field with the two letters of ISO 3166-1.'),
    postal: texts('Lines of an address, {field} in them.'),
    postal_in: textsBy(
      'Two letters of a country → lines, where addresses are written otherwise.',
      { pattern: '^[A-Z]{2}$' },
      texts('Lines of an address, {field} in them.'),
    ),
    address: pointing('Where its address is: the record that points here.'),
    bank: pointing('Where its bank account is: the record that points here.'),
  }),
})

/** Schema of `print:` of a DocType. */
export const PRINT: JsonSchema = withExamples(WORDS, {
  title: 'Bill',
  titles: { is_estimate: 'Estimate' },
  number: 'bill_no',
  parties: [{ link: 'customer', label: 'Bill To', name: 'customer_name' }],
  meta: ['done_on'],
  tables: [{ table: 'hours', columns: [{ field: 'work', under: 'remarks' }, 'hours', 'amount'] }],
  totals: [
    'total',
    '-deposit',
    { rows: 'taxes', label: 'description', value: 'tax_amount', percent: 'rate' },
  ],
  strong: 'to_pay',
  notes: ['notes'],
  labels: { done_on: 'Done' },
  bank: true,
  card: {
    facts: ['tax_id'],
    reach: ['email_id'],
    language: 'language',
    address: {
      from: 'Address.links',
      link: 'link_name',
      unless: 'disabled',
      first: 'is_primary_address',
    },
  },
})
