import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Registry } from '../../definition/model/registry.ts'
import { ROW_ID } from '../../definition/model/standard-fields.ts'
import { splitDot } from '../../definition/normalise/normalise-field.ts'
import type { Expression } from '../../expression/expression.ts'
import { originsOf } from '../../expression/tree/analyse.ts'
import { OLD_PARENT } from '../../expression/tree/scope.ts'
import type { Fetch, Field } from '../../fields/field.ts'
import { GIVEN } from '../base/reads.ts'
import { valueType } from '../base/scopes.ts'
import type { ComputedCell } from './computed-cell.ts'

/** Target of a text that names something: a record of `doctype`, or a row of `table` of one. */
interface Target {
  readonly doctype: string
  readonly table: string | undefined
}

/** Level an expression stands on: `fields` are what it names bare, those of the document or of a row of it. */
interface Level {
  readonly registry: Registry
  readonly definition: DocTypeDefinition
  readonly fields: readonly Field[]
}

/** Records of the environment that are the cell itself, as it was or as it came. */
const ITSELF: ReadonlySet<string> = new Set(['old', GIVEN])

/** Records of the environment that are no record of the workspace. */
const NO_RECORD: ReadonlySet<string> = new Set(['user', 'input'])

/**
 * Links (`customer`, `items.item_code`) whose value, when rules fill them, is what another link to the same
 * DocType says: one of the document, which is looked at, or one of a record that was read, which was looked at
 * when that was written. A link that anything else may fill (a text field, a text in the expression, the output
 * of a hook) is to be looked at like one that was sent.
 *
 *     customer: { type: link, options: Customer, fetch: order.customer }   # taken, where that is such a link
 *     customer: { type: link, options: Customer, default: code }           # not: anybody may write any code
 */
export function takenLinks(
  definition: DocTypeDefinition,
  registry: Registry,
  cells: readonly ComputedCell[],
): ReadonlySet<string> {
  const cellAt = new Map(cells.map((cell) => [cell.path, cell]))
  const level = levelOf(definition, registry)
  const taken = new Set<string>()
  for (const field of definition.fields) {
    if (isTaken(cellAt.get(field.name), field, level)) taken.add(field.name)
    for (const column of field.child?.fields ?? []) {
      const path = `${field.name}.${column.name}`
      const inRow = { ...level, fields: field.child!.fields }
      const isFilled = isTaken(cellAt.get(path), column, inRow)
      if (isFilled && isTakenWithRow(field, cellAt.get(field.name), column, level)) taken.add(path)
    }
  }
  return taken
}

/** Whether each source that fills the field names records of its DocType. Nothing fills one that is not computed. */
function isTaken(cell: ComputedCell | undefined, field: Field, level: Level): boolean {
  const target = targetOf(field)
  if (!target) return false
  if (!cell) return true
  const { formula, initial, lookup, call } = cell
  if (call || field.defaultValue !== undefined) return false
  return (
    (!formula || areLinks(formula.expression, target, level)) &&
    (!initial || areLinks(initial.expression, target, level)) &&
    (!field.fetch || isFetched(field.fetch, target, level)) &&
    (!lookup || isFound(cell, target, level))
  )
}

/** Whether the source of whole rows does so for a column: a table behind a link, a hook (it does not), or nothing. */
function isTakenWithRow(
  { fetch }: Field,
  rows: ComputedCell | undefined,
  column: Field,
  level: Level,
): boolean {
  if (rows?.call?.columns.includes(column)) return false
  if (!fetch) return true
  const behind = fieldAt(`${fetch.link}.${fetch.field}`, level)?.child
  const origin = behind?.fields.find(({ name }) => name === column.name)
  return isSame(targetOf(column), origin && targetOf(origin))
}

/** Whether a fetch names such records; through a dynamic link it may read any DocType that this can name. */
function isFetched({ link, field }: Fetch, target: Target, level: Level): boolean {
  const through = fieldAt(link, level)
  if (through?.linkFrom === undefined) return isSame(target, named(`${link}.${field}`, level))
  const { registry } = level
  const kinds = fieldAt(through.linkFrom, level)?.options
  const masters = kinds?.map((kind) => registry.byDoctype(kind)) ?? registry.all
  return masters.every((master) => {
    const origin = master && registry.fieldOf(master, field)
    return origin === undefined || isSame(target, named(field, levelOf(master!, registry)))
  })
}

function areLinks({ tree }: Expression, target: Target, level: Level): boolean {
  return originsOf(tree).every(
    (origin) => origin !== undefined && isSame(target, named(origin, level)),
  )
}

/**
 * Whether a look-up names such records: by a link of the record that it reads; or as that record itself, unless a
 * text that anybody may write says which one it is.
 */
