import { assertCan } from '../../engine/access/can.ts'
import { AppError } from '../../engine/base/errors.ts'
import type { DocTypeDefinition } from '../../engine/definition/definition.ts'
import type { Context } from '../../engine/documents/context.ts'
import type { Args } from './args.ts'
import { doctypeNotFound } from './call.ts'
import { DataError, fieldNotPermitted } from './data-error.ts'
import { doctypeMeta, doctypeRow, META_DOCTYPE, maySee, rowDoctype } from './doctype-meta.ts'
import { FrappeError } from './frappe-error.ts'
import { isObject, parsedParameter } from './json-text.ts'

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
  const tests = filtersOf(args.filters)
  const found = rows.filter((row) => tests.every((matches) => matches(row)))
  const start = countOf(args.limit_start) ?? 0
  const length = countOf(args.limit_page_length) ?? countOf(args.limit) ?? PAGE
  const page = found.slice(start, length === 0 ? undefined : start + length)
  const fields = fieldsOf(args.fields)
  if (fields === undefined) return page
  return page.map((row) => Object.fromEntries(fields.map((name) => [name, row[name] ?? null])))
}

/** How many there are; takes `filters`. */
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
  if (!definition.isChild) assertCan(context, definition, 'read')
  else if (!maySee(context, definition))
    throw new AppError('FORBIDDEN', `No permission for ${definition.doctype}`)
  return doctypeMeta(context, definition)
}

/** DocTypes with records of their own, and those of their rows. */
function doctypesOf({ services: { registry } }: Context): readonly DocTypeDefinition[] {
  const found = new Map<string, DocTypeDefinition>()
  for (const definition of registry.all) {
    found.set(definition.doctype, definition)
    for (const { child } of definition.fields)
      if (child) found.set(child.name, rowDoctype(registry, definition, child))
  }
  return [...found.values()]
}

function fieldsOf(sent: unknown): readonly string[] | undefined {
  if (sent === undefined || sent === null || sent === '') return ['name']
  const fields = sent === '*' ? ['*'] : parsedParameter(sent, 'fields')
  if (fields === '*') return undefined
  if (!Array.isArray(fields)) throw new DataError('expected fields to be a list')
  if (fields.includes('*')) return undefined
  return fields.map((field) => {
    const name = String(field)
      .replace(/^`tabDocType`\./, '')
      .replaceAll('`', '')
    if (Object.hasOwn(SAMPLE, name)) return name
    throw fieldNotPermitted(String(field))
  })
}

/** The names a row has. */
const SAMPLE: Row = {
  name: '',
  doctype: META_DOCTYPE,
  module: '',
  istable: 0,
  issingle: 0,
  is_submittable: 0,
  custom: 0,
  title_field: '',
  search_fields: '',
}

type Matches = (row: Row) => boolean

const OPERATORS: Readonly<Record<string, (value: unknown, wanted: unknown) => boolean>> = {
  '=': (value, wanted) => String(value) === String(wanted),
  '!=': (value, wanted) => String(value) !== String(wanted),
  in: (value, wanted) => listOf(wanted).includes(String(value)),
  'not in': (value, wanted) => !listOf(wanted).includes(String(value)),
  like: (value, wanted) => isLike(String(value), String(wanted)),
  'not like': (value, wanted) => !isLike(String(value), String(wanted)),
}

function filtersOf(sent: unknown): readonly Matches[] {
  if (sent === undefined || sent === null || sent === '') return []
  const filters = parsedParameter(sent, 'filters')
  const triples = isObject(filters)
    ? Object.entries(filters).map(([field, value]) =>
        Array.isArray(value) ? [field, ...value] : [field, '=', value],
      )
    : filters
  if (!Array.isArray(triples)) throw new DataError('expected filters to be a list')
  return triples.map(matcher)
}

function matcher(filter: unknown): Matches {
  const parts = Array.isArray(filter) ? filter : []
  const [field, operator, wanted] = parts.length >= 4 ? parts.slice(1) : parts
  const name = String(field)
  if (!Object.hasOwn(SAMPLE, name)) throw fieldNotPermitted(name)
  const compare = OPERATORS[String(operator).toLowerCase()]
  if (!compare) {
    const known = Object.keys(OPERATORS).join(', ')
    throw new FrappeError('ValidationError', `Operator must be one of ${known}`)
  }
  return (row) => compare(row[name], wanted)
}

function listOf(wanted: unknown): readonly string[] {
  return (Array.isArray(wanted) ? wanted : String(wanted).split(',')).map((one) =>
    String(one).trim(),
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

function countOf(sent: unknown): number | undefined {
  if (sent === undefined || sent === null || sent === '') return undefined
  const number = Number(sent)
  if (Number.isSafeInteger(number) && number >= 0) return number
  throw new FrappeError(
    'ValidationError',
    'expected limit_start and limit_page_length to be whole numbers',
  )
}
