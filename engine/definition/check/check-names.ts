import { isNumeric } from '../../expression/tree/types.ts'
import type { Field } from '../../fields/field.ts'
import { fieldType } from '../../fields/index.ts'
import { isPublic } from '../../fields/public-fields.ts'
import type { DocTypeDefinition } from '../model/definition.ts'
import type { LooksBackDeclaration } from '../model/looks-back.ts'
import {
  checkNamed,
  checkTold,
  type FieldScope,
  internalName,
  NAME_PART,
  scopeOf,
} from '../model/named-fields.ts'
import { namingFields } from '../model/naming-pattern.ts'
import type { SplitDeclaration } from '../model/split.ts'
import { MAX_INDEXED } from '../normalise/normalise-field.ts'
import type { Path } from '../yaml/parse.ts'
import { isMap, type Report } from '../yaml/source.ts'

const HIDES_FIELD = 'is a field of the record already, which the event carries; choose another key'

const IN_EVENT = {
  use: 'be told of in an event',
  fits: ({ type }: Field) => !fieldType(type).secret,
}
const ANY = { fits: () => true, use: '' }
const REFUSING = { fits: () => true, use: 'be what a message is about' }
const TITLE = {
  isForAll: true,
  use: 'be the title (expected text)',
  fits: ({ type, name }: Field) =>
    fieldType(type).kind === 'str' && !fieldType(type).secret && name !== 'id',
}
const FOLLOWED = {
  use: 'be followed (expected a link or a dynamic link)',
  fits: ({ link, linkFrom, linkTable }: Field) =>
    linkTable === undefined && (link !== undefined || linkFrom !== undefined),
}
const OWNER = {
  isForAll: true,
  use: 'say what a record belongs to (expected a link to a record)',
  fits: ({ link, linkTable }: Field) => link !== undefined && linkTable === undefined,
}
const SEARCHED = {
  isForAll: true,
  use: 'be searched',
  fits: ({ type }: Field) => fieldType(type).searchable,
}
const STATUS = { isForAll: true, use: 'be the status', fits: () => true }
const COLUMN = {
  use: 'be a column of the list',
  fits: ({ type }: Field) => fieldType(type).inList && !fieldType(type).secret,
}
const GONE_THROUGH = {
  use: 'be gone through (expected a table)',
  fits: ({ child }: Field) => child !== undefined,
}
const COMPARED = {
  use: 'be unique',
  fits: ({ type }: Field) =>
    fieldType(type).storage !== 'rows' && fieldType(type).operators.includes('eq'),
}

const TREE = {
  isForAll: true,
  use: 'lead to the record above (expected a link to a record)',
  fits: OWNER.fits,
}
const COLUMNS = {
  use: 'be the columns of a board (expected a select, a check or a link)',
  fits: ({ type, options, link, linkTable }: Field) =>
    options !== undefined ||
    fieldType(type).kind === 'bool' ||
    (link !== undefined && linkTable === undefined),
}
const ADDED = {
  use: 'be added up (expected a number)',
  fits: ({ type }: Field) => isNumeric(fieldType(type).kind),
}
const IN_TIME = {
  use: 'say when something is (expected a date or a datetime)',
  fits: ({ type }: Field) => ['date', 'datetime'].includes(fieldType(type).kind),
}

/** Checks the fields that records are named by. */
export function checkNaming(
  { naming }: DocTypeDefinition,
  scope: FieldScope,
  report: Report,
): void {
  for (const name of namingFields(naming)) checkTold(name, ['naming'], scope, report, NAME_PART)
  const instead = naming.kind === 'series' ? naming.instead : undefined
  const when = instead && scope.get(instead.when)
  if (instead && !(when && fieldType(when.type).kind === 'bool'))
    report(['naming'], `expected a check of the DocType behind if, got ${instead.when}`)
  const named = naming.kind === 'field' ? naming.field : instead?.field
  const field = named === undefined ? undefined : scope.get(named)
  if (
    field &&
    !field.required &&
    field.default === undefined &&
    field.formula === undefined &&
    field.fetch === undefined
  ) {
    report(['naming'], `records are named by ${field.name}, so it has to be required: true`)
  }
}

/** Checks the fields of `title`, `search`, `list`, `belongs_to` and `tree`. */
export function checkFieldLists(
  { doctype, titleField, idField, searchFields, listFields, belongsTo, tree }: DocTypeDefinition,
  scope: FieldScope,
  report: Report,
): void {
  if (tree !== undefined) {
    checkTold(tree, ['tree'], scope, report, TREE)
    const link = scope.get(tree)?.link
    if (link !== undefined && link !== doctype)
      report(['tree'], `expected a link to ${doctype} itself, got one to ${link}`)
  }
  if (belongsTo !== undefined) checkTold(belongsTo, ['belongs_to'], scope, report, OWNER)
  if (titleField !== idField) checkTold(titleField, ['title'], scope, report, TITLE)
  for (const [index, name] of searchFields.entries())
    checkTold(name, ['search', index], scope, report, SEARCHED)
  for (const [index, name] of listFields.entries())
    checkTold(name, ['list', index], scope, report, COLUMN)
}

