import { isoDateTime } from '../../engine/base/clock.ts'
import { type Detail, validationError } from '../../engine/base/errors.ts'
import { nearest } from '../../engine/base/suggest.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import {
  type FilterReading,
  isFilterable,
  knownField,
  knownFields,
  readFilter,
} from '../../engine/documents/lists/filter-text.ts'
import type { Filter, GroupedQuery, ListQuery } from '../../engine/documents/lists/list-query.ts'
import type { Services } from '../../engine/documents/work/context.ts'
import type { Field } from '../../engine/fields/field.ts'
import { isSortable } from '../../engine/schema/shapes/list-parameters.ts'
import { searchTerms } from '../../engine/storage/database/search-text.ts'
import { GROUP_PARAMETERS, isGrouped, readGroups } from './list-groups.ts'
import { PAGING_PARAMETERS, readPaging } from './paging.ts'
import type { Parameters } from './query-string.ts'

/** Most filters of one list (reliability.md M5). */
const MAX_FILTERS = 50

/** Most characters of `q`, and words: each is looked for by itself. */
const MAX_Q = 60
const MAX_TERMS = 8

/** Stands in `fields` for what a list shows where nobody has chosen its columns. */
const AS_LIST = '_list'

/** Parameters of every list of records, beside its filters. */
export const LIST_PARAMETERS: readonly string[] = [
  ...PAGING_PARAMETERS,
  'sort',
  'order',
  'q',
  'fields',
  '_titles',
  ...GROUP_PARAMETERS,
]

type Reading = FilterReading

/** What the parameters of a list are read by. */
type ListServices = Pick<Services, 'registry' | 'clock'>

/**
 * Reads the parameters of a list (spec §4, contract §3 Lists and Filters). Nothing is ignored: an unknown
 * parameter, field, operator or value throws 422 with all problems and what is possible.
 */
export function readListQuery(
  services: ListServices,
  definition: DocTypeDefinition,
  parameters: Parameters,
): ListQuery {
  return readList(services, definition, parameters, ({ given, filters, q, reading }) => {
    const { details } = reading
    for (const name of GROUP_PARAMETERS)
      if (given.has(name))
        details.push({ field: name, message: 'no groups are answered here', code: 'unknown_field' })
    const fields = readFields(reading, given.get('fields'))
    return {
      ...readPaging(given, details),
      filters,
      ...readSort(reading, given),
      titles: readTitles(given.get('_titles'), details),
      ...(q === undefined ? {} : { q }),
      ...(fields === undefined ? {} : { fields }),
    }
  })
}

/** Reads the parameters of a list in groups; which they ask for. Throws as `readListQuery` does. */
export function readGroupedQuery(
  services: ListServices,
  definition: DocTypeDefinition,
  parameters: Parameters,
): GroupedQuery {
  return readList(services, definition, parameters, ({ given, filters, q, reading }) =>
    readGroups(
      knownFields(definition),
      given,
      q === undefined ? { filters } : { filters, q },
      reading.details,
    ),
  )
}

/** Whether the parameters ask for groups instead of a page. */
export function asksForGroups(parameters: Parameters): boolean {
  return isGrouped(new Map(parameters))
}

interface Given {
  readonly reading: Reading
  readonly given: ReadonlyMap<string, string>
  readonly filters: readonly Filter[]
  readonly q: string | undefined
}

/** Reads what is common to all lists, and the rest by `toQuery`. Throws 422 with all problems. */
function readList<T>(
  { registry, clock }: ListServices,
  definition: DocTypeDefinition,
  parameters: Parameters,
  toQuery: (given: Given) => T,
): T {
  const reading: Reading = {
    registry,
    today: isoDateTime(clock).slice(0, 10),
    definition,
    details: [],
    unknown: (name) => unknownParameter(definition, name),
  }
  const { details } = reading
  const given = new Map<string, string>()
  const filters: Filter[] = []
  const seen = new Set<string>()
  for (const [name, value] of parameters) {
    if (seen.has(name)) {
      details.push({
        field: name,
        message: 'came more than once; expected one value (several: use __in)',
        code: 'wrong_type',
      })
    } else if (LIST_PARAMETERS.includes(name)) given.set(name, value)
    else {
      const filter = readFilter(reading, name, value)
      if (filter) filters.push(filter)
    }
    seen.add(name)
  }
  if (filters.length > MAX_FILTERS) {
    details.push({
      field: 'filters',
      message: `expected at most ${MAX_FILTERS} filters, got ${filters.length}`,
      code: 'out_of_range',
    })
  }
  const q = readSearch(given.get('q'), details)
  const query = toQuery({ reading, given, filters, q })
  if (details.length > 0) throw validationError(details)
  return query
}

type Sort = Pick<ListQuery, 'sort' | 'order' | 'then'>

/** Most fields that a list is sorted by. */
const MAX_SORT = 3

/**
 * Reads `sort` and `order`. One plain field is sorted as `order` says, else from the largest on (spec §4); of several, and where
 * one has a `-`, each plain one goes up and each with a `-` down (contract §7.9).
 */
