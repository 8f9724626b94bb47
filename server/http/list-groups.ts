import type { Detail } from '../../engine/base/errors.ts'
import { readBy, readSums } from '../../engine/documents/lists/group-text.ts'
import type { GroupedQuery, ListQuery } from '../../engine/documents/lists/list-query.ts'
import type { Field } from '../../engine/fields/field.ts'

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

/** Whether the list is asked for in groups. */
export function isGrouped(given: ReadonlyMap<string, string>): boolean {
  return GROUP_PARAMETERS.some((name) => given.has(name))
}

/** Reads how a list is grouped, of these fields, and adds what is wrong to `details`. */
export function readGroups(
  fields: readonly Field[],
  given: ReadonlyMap<string, string>,
  query: Pick<ListQuery, 'filters' | 'q'>,
  details: Detail[],
): GroupedQuery {
  for (const name of OF_PAGES) {
    if (!given.has(name)) continue
    const message = 'expected no such parameter beside _count_by and _sum, which answer no page'
    details.push({ field: name, message, code: 'unknown_field' })
  }
  const { filters, q } = query
  return {
    filters,
    ...(q === undefined ? {} : { q }),
    ...readBy(fields, given.get('_count_by'), details),
    sum: readSums(fields, given.get('_sum'), details),
  }
}
