import type { JsonSchema } from '../fields/field-type.ts'
import { ACTION, EVENT, STATUS } from './behaviour-schema.ts'
import { FIELD } from './field-schema.ts'
import { MODULES } from './modules.ts'
import { PRINT } from './print-schema.ts'
import { BRINGS, LEDGER, PERMISSIONS } from './record-schema.ts'
import { FIELD_NAME, fieldNames, flag, list, mapOf, object, SLUG, text } from './schema-parts.ts'
import { SERVICE_NAMES } from './services.ts'
import { STEP } from './step-schema.ts'
import { INVARIANTS, UNIQUE, VALIDATE } from './truth-schema.ts'

/** Tiers, lowest first; their prices and limits stand in plans.yaml. */
export const TIERS: readonly string[] = ['free', 'pro', 'business']

const DOCTYPE_NAME = '^[A-Za-z][A-Za-z0-9]*(?:[ -][A-Za-z0-9]+)*$'

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
  unique: UNIQUE,
  status: STATUS,
  validate: VALIDATE,
  effects: object('What a submit books; cancel books the opposite by itself.', {
    submit: list('What a submit does, in order.', STEP),
  }),
  actions: { ...mapOf('Buttons: name → action.', ACTION), propertyNames: { pattern: FIELD_NAME } },
  events: {
    ...mapOf('Events: key → when it happens and what it carries.', EVENT),
    propertyNames: { pattern: FIELD_NAME },
  },
  permissions: PERMISSIONS,
  invariants: INVARIANTS,
  ledger: LEDGER,
  upsert_from: text('DocType in which a new key makes a record here.'),
  brings: BRINGS,
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
    field: FIELD,
  },
}

/**
 * JSON Schema (draft 7, which the YAML language server knows best) of a DocType's file: checks every file
 * that is loaded, and is written to doctypes/doctype.schema.json for editors.
 */
export function metaSchemaJson(): JsonSchema {
  return META_SCHEMA
}
