import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { standardFields } from '../../definition/model/standard-fields.ts'
import { titleCase } from '../../definition/normalise/slug.ts'
import type { Field } from '../../fields/field.ts'
import type { JsonSchema, Operator } from '../../fields/field-type.ts'
import { fieldType } from '../../fields/index.ts'
import { publicFields } from '../../fields/public-fields.ts'

/** Meaning of each suffix of spec §4; `eq` is the bare field name. */
export const OPERATOR_MEANINGS: Readonly<Record<Operator, string>> = {
  eq: 'equals',
  ne: 'not equal',
  gt: 'greater than',
  gte: 'greater or equal',
  lt: 'less than',
  lte: 'less or equal',
  between: 'from the first to the second of two comma-separated values, both included',
  like: 'contains, whatever the case',
  in: 'any of a comma-separated list; \\, stands for a comma',
}

const ORDERING: ReadonlySet<Operator> = new Set(['gt', 'gte', 'lt', 'lte'])

/**
 * The operators a client may use on a field: those of its type, and none on what has no order, such as long texts and
 * secrets. What is not `filterable` no index has: such a filter goes through the records.
 */
export function filterOperators({ type }: Field): readonly Operator[] {
  const { storage, secret, inList, operators } = fieldType(type)
  return storage === 'rows' || secret || !inList ? [] : operators
}

/** The operators that the description of lists names: on filterable fields alone, or it would be twice as large. */
export function operatorsOf(field: Field): readonly Operator[] {
  return field.filterable ? fieldType(field.type).operators : []
}

/** One parameter for each filterable field: `?status=Open`. */
export function equalityParameters(definition: DocTypeDefinition): JsonSchema[] {
  return publicFields(definition)
    .filter((field) => operatorsOf(field).includes('eq'))
    .map((field) => ({
      name: field.name,
      in: 'query',
      ...(field.label === titleCase(field.name) ? {} : { description: field.label }),
      schema: wireForm(field, true),
    }))
}

/**
 * All suffixed filters of some fields as one object, whose properties are parameters of their own
 * (`style: form` and `explode: true`, which are what is usual): seven operators a field would otherwise be seven parameters a field.
 */
export function suffixedFilters(fields: readonly Field[]): JsonSchema {
  const properties: Record<string, JsonSchema> = {}
  for (const field of fields) {
    for (const operator of operatorsOf(field)) {
      // `between` is said of all together: once a field it would be a tenth of the description.
      if (operator === 'eq' || operator === 'between') continue
      // Whether a text comes before another is seldom asked: said of each, it would be as much again.
      if (fieldType(field.type).searchable && ORDERING.has(operator)) continue
      properties[`${field.name}__${operator}`] = suffixedForm(field, operator)
    }
  }
  return { type: 'object', properties, additionalProperties: false }
}

/** Whether any field of a resource may be filtered by more than equality. */
export function hasSuffixedFilters(definition: DocTypeDefinition): boolean {
  return publicFields(definition).some((field) =>
    operatorsOf(field).some((operator) => operator !== 'eq'),
  )
}

/** Filters on the fields every record has, suffixed and not. */
export function standardFilters(submittable: boolean): JsonSchema {
  const fields = standardFields({ submittable, doctype: '' }).filter((field) => field.filterable)
  const suffixed = suffixedFilters(fields)
  const plain = fields.map((field) => [field.name, wireForm(field, true)])
  return {
    ...suffixed,
    properties: { ...Object.fromEntries(plain), ...(suffixed.properties as JsonSchema) },
  }
}

/** The form of the value of a filter with a suffix. */
function suffixedForm(field: Field, operator: Operator): JsonSchema {
  if (operator === 'like') return { type: 'string' }
  const form = wireForm(field, true)
  return operator === 'in' ? listOf(form) : form
}

/** Values with commas between them: as an array each generator would write them in its own way. */
function listOf({ type, format, enum: options }: JsonSchema): JsonSchema {
  if (options === undefined) {
    const characters = CHARACTERS[String(format ?? type)] ?? CHARACTERS[String(type)]
    return { type: 'string', pattern: characters ?? '.' }
  }
  const one = (options as readonly unknown[]).map((option) => quoted(String(option))).join('|')
  return { type: 'string', pattern: `^((${one})(,(?!$)|$))+$` }
}

/** Pattern of values with commas, by their format, else by their type. Texts may hold anything. */
const CHARACTERS: Readonly<Record<string, string>> = {
  date: '^[\\d,-]{10,}$',
  'date-time': '^[\\d-]{10}',
  integer: '^[-+\\d,]+$',
  number: '^[-+.\\dEe,]+$',
  boolean: '^((true|false|1|0)(,(?!$)|$))+$',
}

/** An option as a part of a pattern; its commas are written as in the address. */
function quoted(option: string): string {
  return option.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll(',', '\\\\,')
}

/** The form of a field's values as far as a filter's value needs it. */
function wireForm(field: Field, withOptions: boolean): JsonSchema {
  const { type, format, enum: options } = fieldType(field.type).schema(field)
  return {
    ...(type === undefined ? {} : { type }),
    ...(format !== undefined && (withOptions || type !== 'string') ? { format } : {}),
    ...(options === undefined || !withOptions ? {} : { enum: options }),
  }
}
