import type { Detail } from '../../base/errors.ts'
import { nearest } from '../../base/suggest.ts'
import type { Field } from '../../fields/field.ts'
import { parameterProblem, refusal } from '../../fields/problem.ts'
import { isAmount, isDated, isSortable } from '../../schema/shapes/list-parameters.ts'
import { DATE_PARTS, type DatePart } from '../../storage/records/groups.ts'
import type { GroupedQuery } from './list-query.ts'

/** Most fields that are added up. */
const MAX_SUMS = 10

/** Reads `_count_by`: one of the fields, of a date with its part (`day:month`); adds what is wrong to the details. */
export function readBy(
  fields: readonly Field[],
  text: string | undefined,
  details: Detail[],
): Pick<GroupedQuery, 'by' | 'part'> {
  if (text === undefined) return {}
  const [name = '', part, ...more] = text.split(':')
  const by = found('_count_by', fields.filter(isSortable), name, details)
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

/** Reads `_sum`: some of the fields, with commas; adds what is wrong to the details. */
export function readSums(
  fields: readonly Field[],
  text: string | undefined,
  details: Detail[],
): readonly Field[] {
  if (text === undefined) return []
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
