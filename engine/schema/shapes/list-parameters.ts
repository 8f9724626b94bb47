import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { standardFields } from '../../definition/model/standard-fields.ts'
import type { Field } from '../../fields/field.ts'
import type { JsonSchema } from '../../fields/field-type.ts'
import { fieldType } from '../../fields/index.ts'
import { publicFields } from '../../fields/public-fields.ts'

/**
 * Parameters of every list in their order, by their names among the shared ones. Counting and adding up answer no page, so they
 * are an operation of their own (openapi-search.ts).
 */
const SHARED = [
  ...['limit', 'offset', 'cursor', 'sort', 'order', 'q', 'fields', 'titled'],
  ...['csvLabels', 'csvMark'],
]

/** Kinds of which values can be added up. */
const ADDED: ReadonlySet<string> = new Set(['money', 'decimal', 'int', 'percent'])
const DATED: ReadonlySet<string> = new Set(['date', 'datetime'])

const shared = (name: string): JsonSchema => ({ $ref: `#/components/parameters/${name}` })

/** Whether lists are sorted and counted by the field: long texts have no order that anybody asks for. */
export function isSortable({ type, child }: Field): boolean {
  const { storage, secret, inList } = fieldType(type)
  return !child && storage !== 'rows' && !secret && inList
}

/** Whether the values of a field are days or moments, which are counted by day, month or year too. */
export function isDated({ type }: Field): boolean {
  return DATED.has(fieldType(type).kind)
}

/** Whether values of the field can be added up. */
export function isAmount(field: Field): boolean {
  return isSortable(field) && ADDED.has(fieldType(field.type).kind)
}

/** All fields that parameters of a list may name. */
export function listedFields(definition: DocTypeDefinition): readonly Field[] {
  return [...standardFields(definition), ...publicFields(definition)]
}

/**
 * Parameters of the list of a resource beside its filters. `isWhole`: those that name fields say which there are; that is a
 * twentieth of a whole description, so only slices do, and the whole one says what the names look like.
 */
export function listParameters(
  definition: DocTypeDefinition,
  isWhole: boolean,
): readonly JsonSchema[] {
  if (!isWhole) return SHARED.map(shared)
  const fields = listedFields(definition)
  const sortable = fields.filter(isSortable)
  const names = (some: readonly Field[]): string => some.map(({ name }) => name).join('|')
  const own: Readonly<Record<string, JsonSchema>> = {
    sort: sortParameter(`-?(${names(sortable)})`),
    fields: fieldsParameter(`(${names(fields)}|_list)`),
  }
  return SHARED.map((name) => own[name] ?? shared(name))
}

/** Pattern of names of fields, where it is not told which there are. */
const A_NAME = '[a-z]\\w*'

/** Shared parameters whose values are names of fields. */
export const NAMING_PARAMETERS: Readonly<Record<string, JsonSchema>> = {
  sort: sortParameter(`-?${A_NAME}`),
  fields: fieldsParameter(`(${A_NAME}|_list)`),
  sum: sumParameter(A_NAME),
}

/** What counts the records of a list, which answers groups. */
export const COUNT_BY: JsonSchema = naming(
  '_count_by',
  'Field by whose values the records are counted, instead of a page: `{groups: [{value, label, count, sums}], total, sums}`, the largest group first, at most 1,000; of a date `day:month`, `day:year` or `day:day`',
  { pattern: `^${A_NAME}(:(day|month|year))?$` },
)

function sortParameter(one: string): JsonSchema {
  return naming(
    'sort',
    'Name of the field to sort by; of up to three with commas, or with a `-` before one, each goes up, and down with a `-`: `customer,-posting_date`',
    { pattern: `^${one}(,${one}){0,2}$`, default: 'modified' },
  )
}

function fieldsParameter(one: string): JsonSchema {
  return naming(
    'fields',
    'Names of the fields to answer, comma-separated, tables too, and no others; `_list` stands for those that a list shows. Default: all scalars except long texts',
    { pattern: `^${one}(,${one})*$` },
  )
}

function sumParameter(one: string): JsonSchema {
  return naming(
    '_sum',
    'Fields that are added up, with commas: in each group of `_count_by`, and over all records that match',
    { pattern: `^${one}(,${one}){0,9}$` },
  )
}

function naming(name: string, description: string, rules: JsonSchema): JsonSchema {
  return { name, in: 'query', description, schema: { type: 'string', ...rules } }
}
