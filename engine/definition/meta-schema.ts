import type { FieldType, JsonSchema } from '../fields/field-type.ts'
import { fieldTypes } from '../fields/index.ts'
import { MODULES } from './modules.ts'
import { PRINT } from './print-schema.ts'
import { SERVICE_NAMES } from './services.ts'

/** Tiers, lowest first; their prices and limits stand in plans.yaml. */
export const TIERS: readonly string[] = ['free', 'pro', 'business']

/** Names of fields: they become columns, JSON keys and names in expressions. */
export const FIELD_NAME = '^[a-z][a-z0-9_]{0,49}$'
/** What a role may be given; `action` is every declared action, `all` is everything. */
export const RIGHT =
  '^(?:all|read|create|update|delete|submit|cancel|amend|action|report|export|action:[a-z][a-z0-9_]*)$'
const DOCTYPE_NAME = '^[A-Za-z][A-Za-z0-9]*(?:[ -][A-Za-z0-9]+)*$'
const SLUG = '^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$'

const text = (description: string, more: JsonSchema = {}): JsonSchema => ({
  type: 'string',
  minLength: 1,
  maxLength: 2000,
  description,
  ...more,
})
const flag = (description: string): JsonSchema => ({ type: 'boolean', description })
const number = (description: string): JsonSchema => ({ type: 'number', description })
const expression = (description: string): JsonSchema => ({
  $ref: '#/definitions/expression',
  description,
})
const list = (description: string, items: JsonSchema): JsonSchema => ({
  type: 'array',
  description,
  items,
})
const mapOf = (description: string, values: JsonSchema): JsonSchema => ({
  type: 'object',
  description,
  additionalProperties: values,
})
const fieldNames = (description: string): JsonSchema => list(description, { type: 'string' })

function object(
  description: string,
  properties: Record<string, JsonSchema>,
  required: readonly string[] = [],
): JsonSchema {
  return {
    type: 'object',
    description,
    properties,
    additionalProperties: false,
    ...(required.length > 0 ? { required } : {}),
  }
}

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

