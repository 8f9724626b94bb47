import type { JsonSchema } from '../../fields/field-type.ts'
import { SERVICE_NAMES } from '../model/services.ts'
import type { Vocabulary } from '../model/vocabulary.ts'
import { ACTION, EVENT, STATUS } from './behaviour-schema.ts'
import { FIELD } from './field-schema.ts'
import { FIND } from './find-schema.ts'
import { LET } from './let-schema.ts'
import { PIECES } from './piece-schema.ts'
import { PRINT } from './print-schema.ts'
import { BRINGS, LEDGER, PERMISSIONS } from './record-schema.ts'
import {
  declaredName,
  expression,
  FIELD_NAME,
  fieldNames,
  flag,
  list,
  mapOf,
  object,
  SLUG,
  text,
  wordsWithExamples,
} from './schema-parts.ts'
import { STEP } from './step-schema.ts'
import { INVARIANTS, UNIQUE, VALIDATE } from './truth-schema.ts'
import { USE } from './use-schema.ts'
import { VIEWS } from './views-schema.ts'

/** Pattern of a DocType's name. */
export const DOCTYPE_NAME = '^[A-Za-z][A-Za-z0-9]*(?:[ -][A-Za-z0-9]+)*$'

const NAME = text('Name of the DocType, in the singular: Fleet Vehicle.', {
  pattern: DOCTYPE_NAME,
  maxLength: 60,
  examples: ['Fleet Vehicle'],
})

/** The words that no file of the workspace decides. */
const WORDS: Readonly<Record<string, JsonSchema>> = {
  resource: text(
    'Slug in addresses and events, for irregular plurals; else made from the name: Fleet Vehicle → fleet-vehicles, Country → countries. resources, reports, addons, tiers, events, webhooks, api-keys, openapi.json, me, security, boot, search, stream, jobs, imports, notifications, backups, list-views, links and studio are taken.',
    {
      pattern: SLUG,
      maxLength: 50,
    },
  ),
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
    'Records are drafts until submitted; then they cannot be changed (but for fields with allow_on_submit), only cancelled and amended.',
  ),
  child: flag('Rows of tables, without an address of their own.'),
  naming: text(
    'How records get their name, which is their id for ever. A series "SO-{YYYY}-{#####}", whose counter starts again whenever the text around it changes; with a field in it, one for each value: "BOM-{item}-{###}". Values alone "{item}::{warehouse}", which must be unique together. field:item_code, a required and unique field. prompt: the caller sends name. autoincrement: 1, 2, 3. uuid, the default: random and ordered by time. "CUST-{#####}, field:customer_name if named_by_name": a series, but for records whose check is on the value of a field. "SO-{YYYY}-{#####}, pattern:series": by the pattern that the field of a record has, where it has one. Tokens: {YYYY} {YY} {MM} {DD} {WW}, {field}, and {#…} with a # for each digit at least.',
    { maxLength: 140 },
  ),
  title: text(
    'Field shown instead of the name wherever the record is named; without it the field of naming.',
  ),
  search: fieldNames('Fields that q looks in; the title without it.'),
  list: fieldNames('Columns of the list, in order.'),
  extend: flag(
    'This file changes a loaded DocType instead of replacing it: single values replace, fields and other maps merge by name, lists replace.',
  ),
  use: USE,
  ...PIECES,
  declares: list(
    'Names that selects and invariants of other DocTypes find it under, by declaring: what each of them needs is for those to say. A block may declare for who uses it.',
    { type: 'string', pattern: SLUG, maxLength: 50 },
  ),
  dimension: object(
    'Makes its records a dimension of the books: wherever a record, a row of a table or a report has the field beside, a link such as cost_center, it has the field as too, a link to these records. It is proposed from where the other is, posted and grouped by as the other is.',
    {
      as: text('Name of the field.', { pattern: FIELD_NAME }),
      beside: text('Link that it stands behind.', { pattern: FIELD_NAME }),
    },
    ['as', 'beside'],
  ),
  find: FIND,
  let: LET,
  fields: { $ref: '#/definitions/fields' },
  unique: UNIQUE,
  status: STATUS,
  validate: VALIDATE,
  effects: object('What a submit books; cancel books the opposite by itself.', {
    submit: list('What a submit does, in order.', STEP),
  }),
  actions: { ...mapOf('Buttons: name → action.', ACTION), propertyNames: { pattern: FIELD_NAME } },
  next: list(
    'Actions that usually come next, in this order: they are offered before all others, and the first that is possible and makes another document is the button of a submitted record.',
    { type: 'string', pattern: FIELD_NAME },
  ),
  events: {
    ...mapOf('Events: key → when it happens and what it carries.', EVENT),
    propertyNames: { pattern: FIELD_NAME },
  },
  permissions: PERMISSIONS,
  invariants: INVARIANTS,
  ledger: LEDGER,
  upsert_from: text(
    'Ledger in which a new key makes a record here, for each key that the rollups meet for the first time; fields of the same name come from the row. naming must spell the key as match of the rollups does.',
  ),
  made_by: list(
    'DocTypes whose rollups make a record here too where they meet a key for the first time, beside the ledger of upsert_from: what naming spells comes from the key, other fields of the same name from the row or its document; what is still empty, from the first row that has it.',
    { type: 'string' },
  ),
  brings: BRINGS,
  serves: {
    enum: SERVICE_NAMES,
    description:
      'What the workspace itself keeps in these records: it needs certain fields for that, and the loader says which. Another DocType may take the place of a shipped one.',
  },
  belongs_to: text(
    'Link that says what a record belongs to, such as the company of an account. Only records of the same may name it, in any link of theirs and of their rows: what they belong to stands in the field of the same name, of the row or else of the record, or in another link to that DocType. What is left empty, here or there, binds nobody; it may be given later, and never changes then.',
    { pattern: FIELD_NAME },
  ),
  print: PRINT,
  proposed: expression(
    'Condition on its records: default_from of a link takes only those that meet it, e.g. none that is out of use.',
  ),
  tree: text(
    'Link to a record of the same DocType, the one above: records form a tree. Lists are filtered by all below one, reports add up along it, and who is limited to one has all below it.',
    { pattern: FIELD_NAME },
  ),
  views: VIEWS,
}