/** Checks the fields that views of the list show. */
export function checkViews(
  { behaviour: { views = {} } }: DocTypeDefinition,
  scope: FieldScope,
  report: Report,
): void {
  const { board, calendar } = views
  const one = (name: unknown, path: Path, demand: Parameters<typeof checkTold>[4]): void => {
    const told = { ...demand, isForAll: true }
    if (typeof name === 'string') checkTold(name, ['views', ...path], scope, report, told)
  }
  one(board?.by, ['board', 'by'], COLUMNS)
  for (const [index, name] of (board?.card ?? []).entries())
    one(name, ['board', 'card', index], COLUMN)
  one(board?.sum, ['board', 'sum'], ADDED)
  one(calendar?.start, ['calendar', 'start'], IN_TIME)
  one(calendar?.end, ['calendar', 'end'], IN_TIME)
  one(calendar?.title, ['calendar', 'title'], COLUMN)
}

/** Checks fields that behaviour names by their bare names; its expressions are checked where they are compiled. */
export function checkBehaviour(
  { behaviour }: DocTypeDefinition,
  scope: FieldScope,
  report: Report,
): void {
  for (const [index, { fields = [] }] of (behaviour.unique ?? []).entries())
    checkUnique(fields, ['unique', index, 'fields'], scope, report)
  for (const [index, { field, each, unique = [] }] of (behaviour.validate ?? []).entries()) {
    const columns =
      each === undefined ? scope : columnsOf(each, ['validate', index, 'each'], scope, report)
    if (typeof field === 'string' && columns)
      checkTold(field, ['validate', index, 'field'], columns, report, REFUSING)
    if (!columns) continue
    for (const [at, name] of unique.entries())
      checkTold(name, ['validate', index, 'unique', at], columns, report, COMPARED)
  }
  const { status } = behaviour
  if (status && scope.get(status.field)?.rights?.read)
    checkTold(status.field, ['status', 'field'], scope, report, STATUS)
  const { follows } = behaviour.permissions ?? {}
  if (follows !== undefined)
    checkNamed(follows, ['permissions', 'follows'], scope, report, FOLLOWED)
  for (const [key, names] of Object.entries(behaviour.ledger ?? {})) {
    if (key === 'date') checkNamed(names as string, ['ledger', key], scope, report, ANY)
    if (key === 'looks_back') checkLooksBack(names as LooksBackDeclaration, scope, report)
    if (key === 'split') checkSplit(names as SplitDeclaration, scope, report)
    if (!Array.isArray(names) || key === 'keep_date') continue
    for (const [index, name] of names.entries())
      checkNamed(name, ['ledger', key, index], scope, report, ANY)
  }
  for (const [key, event] of Object.entries(behaviour.events ?? {})) {
    if (!isMap(event)) continue
    if (typeof event.field === 'string')
      checkNamed(event.field, ['events', key, 'field'], scope, report, ANY)
    checkEventData(event.data, ['events', key, 'data'], scope, report)
  }
}

/** Checks the fields that `ledger.looks_back` names. */
function checkLooksBack(declared: LooksBackDeclaration, scope: FieldScope, report: Report): void {
  const path = ['ledger', 'looks_back']
  for (const [index, name] of declared.series.entries())
    checkNamed(name, [...path, 'series', index], scope, report, ANY)
  for (const key of [
    'place',
    'quantity',
    'value',
    'basis',
    'whole',
    'flow',
    'takes',
    'guessed',
  ] as const) {
    const name = declared[key]
    if (name !== undefined) checkNamed(name, [...path, key], scope, report, ANY)
  }
}

/** Checks the fields of the ledger that `ledger.split` names. */
function checkSplit(declared: SplitDeclaration, scope: FieldScope, report: Report): void {
  const path = ['ledger', 'split']
  for (const key of ['link', 'advance', 'before'] as const) {
    const name = declared[key]
    if (name !== undefined) checkNamed(name, [...path, key], scope, report, ANY)
  }
  for (const key of ['copy', 'parts'] as const)
    for (const [index, name] of declared[key].entries())
      checkNamed(name, [...path, key, index], scope, report, ANY)
}

/** The columns of a table that is gone through; undefined where it is none, which is reported. */
function columnsOf(
  table: string,
  path: Path,
  scope: FieldScope,
  report: Report,
): FieldScope | undefined {
  checkNamed(table, path, scope, report, GONE_THROUGH)
  const fields = scope.get(table)?.child?.fields
  return fields && scopeOf(fields, {})
}

/** Checks fields that are unique together: they become one index. */
function checkUnique(
  names: readonly string[],
  path: Path,
  scope: FieldScope,
  report: Report,
): void {
  let length = 0
  for (const [index, name] of names.entries()) {
    checkTold(name, [...path, index], scope, report, COMPARED)
    const field = scope.get(name)
    length += field ? Number(fieldType(field.type).schema(field).maxLength ?? 0) : 0
  }
  if (length > MAX_INDEXED)
    report(
      path,
      `too long texts for an index, ${length} characters together; give them a length, at most ${MAX_INDEXED} in all`,
    )
}

/**
 * Checks the data of an event: it is the record and its own keys beside it (spec §2), so a key of its own may not
 * hide a field; naming the field itself is the same as listing it.
 */
function checkEventData(data: unknown, path: Path, scope: FieldScope, report: Report): void {
  if (Array.isArray(data)) {
    for (const [index, name] of data.entries())
      checkTold(String(name), [...path, index], scope, report, IN_EVENT)
  } else if (isMap(data)) {
    for (const [name, source] of Object.entries(data)) {
      if (scope.has(name) && source !== name) report([...path, name], HIDES_FIELD, 'key')
      const field = scope.get(name)
      if (field && !isPublic(field))
        report([...path, name], internalName(name, IN_EVENT.use), 'key')
    }
  }
}
