import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { standardFields } from '../../definition/model/standard-fields.ts'
import { addDays } from '../../expression/run/calendar.ts'
import { isScaled, type Literal, type Node } from '../../expression/tree/types.ts'
import type { Field } from '../../fields/field.ts'
import type { Operator } from '../../fields/field-type.ts'
import { publicField } from '../../fields/public-fields.ts'
import { filterOperators } from '../../schema/shapes/openapi-filters.ts'

/** Filter of a list, its values as texts: those of `__in` apart, an empty one for unset. */
export interface ListCondition {
  readonly field: string
  readonly operator: Exclude<Operator, 'like' | 'between'>
  readonly values: readonly string[]
}

/** Most values of one `__in`. */
const MOST_VALUES = 500

const OPERATORS = {
  '==': 'eq',
  '!=': 'ne',
  '<': 'lt',
  '<=': 'lte',
  '>': 'gt',
  '>=': 'gte',
} as const
const TURNED = { eq: 'eq', ne: 'ne', lt: 'gt', lte: 'gte', gt: 'lt', gte: 'lte' } as const
const NEGATED = { eq: 'ne', ne: 'eq', lt: 'gte', lte: 'gt', gt: 'lte', gte: 'lt' } as const

/**
 * The filters of a list that mean what a condition with everything known put in means, over the fields that `fieldOf` knows
 * as the list's own; undefined where no filters do.
 */
export function conditionsOf(
  node: Node,
  fieldOf: (node: Node) => string | undefined,
  isNegated = false,
): readonly ListCondition[] | undefined {
  if (node.node === 'literal') return (node.value === true) === isNegated ? undefined : []
  if (node.node === 'field' && node.kind === 'bool') {
    const field = fieldOf(node)
    return field === undefined ? undefined : [equal(field, isNegated ? 'false' : 'true')]
  }
  if (node.node === 'unary' && node.op === '!') return conditionsOf(node.value, fieldOf, !isNegated)
  if (node.node === 'has') {
    const field = fieldOf({ ...node, node: 'field', kind: 'str' })
    if (field === undefined) return undefined
    return [{ field, operator: isNegated ? 'eq' : 'ne', values: [''] }]
  }
  if (node.node === 'in') return isNegated ? undefined : membership(node.value, node.list, fieldOf)
  if (node.node !== 'binary') return undefined
  const { op, left, right } = node
  if (op === '&&' || op === '||') {
    const one = conditionsOf(left, fieldOf, isNegated)
    const other = conditionsOf(right, fieldOf, isNegated)
    if (!one || !other) return undefined
    return (op === '&&') === isNegated ? either(one, other) : [...one, ...other]
  }
  if (!Object.hasOwn(OPERATORS, op)) return undefined
  const operator = OPERATORS[op as keyof typeof OPERATORS]
  const meant = isNegated ? NEGATED[operator] : operator
  return compared(left, meant, right, fieldOf) ?? compared(right, TURNED[meant], left, fieldOf)
}

function equal(field: string, value: string): ListCondition {
  return { field, operator: 'eq', values: [value] }
}

/** A field, also where it was brought to the decimal places of what it is compared with. */
function bare(node: Node): Node {
  return node.node === 'rescale' && node.scale >= node.value.scale ? bare(node.value) : node
}

function compared(
  left: Node,
  operator: ListCondition['operator'],
  right: Node,
  fieldOf: (node: Node) => string | undefined,
): readonly ListCondition[] | undefined {
  if (right.node !== 'literal') return undefined
  const value = bare(left)
  if (value.node === 'call' && value.name === 'date' && right.kind === 'date')
    return onDay(fieldOf(value.args[0]!), operator, String(right.value))
  const field = fieldOf(value)
  return field === undefined ? undefined : [{ field, operator, values: [textOf(right)] }]
}

/** A moment by its day: `date(created) <= "2026-11-30"` is before the first of December. */
function onDay(
  field: string | undefined,
  operator: ListCondition['operator'],
  day: string,
): readonly ListCondition[] | undefined {
  if (field === undefined || day === '') return undefined
  const from = `${day}T00:00:00.000Z`
  const next = `${addDays(day, 1)}T00:00:00.000Z`
  const since = (value: string): ListCondition => ({ field, operator: 'gte', values: [value] })
  const before = (value: string): ListCondition => ({ field, operator: 'lt', values: [value] })
  if (operator === 'eq') return [since(from), before(next)]
  if (operator === 'gte') return [since(from)]
  if (operator === 'gt') return [since(next)]
  if (operator === 'lte') return [before(next)]
  return operator === 'lt' ? [before(from)] : undefined
}

function membership(
  value: Node,
  list: readonly Node[],
  fieldOf: (node: Node) => string | undefined,
): readonly ListCondition[] | undefined {
  const field = fieldOf(bare(value))
  if (field === undefined) return undefined
  const values = list.flatMap((one) => (one.node === 'literal' ? [textOf(one)] : []))
  // An unset value is none of a list's.
  return values.length < list.length || values.includes('')
    ? undefined
    : [{ field, operator: 'in', values }]
}