function readSort(reading: Reading, given: ReadonlyMap<string, string>): Sort {
  const { details } = reading
  const [text, direction] = [given.get('sort'), given.get('order')]
  const order = readOrder(direction, details)
  if (text === undefined) return { sort: 'modified', order }
  const names = text.split(',').map((name) => name.trim())
  if (names.length === 1 && !text.startsWith('-')) return { sort: sortField(reading, text), order }
  if (direction !== undefined) {
    const message = 'expected no order beside several fields, or beside a -: each says its own'
    details.push({ field: 'order', message, code: 'wrong_type' })
  }
  if (names.length > MAX_SORT) {
    const message = `expected at most ${MAX_SORT} fields to sort by, got ${names.length}`
    details.push({ field: 'sort', message, code: 'out_of_range' })
  }
  const [first, ...then] = names.slice(0, MAX_SORT).map((name) => {
    const isDown = name.startsWith('-')
    return {
      field: sortField(reading, isDown ? name.slice(1) : name),
      order: isDown ? ('desc' as const) : ('asc' as const),
    }
  })
  if (new Set(names.map((name) => name.replace(/^-/, ''))).size < names.length)
    details.push({ field: 'sort', message: 'a field came twice', code: 'wrong_type' })
  return { sort: first!.field, order: first!.order, ...(then.length > 0 ? { then } : {}) }
}

function sortField(reading: Reading, name: string): string {
  const { definition, details } = reading
  const field = knownField(reading, name)
  if (field && isSortable(field)) return name
  const known = knownFields(definition).filter(isSortable)
  const message = `${problemOf('field', name, known)} to sort by`
  details.push({ field: 'sort', message, code: 'unknown_field' })
  return 'modified'
}

function readOrder(text: string | undefined, details: Detail[]): 'asc' | 'desc' {
  if (text === 'asc' || text === 'desc') return text
  if (text !== undefined) {
    const message = `expected asc or desc, got ${quoted(text)}`
    details.push({ field: 'order', message, code: 'wrong_type' })
  }
  return 'desc'
}

function readTitles(text: string | undefined, details: Detail[]): boolean {
  if (text !== undefined && !['0', '1'].includes(text)) {
    const message = `expected 1 or 0, got ${quoted(text)}`
    details.push({ field: '_titles', message, code: 'wrong_type' })
  }
  return text === '1'
}

/** Words that are looked for; undefined where there are none. */
export function readSearch(text: string | undefined, details: Detail[]): string | undefined {
  const q = text?.trim()
  if (q === undefined || q === '') return undefined
  if (q.length > MAX_Q) {
    const message = `expected at most ${MAX_Q} characters, got ${q.length}`
    details.push({ field: 'q', message, code: 'out_of_range' })
  } else if (searchTerms(q).length > MAX_TERMS) {
    const message = `expected at most ${MAX_TERMS} words, got ${searchTerms(q).length}`
    details.push({ field: 'q', message, code: 'out_of_range' })
  }
  return q
}

function readFields(reading: Reading, text: string | undefined): string[] | undefined {
  const { definition, details } = reading
  if (text === undefined) return undefined
  const asked = text.split(',').map((name) => name.trim())
  const names = new Set(asked.flatMap((name) => (name === AS_LIST ? shownFields(reading) : [name])))
  for (const name of names) {
    if (knownField(reading, name)) continue
    const message = problemOf('field', name, knownFields(definition))
    details.push({ field: 'fields', message, code: 'unknown_field' })
    if (details.length > MAX_FILTERS) break
  }
  return [...names]
}

/** What the caller sees of a list without choosing columns: title, list fields, state, the currencies of the amounts, last change. */
function shownFields(reading: Reading): readonly string[] {
  const { titleField, listFields, behaviour, submittable } = reading.definition
  const shown = [titleField, ...listFields].flatMap((name) => knownField(reading, name) ?? [])
  const others = [
    ...shown.map(({ currencyField }) => currencyField),
    behaviour.status?.field,
    submittable ? 'docstatus' : undefined,
    'modified',
  ]
  const names = others.filter((name) => name !== undefined && knownField(reading, name))
  return ['id', ...shown.map(({ name }) => name), ...(names as string[])]
}

function unknownParameter(definition: DocTypeDefinition, name: string): string {
  const filters = knownFields(definition).filter(isFilterable)
  const candidates = [...LIST_PARAMETERS, ...filters.map((field) => field.name)]
  return `unknown parameter${nearest(name, candidates)}; expected ${LIST_PARAMETERS.join(', ')} or a filter: ${listed(filters)}`
}

function problemOf(what: string, name: string, known: readonly Field[]): string {
  const names = known.map((field) => field.name)
  return `no ${what} ${quoted(name)}${nearest(name, names)}; expected one of ${names.join(', ')}`
}

function listed(fields: readonly Field[]): string {
  return fields.map(({ name }) => name).join(', ')
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
}