const FIELD = object('A field.', {
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

const SET = mapOf('Field → expression of its value.', { $ref: '#/definitions/expression' })
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

const STEP = object('A step: one of post, create, update, fill, set, submit.', {
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

const RIGHTS = list(
  'What the role may: all, or read create update delete submit cancel amend action action:<name> report export.',
  { type: 'string', pattern: RIGHT },
)

const STATUS = {
  ...object(
    'How the status comes about: derived from other fields, or chosen along a flow.',
    {
      field: text('The status field; it need not be declared.', { pattern: FIELD_NAME }),
      initial: text('State of a new record, with `flow`.'),
      cancelled: text('State that a cancel of a submitted document moves to, with `flow`.'),
      derive: mapOf('State → condition; the first that holds wins.', {
        $ref: '#/definitions/expression',
      }),
      flow: mapOf('State → states it may change to, or those states → roles that may.', {
        type: ['array', 'object'],
        items: { type: 'string' },
        additionalProperties: list('Roles that may; All is everybody.', { type: 'string' }),
      }),
      moves: mapOf(
        'With `flow`: state → condition; the status goes there by itself when it turns true, the first that holds.',
        { $ref: '#/definitions/expression' },
      ),
      tick: object(
        'When the status is derived again without a write.',
        { daily: expression('Records it is derived again for, every day.') },
        ['daily'],
      ),
    },
    ['field'],
  ),
  oneOf: [{ required: ['derive'] }, { required: ['flow', 'initial'] }],
}

const EVENT = object('An event, named <resource>.<key>.', {
  description: text('One sentence: what has happened. Subscribers read it in the list of events.'),
  on: {
    enum: ['create', 'update', 'submit', 'cancel', 'delete', 'change'],
    description: 'What makes it happen.',
  },
  field: text('The field that changes, with on: change.'),
  when: expression('It happens each time this turns from false to true.'),
  set: SET,
  data: {
    type: ['array', 'object'],
    items: { type: 'string' },
    additionalProperties: { $ref: '#/definitions/expression' },
    propertyNames: { pattern: FIELD_NAME },
    description: 'Fields, or key → expression, that are guaranteed in the data of the event.',
  },
})

const ACTION = object('An action: POST /v1/<resource>/<id>/actions/<name>, one transaction.', {
  label: text('What people read on the button.', { maxLength: 140 }),
  description: text('What it does.'),
  when: expression('Possible only while this is true.'),
  every: {
    enum: ['hour', 'day'],
    description: 'The server runs it so often for each record that `when` holds for.',
  },
  roles: list('Who may, besides those who may change the record.', { type: 'string' }),
  system: flag('No caller may, only the server itself.'),
  moves: text('State it moves a chosen status to.'),
  input: {
    $ref: '#/definitions/fields',
    description: 'Fields the caller sends; input.x in expressions.',
  },
  steps: list('What is done, in order.', STEP),
})

const PROPERTIES: Readonly<Record<string, JsonSchema>> = {
  doctype: text('Name of the DocType, in the singular: Fleet Vehicle.', {
    pattern: DOCTYPE_NAME,
    maxLength: 60,
  }),
  module: { enum: MODULES, description: 'Module it belongs to.' },
  tier: { enum: TIERS, description: 'Lowest plan that has it.' },
  resource: text('Slug in addresses and events, for irregular plurals; else made from the name.', {
    pattern: SLUG,
    maxLength: 50,
  }),
  aliases: list('Other slugs that answer the same.', {
    type: 'string',
    pattern: SLUG,
    maxLength: 50,
  }),
  label: text('What people read; the name without it.', { maxLength: 140 }),
  label_plural: text('Plural of the label.', { maxLength: 140 }),
  description: text('One sentence: what a record is.'),
  icon: text('Name of a Lucide icon.', { maxLength: 60 }),
  submittable: flag(
    'Records are drafts until submitted; then they can only be cancelled and amended.',
  ),
  child: flag('Rows of tables, without an address of their own.'),
  naming: text(
    'How records get their name: "SO-{YYYY}-{#####}", "{item}::{warehouse}", field:item_code, prompt, autoincrement, uuid.',
    { maxLength: 140 },
  ),
  title: text('Field shown instead of the name; without it the field of naming.'),
  search: fieldNames('Fields that q looks in; the title without it.'),
  list: fieldNames('Columns of the list, in order.'),
  extend: flag('This file changes a loaded DocType instead of replacing it.'),
  fields: { $ref: '#/definitions/fields' },
  unique: list(
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
  ),
  status: STATUS,
  validate: list('Conditions every write must meet.', {
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
  }),
  effects: object('What a submit books; cancel books the opposite by itself.', {
    submit: list('What a submit does, in order.', STEP),
  }),
  actions: { ...mapOf('Buttons: name → action.', ACTION), propertyNames: { pattern: FIELD_NAME } },
  events: {
    ...mapOf('Events: key → when it happens and what it carries.', EVENT),
    propertyNames: { pattern: FIELD_NAME },
  },
  permissions: {
    type: 'object',
    description: 'Role → what it may; rows → the records it is limited to.',
    properties: {
      rows: mapOf(
        'Role → expression its records meet; {read: …, write: …} where reading and changing differ.',
        {
          ...object('Conditions apart for reading and for everything else.', {
            read: expression('Which records the role may read; all without it.'),
            write: expression('Which of them it may change; all without it.'),
          }),
          type: ['string', 'object'],
          minLength: 1,
          maxLength: 2000,
        },
      ),
      follows: text(
        'Link or dynamic link to the record that this one belongs to: who may not read that one does not see this one, and it is deleted with it.',
        { pattern: FIELD_NAME },
      ),
    },
    additionalProperties: RIGHTS,
  },
  invariants: list(
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
  ),
  ledger: object(
    'Rows are only ever added: by submits and actions, and by the mirror rows of a cancel.',
    {
      balance: fieldNames('Debit and credit: equal in every posting; a mirror row swaps them.'),
      swap: fieldNames(
        'Further pairs that a mirror row swaps: [a, b, c, d] swaps a with b, c with d.',
      ),
      negate: fieldNames('Fields a mirror row has with the opposite sign.'),
      copy: fieldNames("Fields taken from the document's field of the same name unless set."),
      date: text('Field of the posting date; posting_date without it.'),
      reverse_date: {
        enum: ['today', 'original'],
        description: 'Date of mirror rows: the day of the cancel (default) or that of the row.',
      },
      keep_date: list('DocTypes whose mirror rows bear the day of the row in any case.', {
        type: 'string',
      }),
      hold: fieldNames('Links whose records stay as they are until the posting is committed.'),
    },
  ),
  upsert_from: text('DocType in which a new key makes a record here.'),
  brings: object(
    'Records that come with a new record: sets of them, files below setup/.',
    {
      if: expression('They come only when this is true.'),
      sets: list(
        'The sets, in the order they are made.',
        object(
          'A set, or all of a folder.',
          {
            from: text('Folder below setup/ that the set lies in.', { pattern: SLUG }),
            named: text('Field that names the set; without it all of the folder.', {
              pattern: FIELD_NAME,
            }),
            optional: flag('It is no mistake when there is no set of that name.'),
          },
          ['from'],
        ),
      ),
      owner: text('Field of the records that gets the name of the new record.', {
        pattern: FIELD_NAME,
      }),
      suffix: expression('Text that is put behind the names of the records.'),
    },
    ['sets'],
  ),
  serves: {
    enum: SERVICE_NAMES,
    description: 'What the workspace itself keeps in these records.',
  },
  print: PRINT,
  views: mapOf('Ready-made filters and boards of the list.', { type: 'object' }),
}

const META_SCHEMA: JsonSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  $id: 'doctype.schema.json',
  title: 'DocType',
  description: 'A kind of record; the language is described in doctypes/README.md.',
  type: 'object',
  properties: PROPERTIES,
  additionalProperties: false,
  required: ['doctype'],
  if: { properties: { extend: { const: true } }, required: ['extend'] },
  else: {
    required: ['module', 'tier', 'fields'],
    properties: { fields: { type: 'object', additionalProperties: { required: ['type'] } } },
  },
  definitions: {
    expression: {
      type: 'string',
      minLength: 1,
      maxLength: 2000,
      description: 'An expression in CEL; quote it when it contains , : # ? or begins with ! * ".',
    },
    fields: {
      type: 'object',
      description: 'Name → field, in the order of the form.',
      propertyNames: { pattern: FIELD_NAME },
      additionalProperties: { $ref: '#/definitions/field' },
      maxProperties: 500,
    },
    field: {
      ...FIELD,
      allOf: [
        optionsAre(typesWhoseOptions('values'), 'array', 'The values to select from.'),
        optionsAre(
          typesWhoseOptions('doctype'),
          'string',
          'The DocType to link to, or Doctype.table for a row.',
        ),
        optionsAre(
          typesWhoseOptions('field'),
          'string',
          'The field beside it that names the DocType.',
        ),
        optionsAre(typesWhoseOptions('rows'), 'string', 'The DocType of the rows.'),
      ],
    },
  },
}

/**
 * JSON Schema (draft 7, which the YAML language server knows best) of a DocType's file: checks every file
 * that is loaded, and is written to doctypes/doctype.schema.json for editors.
 */
export function metaSchemaJson(): JsonSchema {
  return META_SCHEMA
}
