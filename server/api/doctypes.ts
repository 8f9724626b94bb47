import { AppError } from '../../engine/base/errors.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { assertMay } from '../../engine/documents/rights/door.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import { publicFields } from '../../engine/fields/public-fields.ts'
import type { Args } from './args.ts'
import { doctypeNotFound } from './call.ts'
import { DataError, fieldNotPermitted } from './data-error.ts'
import { doctypeMeta, doctypeRow, maySee, rowDoctype } from './doctype-meta.ts'
import { FrappeError } from './frappe-error.ts'
import { type Written, writtenFilters } from './lists/list-filters.ts'
import { commaParts, countParameter, structured, textOf } from './lists/list-parameter.ts'

type Row = Readonly<Record<string, unknown>>

/** Rows when nothing else is asked for, as in every list. */
const PAGE = 20

/**
 * The DocTypes whose records the caller may read, and their rows' DocTypes, by name (erp-semantics.md §0.8):
 * n8n fills its menus from this list. Takes `fields`, `filters` that compare, `limit_start`,
 * `limit_page_length` (0 = all) and `limit`.
 */
export function listDoctypes(context: Context, args: Args): readonly Row[] {
  const rows = doctypesOf(context)
    .filter((definition) => maySee(context, definition))
    .map(doctypeRow)
    .sort((a, b) => (String(a.name) < String(b.name) ? -1 : 1))
  const tests = writtenFilters(args, 'filters').map(matcher)
  const found = rows.filter((row) => tests.every((matches) => matches(row)))
  const start = countParameter(args, 'limit_start') ?? 0
  const length = countParameter(args, 'limit_page_length') ?? countParameter(args, 'limit') ?? PAGE
  const page = found.slice(start, length === 0 ? undefined : start + length)
  const fields = fieldsOf(args)
  if (fields === undefined) return page
  return page.map((row) => Object.fromEntries(fields.map((name) => [name, row[name] ?? null])))
}

/** Number of DocTypes that `listDoctypes` would show without a page; takes `filters`. */
export function countDoctypes(context: Context, { filters }: Args): number {
  const all: Args = { filters, limit_page_length: 0, fields: ['name'] }
  return listDoctypes(context, all).length
}

/**
 * The metadata of one DocType. Throws 404 for one that does not exist, 403 for one whose records the caller
 * may not read, naming the tier where that is why.
 */
export function describeDoctype(context: Context, name: string): Row {
  const definition = doctypesOf(context).find(({ doctype }) => doctype === name)
  if (!definition) throw doctypeNotFound(name)
  if (!definition.isChild) assertMay(context, definition, 'read')
  else if (!maySee(context, definition))
    throw new AppError('FORBIDDEN', `No permission for ${definition.doctype}`)
  return doctypeMeta(context, definition)
}

/** DocTypes with records of their own, and those of their rows. */
function doctypesOf(context: Context): readonly DocTypeDefinition[] {
  const registry = context.services.knownRegistry(context)
  const found = new Map<string, DocTypeDefinition>()
  for (const definition of registry.all) {
    found.set(definition.doctype, definition)
    for (const { child } of publicFields(definition))
      if (child) {
        const known = registry.child(child.name) ?? child
        found.set(child.name, rowDoctype(registry, definition, known))
      }
  }
  return [...found.values()]
}

function fieldsOf(args: Args): readonly string[] | undefined {
  const given = structured(args, 'fields') ?? 'name'
  const fields = typeof given === 'string' ? commaParts(given) : given
  if (!Array.isArray(fields)) throw new DataError('expected fields to be a list')
  if (fields.includes('*')) return undefined
  return fields.map((field) => {
    const sent = textOf(field)
    const name = sent.replace(/^`tabDocType`\./, '').replaceAll('`', '')
    if (Object.hasOwn(SAMPLE, name)) return name
    throw fieldNotPermitted(sent)
  })
}

/** The names a row has. */
const SAMPLE: Row = {
  name: '',
  doctype: '',
  module: '',
  istable: 0,
  issingle: 0,
  is_submittable: 0,
  custom: 0,
  title_field: '',
  search_fields: '',
}

type Matches = (row: Row) => boolean

type Compare = (value: unknown, wanted: unknown) => boolean

const OPERATORS: ReadonlyMap<string, Compare> = new Map<string, Compare>([
  ['=', (value, wanted) => textOf(value) === textOf(wanted)],
  ['!=', (value, wanted) => textOf(value) !== textOf(wanted)],
  ['in', (value, wanted) => listOf(wanted).includes(textOf(value))],
  ['not in', (value, wanted) => !listOf(wanted).includes(textOf(value))],
  ['like', (value, wanted) => isLike(textOf(value), textOf(wanted))],
  ['not like', (value, wanted) => !isLike(textOf(value), textOf(wanted))],
])

function matcher({ field, operator, value }: Written): Matches {
  if (!Object.hasOwn(SAMPLE, field)) throw fieldNotPermitted(field)
  const compare = OPERATORS.get(operator.toLowerCase())
  if (!compare) {
    const known = [...OPERATORS.keys()].join(', ')
    throw new FrappeError('ValidationError', `Operator must be one of ${known}`)
  }
  return (row) => compare(row[field], value)
}

function listOf(wanted: unknown): readonly string[] {
  return (Array.isArray(wanted) ? wanted : textOf(wanted).split(',')).map((one) =>
    textOf(one).trim(),
  )
}

/** `%` is any text; compared piece by piece, since a client's text must not become a pattern (D2). */
function isLike(value: string, wanted: string): boolean {
  const pieces = wanted.toLowerCase().split('%')
  let rest = value.toLowerCase()
  for (const [index, piece] of pieces.entries()) {
    const at = rest.indexOf(piece)
    if (at < 0 || (index === 0 && at !== 0)) return false
    if (index === pieces.length - 1 && index > 0) return piece === '' || rest.endsWith(piece)
    rest = rest.slice(at + piece.length)
  }
  return rest === ''
}