function isFound({ lookup: rule, field }: ComputedCell, target: Target, level: Level): boolean {
  const { from } = field.lookup!
  if (from === undefined) return false
  const [doctype, table] = splitDot(from)
  const source = level.registry.byDoctype(doctype)
  if (!rule || !source) return false
  const found = levelOf(source, level.registry, table)
  return rule.origins.every((origin) => {
    const path = origin?.replace(/^document\./, 'parent.')
    if (path === undefined) return false
    if (isSame(target, named(path, found))) return true
    if (!isSame(target, ownName(path, found, table))) return false
    if (rule.match) return areLinks(rule.match.expression, target, level)
    return rule.reads.every((cell) => isNoFreeText(cell, level))
  })
}

/** Whether no caller can write a name of their choice into a cell. */
function isNoFreeText(cell: string, { registry, definition }: Level): boolean {
  const field = fieldAt(cell, levelOf(definition, registry))
  if (!field) return false
  const { readOnly, options } = field
  if (readOnly || options) return true
  return targetOf(field) !== undefined || valueType(field).kind !== 'str'
}

/** Target that the text at a path is known to name: by a link, or as the name of the record behind one. */
function named(path: string, level: Level): Target | undefined {
  const field = fieldAt(path, level)
  const target = field && targetOf(field)
  if (target) return target
  const dot = path.lastIndexOf('.')
  // A text that only ever follows a link of another record says what that says.
  if (field && isMirror(field)) return named(besides(path, dot, field.fetch!), level)
  const link = dot < 0 ? undefined : fieldAt(path.slice(0, dot), level)
  const behind = link && targetOf(link)
  const master = behind && masterOf(link, level)
  return master && isName(master, path.slice(dot + 1)) ? behind : undefined
}

/** Whether nothing but a fetch fills a field, whenever the record is written. */
function isMirror(field: Field): boolean {
  const { readOnly, fetch, formula, lookup, call, rollup, default: initial } = field
  const others = [formula, lookup, call, rollup, initial, field.defaultFrom]
  return readOnly && fetch?.when === 'draft' && others.every((source) => source === undefined)
}

/** Path of the field that a fetch reads; `path` leads to the fetching field, `dot` is its last dot. */
function besides(path: string, dot: number, { link, field }: Fetch): string {
  return `${path.slice(0, dot + 1)}${link}.${field}`
}

/** Target of the names of what a condition finds: the record's, the row's, or the one of the row's record. */
function ownName(
  path: string,
  { definition }: Level,
  table: string | undefined,
): Target | undefined {
  const { doctype } = definition
  if (table === undefined) return isName(definition, path) ? { doctype, table } : undefined
  if (path === ROW_ID.name) return { doctype, table }
  const isOfRecord = path.startsWith('parent.') && isName(definition, path.slice('parent.'.length))
  return isOfRecord ? { doctype, table: undefined } : undefined
}

function isName({ idField }: DocTypeDefinition, field: string): boolean {
  return field === 'name' || field === 'id' || field === idField
}

/** The field that a path of an expression leads to: `customer`, `parent.company`, `items.qty`, `customer.territory`. */
function fieldAt(path: string, level: Level): Field | undefined {
  const { registry, definition, fields } = level
  const dot = path.indexOf('.')
  if (dot < 0) {
    const own = fields.find(({ name }) => name === path)
    return own ?? (fields === definition.fields ? registry.fieldOf(definition, path) : undefined)
  }
  const [head, rest] = [path.slice(0, dot), path.slice(dot + 1)]
  if (NO_RECORD.has(head)) return undefined
  if (ITSELF.has(head)) return fieldAt(rest, level)
  if (head === 'parent' || head === OLD_PARENT) return fieldAt(rest, levelOf(definition, registry))
  const field = fieldAt(head, level)
  if (field?.child) return field.child.fields.find(({ name }) => name === rest)
  const master = field && masterOf(field, level)
  return master && fieldAt(rest, levelOf(master, registry))
}

function masterOf(field: Field, { registry }: Level): DocTypeDefinition | undefined {
  const { doctype, table } = targetOf(field) ?? {}
  return doctype === undefined || table !== undefined ? undefined : registry.byDoctype(doctype)
}

function levelOf(definition: DocTypeDefinition, registry: Registry, table?: string): Level {
  const rows = definition.fields.find(({ name }) => name === table)?.child
  return { registry, definition, fields: rows?.fields ?? definition.fields }
}

function targetOf({ link, linkTable, made }: Field): Target | undefined {
  const doctype = link ?? made?.names
  return doctype === undefined ? undefined : { doctype, table: linkTable }
}

function isSame(one: Target | undefined, other: Target | undefined): boolean {
  return (
    one !== undefined &&
    other !== undefined &&
    one.doctype === other.doctype &&
    one.table === other.table
  )
}
