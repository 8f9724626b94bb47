import type { QueryScope } from '../../../engine/documents/lists/query-scope.ts'
import type { Selected, Sorted } from '../../../engine/storage/query/query.ts'
import type { QueryColumn } from '../../../engine/storage/query/query-source.ts'
import { DataError, shortened } from '../data-error.ts'
import { namedColumn } from './list-columns.ts'
import { type Asked, readFields } from './list-fields.ts'
import { commaParts } from './list-parameter.ts'

const MAX_COLUMNS = 20

/** Characters that a direction and the spaces before it may take. */
const MAX_ENDING = 20

/** Text of `order_by` by which Frappe's clients ask for a DocType's own order. */
const OWN_ORDER = 'KEEP_DEFAULT_ORDERING'

/**
 * `order_by`: fields, aggregates or their names in the answer, each with `asc` or `desc`; newest first where
 * nothing is asked, if there is an order to rows at all. Throws DataError for what there is none of.
 */
export function readOrder(
  scope: QueryScope,
  text: string | undefined,
  asked: readonly Asked[],
  isGrouped: boolean,
): Sorted[] {
  if (text === undefined || text.trim() === OWN_ORDER)
    return isGrouped ? [] : [{ by: columnNamed(scope, 'creation'), order: 'desc' }]
  return limited('order_by', commaParts(text)).map((part) => {
    const [ending, direction = 'asc'] = /\s+(asc|desc)$/i.exec(part.slice(-MAX_ENDING)) ?? ['']
    const by = sortedBy(scope, part.slice(0, part.length - ending.length), asked)
    return { by, order: direction.toLowerCase() === 'desc' ? 'desc' : 'asc' }
  })
}

/** `group_by`: fields with commas between. Throws DataError for what there is none of. */
export function readGroups(scope: QueryScope, text: string | undefined): QueryColumn[] {
  return limited('group_by', commaParts(text ?? '')).map((part) => namedColumn(scope, part).column)
}

function limited(parameter: string, parts: readonly string[]): readonly string[] {
  if (parts.length <= MAX_COLUMNS) return parts
  throw new DataError(`${parameter}: expected at most ${MAX_COLUMNS} fields, got ${parts.length}`)
}

function sortedBy(scope: QueryScope, text: string, asked: readonly Asked[]): Selected {
  const key = text.replaceAll('`', '')
  for (const field of asked) if (field.key === key && 'selected' in field) return field.selected
  if (!text.includes('(')) return columnNamed(scope, text)
  const [only] = readFields(scope, { fields: [text] })
  if (only && 'selected' in only) return only.selected
  throw new DataError(`order_by: expected a field, got ${shortened(text)}`)
}

function columnNamed(scope: QueryScope, text: string): Selected {
  return { is: 'column', column: namedColumn(scope, text).column }
}
