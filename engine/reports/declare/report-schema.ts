import { metaSchemaJson } from '../../definition/grammar/meta-schema.ts'
import {
  conditions,
  declaredName,
  FIELD_NAME,
  SLUG,
} from '../../definition/grammar/schema-parts.ts'
import type { Vocabulary } from '../../definition/model/vocabulary.ts'
import type { JsonSchema } from '../../fields/field-type.ts'
import { fieldTypes } from '../../fields/index.ts'

/** What a report may be called: its address and the name of its file are made of it. */
export const REPORT_NAME = /^[A-Za-z][A-Za-z0-9]*(?:[ -][A-Za-z0-9]+)*$/

/** The JSON Schema of a report's file, for editors and for the check at load. */
export function reportSchemaJson(vocabulary: Pick<Vocabulary, 'modules' | 'tiers'>): JsonSchema {
  const { definitions } = metaSchemaJson(vocabulary)
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'A report of svc',
    ...object('A report (docs/doctypes/reference.md).', reportKeys(vocabulary), [
      'report',
      'module',
      'description',
    ]),
    // A report that uses blocks has what they bring, and is checked when they are taken in.
    if: { required: ['use'] },
    else: { required: ['columns'] },
    definitions,
  }
}

const text = (description: string): JsonSchema => ({
  type: 'string',
  minLength: 1,
  maxLength: 2000,
  description,
})
const expression = (description: string): JsonSchema => ({
  $ref: '#/definitions/expression',
  description,
})
const names = (description: string): JsonSchema => ({
  type: 'array',
  description,
  items: { type: 'string' },
})
const list = (description: string, items: JsonSchema): JsonSchema => ({
  type: 'array',
  description,
  items,
})
const number = (description: string, minimum: number, maximum: number): JsonSchema => ({
  type: 'integer',
  minimum,
  maximum,
  description,
})
const named = (description: string, values: JsonSchema): JsonSchema => ({
  type: 'object',
  description,
  additionalProperties: values,
  propertyNames: { pattern: FIELD_NAME },
  maxProperties: 100,
})
const fieldTypeName = (description: string): JsonSchema => ({
  enum: [...fieldTypes.keys()],
  description,
})
/** Names, or a map from names to what stands for them. */
const namesOrMap = (description: string): JsonSchema => ({
  type: ['array', 'object'],
  description,
  items: { type: 'string' },
  additionalProperties: { type: 'string' },
})
const aggregated = (what: string): JsonSchema => ({
  type: ['string', 'boolean'],
  maxLength: 2000,
  description: `${what} of an expression over the source; true: of what the sources set.`,
})

function object(
  description: string,
  properties: Record<string, JsonSchema>,
  required: readonly string[] = [],
): JsonSchema {
  return { type: 'object', description, properties, additionalProperties: false, required }
}

/** Schema of `use:` of a report and of a block of reports. */
const USE: JsonSchema = list(
  'Blocks of `kind: report` whose parts are taken in, by name: parameters and columns before the own ones, filters and totals together, checks one behind the other. An own parameter, column or query of the same name changes key by key what the block says of it, and stays where the block has it; all else replaces.',
  {
    ...object(
      'A block and how it is used; its name alone is enough.',
      {
        block: text('Name of the block: blocks/<name>.yaml.'),
        with: {
          type: 'object',
          description: 'Parameter of the block → its value.',
          additionalProperties: {
            type: ['string', 'number', 'boolean', 'array'],
            items: { type: 'string' },
            description: 'A text, a number, true, false, or a list of texts.',
          },
        },
      },
      ['block'],
    ),
    type: ['string', 'object'],
    pattern: SLUG,
    maxLength: 50,
  },
)

function columnKeys(): Record<string, JsonSchema> {
  return {
    value: expression('An expression over the source; without any, the field of that name.'),
    sum: aggregated('The sum'),
    min: aggregated('The smallest'),
    max: aggregated('The largest'),
    count: {
      const: true,
      description:
        'How many rows the group has. As soon as one column is of count, sum, min or max, the rows are grouped by all value columns.',
    },
    formula: expression('An expression over the other columns, after grouping.'),
    running: expression('The sum of an expression over the columns so far, in the order.'),
    total: expression('The sum of an expression over the columns of all rows with the same `by`.'),
    by: names('Columns within which `running` and `total` add up.'),
    of_node: text('A field of the record of the tree that the row is for.'),
    in_period: expression(
      'Beside sum, min or max: the date by which a row belongs to a period. One column for each of periods: amount_2026_01.',
    ),
    until_period: expression('The same, of everything up to the end of each period.'),
    for_each: expression(
      'Beside sum, min or max, instead of periods: one column for each value that this text has among the rows, in their order: tax_output_tax. What is empty has none, and 120 are the most.',
    ),
    label: text('What people read above the column; it may name parameters: "{range1}–{range2}".'),
    description: text('What it is, in one sentence.'),
    type: fieldTypeName('Type of its values, else that of the field.'),
    options: { type: ['string', 'array'], description: 'As of a field of this type.' },
    scale: number('Decimal places.', 0, 9),
    currency: text('The column that names the currency of its amounts.'),
    hidden: { type: 'boolean', description: 'For other columns only.' },
  }
}