const EXAMPLES: Readonly<Record<string, unknown>> = {
  resource: 'attendance',
  aliases: ['orders'],
  label: 'Order',
  label_plural: 'Orders',
  description: 'A car or van of the company.',
  icon: 'truck',
  submittable: true,
  naming: 'SO-{YYYY}-{#####}',
  title: 'license_plate',
  search: ['license_plate', 'make'],
  list: ['license_plate', 'driver'],
  declares: ['serviced'],
  dimension: { as: 'depot', beside: 'cost_center' },
  use: ['currency', { block: 'party', with: { party: 'customer' } }],
  find: { bin: { from: 'Fuel Tank', match: { depot: 'depot', fuel: 'fuel' }, at: 'submit' } },
  let: { left: 'litres - taken', is_low: 'left < 20' },
  fields: { seats: { type: 'int' } },
  unique: [{ fields: ['bay', 'day'], where: 'docstatus < 2', message: 'is taken then' }],
  validate: [{ check: 'litres >= 0', field: 'litres', message: 'not enough fuel' }],
  effects: { submit: [{ set: { checked: true } }] },
  next: ['make_delivery_note', 'make_invoice'],
  permissions: {
    roles: { 'Sales User': ['read', 'create'] },
    rows: { 'Sales User': 'owner == user.name' },
  },
  invariants: [
    {
      name: 'every voucher balances',
      by: ['voucher_no'],
      terms: [{ from: 'Fuel Ledger Entry', add: 'debit - credit' }],
    },
  ],
  upsert_from: 'Fuel Ledger Entry',
  made_by: ['Fuel Order'],
  serves: 'users',
  belongs_to: 'depot',
  tree: 'part_of',
  proposed: '!disabled',
  print: { title: 'Bill', meta: ['done_on'], totals: ['total'] },
}

const HEAD: JsonSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  $id: 'doctype.schema.json',
  title: 'DocType',
  description: 'A kind of record; every word is described in docs/doctypes/reference.md.',
  type: 'object',
}

/** A schema that holds where a file does not say this word: what blocks give, it need not say. */
function unlessSaid(schema: JsonSchema, word: string): JsonSchema {
  return { if: { required: [word] }, else: schema }
}

/** What holds whatever the words are. */
const SHAPE: JsonSchema = {
  additionalProperties: false,
  required: ['doctype'],
  if: { properties: { extend: { const: true } }, required: ['extend'] },
  else: {
    required: ['module', 'tier'],
    ...['use', ...Object.keys(PIECES)].reduceRight<JsonSchema>(unlessSaid, {
      required: ['fields'],
      properties: { fields: { type: 'object', additionalProperties: { required: ['type'] } } },
    }),
  },
  definitions: {
    expression: {
      type: ['string', 'number', 'boolean'],
      minLength: 1,
      maxLength: 2000,
      description:
        'An expression in CEL; quote it when it contains , : # ? or begins with ! * ". A number, true and false are written as they are.',
    },
    fields: {
      type: 'object',
      description: 'Name → field, in the order of the form.',
      propertyNames: { pattern: FIELD_NAME },
      additionalProperties: { $ref: '#/definitions/field' },
      maxProperties: 500,
    },
    field: FIELD,
  },
}

/**
 * JSON Schema (draft 7, which the YAML language server knows best) of a DocType's file: checks every file
 * that is loaded, and is written to doctypes/doctype.schema.json for editors. Modules and tiers are those of a
 * workspace.
 */
export function metaSchemaJson({
  modules,
  tiers,
}: Pick<Vocabulary, 'modules' | 'tiers'>): JsonSchema {
  const module = 'Module it belongs to; people find its resources and events there.'
  const tier = 'Lowest plan that has it (plans.yaml).'
  return {
    ...HEAD,
    properties: {
      doctype: NAME,
      module: declaredName(module, [...modules.keys()], 'modules.yaml'),
      tier: declaredName(tier, tiers, 'plans.yaml'),
      ...wordsWithExamples(WORDS, EXAMPLES),
    },
    ...SHAPE,
  }
}
