import { stringify } from 'yaml'
import { slugOf } from '../engine/definition/normalise/slug.ts'
import type { FieldType } from '../engine/fields/field-type.ts'
import { fieldType } from '../engine/fields/index.ts'
import type { FieldSpec } from './field-spec.ts'

/** DocType that `svc doctype new` was asked for. */
export interface NewDocType {
  readonly doctype: string
  readonly module: string
  /** Those there are, lowest first; it gets the first. */
  readonly tiers: readonly string[]
  readonly submittable: boolean
  readonly fields: readonly FieldSpec[]
}

const FIRST_FIELD: FieldSpec = {
  name: 'title',
  type: 'data',
  keys: { type: 'data', required: true, filterable: true },
}

const COMMENT_COLUMN = 38
const LIST_COLUMNS = 6
const SEARCH_FIELDS = 3

/**
 * The YAML of a new DocType, with comments that teach the language to who edits it next. Without fields it
 * has one, `title`, so that it works at once.
 */
export function composeDocType({
  doctype,
  module,
  tiers,
  submittable,
  fields,
}: NewDocType): string {
  const given = fields.length > 0 ? fields : [FIRST_FIELD]
  const searched = given.filter(({ type }) => isPlainText(fieldType(type)))
  const [title] = searched
  const columns = given.filter(({ type }) => fieldType(type).inList)
  const lines = [
    '# yaml-language-server: $schema=../doctype.schema.json',
    '# A DocType is a kind of record. This file is all there is about it: from it come the table,',
    `# /v1/${slugOf(doctype)} with filters and OpenAPI, its events, its TypeScript type and its form.`,
    '# Every word is described in docs/doctypes/reference.md; `svc doctype check` finds every mistake.',
    `doctype: ${scalar(doctype)}`,
    `module: ${scalar(module)}`,
    remark(`tier: ${scalar(tiers[0] ?? '')}`, `lowest plan that has it: ${tiers.join(', ')}`),
    submittable
      ? remark('submittable: true', 'drafts until submitted; then cancel and amend only')
      : remark('# submittable: true', 'drafts until submitted; then cancel and amend only'),
    '',
    '# How a record gets its name, which is its id: a series as here ({YYYY} and {MM} work too),',
    '# field:<a required field>, prompt (the client sends it), autoincrement, or uuid.',
    `naming: ${JSON.stringify(`${initials(doctype)}-{#####}`)}`,
    title
      ? remark(`title: ${title.name}`, 'what people read instead of the name')
      : remark('# title: a_text_field', 'what people read instead of the name'),
    searched.length > 0
      ? remark(`search: ${names(searched.slice(0, SEARCH_FIELDS))}`, 'where ?q= looks')
      : remark('# search: [a_text_field]', 'where ?q= looks'),
    ...(columns.length > 0
      ? [remark(`list: ${names(columns.slice(0, LIST_COLUMNS))}`, 'columns of the list')]
      : []),
    '',
    '# name: {type: …, key: value}. Keys: required, filterable (has an index, may be used as ?name=…),',
    '# createOnly (fixed once created), unique, default, min, max, description, formula, fetch, …',
    '# id, name, created, modified, owner and docstatus are there by themselves.',
    'fields:',
    ...given.map(({ name, keys }) => `  ${scalar(name)}: ${flow(keys)}`),
    '  # contact: {type: link, options: Contact, filterable: true}',
    '  # priority: {type: select, options: [Low, High], default: Low}',
    '  # total: {type: currency, formula: "qty * rate"}',
  ]
  return `${lines.join('\n')}\n`
}

/** `Fleet Vehicle` → `FV`; of one word the first letters: `Vehicle` → `VEH`. */
function initials(doctype: string): string {
  const words = doctype.split(/[ -]/).filter((word) => word !== '')
  const letters =
    words.length > 1 ? words.map((word) => word[0]).join('') : (words[0] ?? '').slice(0, 3)
  return letters.toUpperCase()
}

/** Words of its own: what a link or a select holds reads badly as a title. */
function isPlainText({ searchable, optionsMean }: FieldType): boolean {
  return searchable && optionsMean === 'nothing'
}

function names(fields: readonly FieldSpec[]): string {
  return flow(fields.map(({ name }) => name))
}

function remark(text: string, comment: string): string {
  return `${text.padEnd(COMMENT_COLUMN - 1)} # ${comment}`
}

function scalar(value: string): string {
  return stringify(value, { lineWidth: 0 }).trimEnd()
}

function flow(value: unknown): string {
  return stringify(value, {
    collectionStyle: 'flow',
    flowCollectionPadding: false,
    lineWidth: 0,
  }).trimEnd()
}
