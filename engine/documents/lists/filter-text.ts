import type { Detail } from '../../base/errors.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Registry } from '../../definition/model/registry.ts'
import { standardFields } from '../../definition/model/standard-fields.ts'
import type { Field } from '../../fields/field.ts'
import { FieldProblem, type Operator, type Value } from '../../fields/field-type.ts'
import { fieldType } from '../../fields/index.ts'
import { parameterProblem } from '../../fields/problem.ts'
import { isPublic, publicFields } from '../../fields/public-fields.ts'
import { filterOperators } from '../../schema/shapes/openapi-filters.ts'
import type { Filter } from './list-query.ts'
import { relativeDay } from './relative-day.ts'

/** Most values of one `__in` (reliability.md M5), characters of one `__like`. */
const MAX_IN = 500
const MAX_LIKE = 140

/** Reading of the filters of a list, with the problems that were found so far. */
export interface FilterReading {
  readonly registry: Registry
  /** What `today` in a filter means, YYYY-MM-DD. */
  readonly today: string
  readonly definition: DocTypeDefinition
  readonly details: Detail[]
  /** What is told of a parameter that names no field. */
  unknown(name: string): string
}

/** Reads one filter of a list as an address has it (`grand_total__gte`, `100`); adds what is wrong with it to the details. */
export function readFilter(
  reading: FilterReading,
  parameter: string,
  text: string,
): Filter | undefined {
  const { definition, details } = reading
  const whole = knownField(reading, parameter)
  const split = whole ? -1 : parameter.lastIndexOf('__')
  const name = split > 0 ? parameter.slice(0, split) : parameter
  const field = whole ?? (split > 0 ? knownField(reading, name) : undefined)
  if (!field) {
    details.push({ field: parameter, message: reading.unknown(name), code: 'unknown_field' })
    return undefined
  }
  const type = fieldType(field.type)
  if (!isFilterable(field)) {
    const known = knownFields(definition).filter(isFilterable)
    details.push({
      field: parameter,
      message: `${name} is not filterable; filters are ${known.map((one) => one.name).join(', ')}`,
      code: 'unknown_field',
    })
    return undefined
  }
  const suffix = whole ? 'eq' : parameter.slice(split + 2)
  const operator = type.operators.find((known) => known === suffix && (whole || known !== 'eq'))
  if (!operator) {
    const known = type.operators.map((one) => (one === 'eq' ? name : `${name}__${one}`))
    details.push({
      field: parameter,
      message: `no such operator; expected one of ${known.join(', ')}`,
      code: 'unknown_field',
    })
    return undefined
  }
  return withValues(reading, parameter, { field, operator }, text)
}

function withValues(
  { details, today }: FilterReading,
  parameter: string,
  { field, operator }: { readonly field: Field; readonly operator: Operator },
  text: string,
): Filter | undefined {
  try {
    return { field: field.name, operator, values: readValues(field, operator, text, today) }
  } catch (problem) {
    if (!(problem instanceof FieldProblem)) throw problem
    details.push(parameterProblem(parameter, problem))
    return undefined
  }
}

/** An empty value means "unset": `=` finds records without one, `__ne=` those with one. */
function readValues(
  field: Field,
  operator: Operator,
  text: string,
  today: string,
): readonly Value[] {
  if (text === '' && (operator === 'eq' || operator === 'ne')) return [null]
  if (text === '') throw new FieldProblem('expected a value, got nothing')
  const type = fieldType(field.type)
  const read = (part: string): Value => {
    const day =
      type.kind === 'date' || type.kind === 'datetime' ? relativeDay(part, today) : undefined
    if (day === undefined) return type.readText(part, field)
    return type.readText(type.kind === 'date' ? day : `${day}T00:00`, field)
  }
  // A part of a value need not have the form of a whole one.
  if (operator === 'like' && text.length > MAX_LIKE)
    throw new FieldProblem(
      `expected at most ${MAX_LIKE} characters, got ${text.length}`,
      'out_of_range',
    )
  if (operator === 'like') return [text]
  if (operator !== 'in' && operator !== 'between') return [read(text)]
  const parts = splitList(text)
  if (operator === 'between' && parts.length !== 2)
    throw new FieldProblem(`expected two values, from,to, got ${parts.length}`)
  if (parts.length > MAX_IN)
    throw new FieldProblem(`expected at most ${MAX_IN} values, got ${parts.length}`, 'out_of_range')
  return parts.map((part) => {
    if (part === '') throw new FieldProblem('expected values between the commas, got an empty one')
    return read(part)
  })
}

/** Splits at commas; a backslash takes the character after it as it is. */
function splitList(text: string): string[] {
  if (!text.includes('\\')) return text.split(',')
  const parts: string[] = []
  let part = ''
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] as string
    if (character === '\\' && (text[index + 1] === ',' || text[index + 1] === '\\')) {
      index += 1
      part += text[index]
    } else if (character === ',') {
      parts.push(part)
      part = ''
    } else part += character
  }
  return [...parts, part]
}

/** Whether lists can be filtered by the field. */
export function isFilterable(field: Field): boolean {
  return filterOperators(field).length > 0
}

/** A field that callers know, the standard ones too. */
export function knownField(
  { registry, definition }: Pick<FilterReading, 'registry' | 'definition'>,
  name: string,
): Field | undefined {
  const field = registry.fieldOf(definition, name)
  return field && isPublic(field) ? field : undefined
}

/** The fields that callers know, the standard ones first. */
export function knownFields(definition: DocTypeDefinition): readonly Field[] {
  return [...standardFields(definition), ...publicFields(definition)]
}
