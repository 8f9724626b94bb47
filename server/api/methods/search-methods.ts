import { isObject } from '../../../engine/base/json-text.ts'
import type { DocTypeDefinition } from '../../../engine/definition/model/definition.ts'
import { isGiven } from '../args.ts'
import { recordDoctype } from '../call.ts'
import { parsedParameter } from '../json-text.ts'
import { listRecords } from '../lists/list.ts'
import type { MethodCall, Methods } from './method.ts'

/** Rows of a search when nothing else is asked for. */
const PAGE = '10'

/** Methods that link fields of Frappe's forms call while somebody types. */
export const SEARCH_METHODS: Methods = {
  'frappe.desk.search.search_link': { verbs: ['GET', 'POST'], access: 'user', run: searchLink },
}

/** Records whose name, title or search fields contain the text: `[{value, description, label?}]`. */
async function searchLink({ context, response, args }: MethodCall): Promise<unknown> {
  const definition = recordDoctype(context, response, args.doctype)
  const fields = searchedFields(definition)
  const text = typeof args.txt === 'string' || typeof args.txt === 'number' ? String(args.txt) : ''
  const rows = await listRecords(context, definition, {
    fields,
    filters: isGiven(args.filters) ? parsedParameter(args.filters, 'filters') : undefined,
    ...(text === '' ? {} : { or_filters: fields.map((field) => [field, 'like', `%${text}%`]) }),
    limit_page_length: isGiven(args.page_length) ? args.page_length : PAGE,
    limit_start: args.start,
  })
  return rows.filter(isObject).map((row) => found(definition, fields, row))
}

function found(
  { titleField }: DocTypeDefinition,
  fields: readonly string[],
  row: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const title = row[titleField]
  const isTitled = titleField !== 'name' && typeof title === 'string' && title !== row.name
  const described = fields.filter((name) => name !== 'name' && !(isTitled && name === titleField))
  const description = described
    .map((name) => row[name])
    .filter((value) => value !== null && value !== undefined && value !== '' && value !== row.name)
    .join(', ')
  return { value: row.name, description, ...(isTitled ? { label: title } : {}) }
}

/** The name, the title, and what `q` of surface B looks into. */
function searchedFields({ titleField, searchFields }: DocTypeDefinition): readonly string[] {
  return [...new Set(['name', titleField, ...searchFields])]
}