function sourceKeys(): Record<string, JsonSchema> {
  return {
    from: text(
      'A DocType, Doctype.table for its rows (document.x is their record), or a query of with.',
    ),
    filter: namesOrMap(
      'Fields that equal the parameter of their name, or field: parameter, while that is given (a check nobody set equals false); link.field looks one step on. A parameter that links into a tree means everything below it too.',
    ),
    where: conditions(
      'The condition that rows of the source meet, or a list of conditions that must all hold: its fields bare, link.field, param.x.',
    ),
  }
}

function queryKeys(): Record<string, JsonSchema> {
  const set = {
    type: 'object',
    description: 'Column → expression over this source.',
    additionalProperties: expression('A value.'),
  }
  return {
    ...sourceKeys(),
    columns: named(
      'The columns, in their order. One that says nothing is the field of its name, with its type and label.',
      object('A column.', columnKeys()),
    ),
    sources: list(
      'Instead of from: several sources with the same columns, one after the other. A column that a source leaves out is unset there.',
      object('One source.', { ...sourceKeys(), set }, ['from', 'set']),
    ),
    having: expression('The condition that the rows meet, over the columns.'),
    order: names('Columns to sort by; - before one turns it round.'),
  }
}

function summaryKeys(): Record<string, JsonSchema> {
  return {
    label: text('What it is called.'),
    sum: expression('Sum of an expression over the columns.'),
    formula: expression('An expression over the numbers before it.'),
    type: fieldTypeName('Type of the number.'),
    scale: number('Decimal places.', 0, 9),
  }
}

function reportKeys({ modules }: Pick<Vocabulary, 'modules'>): Record<string, JsonSchema> {
  return {
    report: {
      type: 'string',
      pattern: REPORT_NAME.source,
      maxLength: 100,
      description: 'Its name; the address is made of it.',
    },
    module: declaredName('Where the menu has it.', [...modules.keys()], 'modules.yaml'),
    description: text('What it answers, in one sentence.'),
    icon: text('Name of a Lucide icon.'),
    use: USE,
    roles: names('Only these roles; else whoever may report on all that it reads.'),
    params: named(
      'Parameters: fields as a DocType has them. default may use the parameters before it and look through one link of theirs; default_from is a condition on the records the link leads to.',
      { $ref: '#/definitions/field' },
    ),
    validate: list(
      'Conditions over the parameters.',
      object(
        'A condition, and what to say where it does not hold.',
        {
          check: expression('A condition.'),
          field: text('The parameter at fault.'),
          message: text('What to say.'),
        },
        ['check', 'field', 'message'],
      ),
    ),
    let: named(
      'Names for expressions: all of the report may say them, also other lets. A name means what its text would mean there.',
      expression('An expression.'),
    ),
    currency: text('The currency of amounts without one of their own, as a path from a parameter.'),
    with: named(
      'Queries by name, each of which may take its rows from those before it.',
      object('A query.', queryKeys(), ['columns']),
    ),
    ...queryKeys(),
    tree: text(
      'The column that links to a DocType with `tree`: every record above gets a row with the sums of what is below it, and rows come in the order of the tree, with indent. In a tree there are this column, of_node, sums, and formulas over those.',
    ),
    periods: object(
      'Periods as columns.',
      {
        from: text('The parameter with the first day.'),
        to: text('The parameter with the last day.'),
        every: text(
          'The parameter that says how long a period is, or one of Daily, Weekly, Monthly, Quarterly, Half-Yearly, Yearly.',
        ),
      },
      ['from', 'to', 'every'],
    ),
    totals: namesOrMap(
      'Columns to add up over all rows, not of the page alone, or column: expression; in a tree over the rows at the top.',
    ),
    total_label: text('What the row of totals is called.'),
    summary: named(
      'Numbers about the whole, in their order; in a tree over the rows at the top.',
      object('A number.', summaryKeys(), ['label']),
    ),
    chart: object(
      'How to draw it.',
      {
        type: { enum: ['bar', 'line', 'pie'], description: 'The kind of chart.' },
        x: text('The column below the bars, or periods where y stands in periods.'),
        y: names('The columns drawn.'),
      },
      ['type', 'x', 'y'],
    ),
    limit: number('Most rows of a tree, 5000 without it.', 1, 50_000),
  }
}
