import type { Detail } from '../../engine/base/errors.ts'
import type { GroupedQuery, ListQuery } from '../../engine/documents/lists/list-query.ts'
import type { Field } from '../../engine/fields/field.ts'
import { fieldType } from '../../engine/fields/index.ts'
import { parameterProblem, refusal } from '../../engine/fields/problem.ts'
import { DATE_PARTS, type DatePart } from '../../engine/storage/records/groups.ts'
import { nearest } from './query-parameters.ts'

/** Parameters of a list in groups. */
export const GROUP_PARAMETERS: readonly string[] = ['_count_by', '_sum']

/** Parameters of lists that mean nothing beside groups. */
const OF_PAGES: readonly string[] = [
  'limit',
  'offset',
  'cursor',
  'sort',
  'order',
  'fields',
  '_titles',
]

/** Most fields that are added up. */
const MAX_SUMS = 10

/** Whether the list is asked for in groups. */
export function isGrouped(given: ReadonlyMap<string, string>): boolean {
  return GROUP_PARAMETERS.some((name) => (given.get(name) ?? '') !== '')
}

/** Reads how a list is grouped, of these fields, and adds what is wrong to `details`. */
export function readGroups(
  fields: readonly Field[],
  given: ReadonlyMap<string, string>,
  query: Pick<ListQuery, 'filters' | 'q'>,
  details: Detail[],
): GroupedQuery {
  for (const name of OF_PAGES) {
    if ((given.get(name) ?? '') === '') continue
    const message = 'expected no such parameter beside _count_by and _sum, which answer no page'
    details.push({ field: name, message, code: 'unknown_field' })
  }
  const { filters, q } = query
  return {
    filters,
    ...(q === undefined ? {} : { q }),
    ...readBy(fields, given.get('_count_by') ?? '', details),
    sum: readSums(fields, given.get('_sum') ?? '', details),
  }
}

function readBy(
  fields: readonly Field[],
  text: string,
  details: Detail[],
): Pick<GroupedQuery, 'by' | 'part'> {
  if (text === '') return {}
  const [name = '', part, ...more] = text.split(':')
  const by = found('_count_by', fields.filter(isGroupable), name, details)
  if (!by) return {}
  if (part === undefined) return { by }
  const parts = Object.keys(DATE_PARTS)
  if (!isDated(by) || !parts.includes(part) || more.length > 0) {
    const expected = isDated(by)
      ? `${name}, or ${name}:${parts.join(` or ${name}:`)}`
      : `${name} without a part: it is no date`
    details.push(parameterProblem('_count_by', refusal(expected, text)))
    return {}
  }
  return { by, part: part as DatePart }
}

function readSums(fields: readonly Field[], text: string, details: Detail[]): readonly Field[] {
  if (text === '') return []
  const names = [...new Set(text.split(',').map((name) => name.trim()))]
  if (names.length > MAX_SUMS) {
    const message = `expected at most ${MAX_SUMS} fields, got ${names.length}`
    details.push({ field: '_sum', message, code: 'out_of_range' })
  }
  const numbers = fields.filter(isAmount)
  return names.slice(0, MAX_SUMS).flatMap((name) => found('_sum', numbers, name, details) ?? [])
}

function found(
  parameter: string,
  fields: readonly Field[],
  name: string,
  details: Detail[],
): Field | undefined {
  const field = fields.find((one) => one.name === name)
  if (field) return field
  const names = fields.map((one) => one.name)
  const expected = names.length === 0 ? 'there is none' : `expected one of ${names.join(', ')}`
  const message = `no field ${JSON.stringify(name.slice(0, 60))} for this${nearest(name, names)}; ${expected}`
  details.push({ field: parameter, message, code: 'unknown_field' })
  return undefined
}

function isGroupable({ type, child }: Field): boolean {
  const { storage, secret, inList } = fieldType(type)
  return !child && storage !== 'rows' && !secret && inList
}

function isDated({ type }: Field): boolean {
  return ['date', 'datetime'].includes(fieldType(type).kind)
}

/** Whether values of the field can be added up. */
function isAmount(field: Field): boolean {
  return (
    isGroupable(field) &&
    ['money', 'decimal', 'int', 'percent'].includes(fieldType(field.type).kind)
  )
}