/** One of two values of the same field. */
function either(
  one: readonly ListCondition[],
  other: readonly ListCondition[],
): readonly ListCondition[] | undefined {
  const [a, b] = [one[0], other[0]]
  if (one.length !== 1 || other.length !== 1 || !a || !b || a.field !== b.field) return undefined
  const isOneOf = (condition: ListCondition): boolean =>
    condition.operator === 'in' || (condition.operator === 'eq' && condition.values[0] !== '')
  if (!isOneOf(a) || !isOneOf(b)) return undefined
  return [{ field: a.field, operator: 'in', values: [...new Set([...a.values, ...b.values])] }]
}

/** Value as a parameter has it: decimals with their point. */
function textOf({ kind, scale, value }: Literal): string {
  if (!isScaled(kind)) return String(value)
  const digits = String(value).replace('-', '')
  const padded = digits.padStart(scale + 1, '0')
  const whole = padded.slice(0, padded.length - scale)
  const places = padded.slice(padded.length - scale).replace(/0+$/, '')
  return `${String(value).startsWith('-') ? '-' : ''}${whole}${places === '' ? '' : `.${places}`}`
}

/** A field of the records of a list that callers may filter by. */
export function listField(definition: DocTypeDefinition, name: string): Field | undefined {
  const standard = standardFields(definition).find((field) => field.name === name)
  const field = publicField(definition, name) ?? (standard?.filterable ? standard : undefined)
  return field && filterOperators(field).length > 0 ? field : undefined
}

/** Conditions as the parameters of a list, as in an address; undefined where it takes no such ones. */
export function parametersOf(
  definition: DocTypeDefinition,
  conditions: readonly ListCondition[],
): string | undefined {
  const parameters: string[] = []
  for (const [name, all] of Map.groupBy(conditions, ({ field }) => field)) {
    const field = listField(definition, name)
    const merged = field && merge(field, all)
    if (!field || !merged || !isSame(definition, field, merged)) return undefined
    for (const { operator, values } of merged) {
      if (!filterOperators(field).includes(operator) || values.length > MOST_VALUES)
        return undefined
      const key = operator === 'eq' ? name : `${name}__${operator}`
      const texts = operator === 'in' ? values.map(escaped) : values
      parameters.push(`${key}=${encodeURIComponent(texts.join(','))}`)
    }
  }
  return parameters.join('&')
}

function escaped(text: string): string {
  return text.replace(/[\\,]/g, '\\$&')
}

/** Conditions on one field with no operator twice; undefined where they cannot be said so. */
function merge(field: Field, all: readonly ListCondition[]): readonly ListCondition[] | undefined {
  const merged: ListCondition[] = []
  for (const [operator, same] of Map.groupBy(all, (one) => one.operator)) {
    const values = [...new Set(same.flatMap((one) => one.values))]
    if (values.length === 1 || (operator === 'in' && same.length === 1)) {
      merged.push({ field: field.name, operator, values })
    } else if (operator === 'ne' && field.options && !values.includes('')) {
      const left = field.options.filter((one) => one !== '' && !values.includes(one))
      merged.push({ field: field.name, operator: 'in', values: left })
    } else if (operator === 'gte' || operator === 'gt' || operator === 'lte' || operator === 'lt') {
      if (!DAYS.has(field.type)) return undefined
      const sorted = values.toSorted()
      const isLower = operator === 'gte' || operator === 'gt'
      merged.push({ field: field.name, operator, values: [sorted.at(isLower ? -1 : 0)!] })
    } else return undefined
  }
  return merged
}

const DAYS: ReadonlySet<string> = new Set(['date', 'datetime'])

/**
 * Whether a list finds the same records where the field is unset: in an expression that is the least text or a plain
 * zero, a list compares nothing with it but by `ne`.
 */
function isSame(
  { behaviour }: DocTypeDefinition,
  { name, required, type }: Field,
  conditions: readonly ListCondition[],
): boolean {
  if (required || name === 'name' || name === 'id' || name === 'docstatus') return true
  if (behaviour.status?.field === name) return true
  const least = NUMBERS.has(type) ? 0 : ''
  return (
    conditions.some((one) => leavesOut(one, least)) ||
    !conditions.some((one) => takesIn(one, least))
  )
}

/** Whether both an expression and a list leave unset values out. */
function leavesOut({ operator, values: [value = ''] }: ListCondition, least: number | ''): boolean {
  if (operator === 'in') return true
  if (operator === 'ne') return value === ''
  if (operator === 'eq') return value !== ''
  if (least === 0) return false
  return operator === 'gte' || operator === 'gt'
}

/** Whether an expression finds unset values where a list does not. */
function takesIn({ operator, values: [value = ''] }: ListCondition, least: number | ''): boolean {
  if (least === '') return operator === 'lt' || operator === 'lte'
  const number = Number(value)
  if (operator === 'lt') return number > 0
  if (operator === 'lte') return number >= 0
  if (operator === 'gt') return number < 0
  return operator === 'gte' && number <= 0
}

const NUMBERS: ReadonlySet<string> = new Set([
  'int',
  'float',
  'currency',
  'percent',
  'duration',
  'rating',
])
