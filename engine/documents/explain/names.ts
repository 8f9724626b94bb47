import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Registry } from '../../definition/model/registry.ts'
import type { Expression } from '../../expression/expression.ts'
import { namesRead } from '../../expression/tree/analyse.ts'
import type { Range } from '../../expression/tree/types.ts'
import type { Field, Lookup } from '../../fields/field.ts'
import { isPublic } from '../../fields/public-fields.ts'
import { GIVEN } from '../../rules/base/reads.ts'
import type { Services } from '../work/context.ts'
import { pathOf } from './cell.ts'
import { computedCell } from './scene.ts'

/** Level that an expression stands on: that of a record, or of the rows of a table. */
export interface Level {
  readonly definition: DocTypeDefinition
  readonly table?: Field | undefined
  /** Level of what searches, where the expression is over what is found: `this` and `parent`. */
  readonly seeker?: Level
}

/** Field that a name in an expression stands for. */
export interface NamedField {
  readonly field: Field
  /** Table of a column. */
  readonly table: Field | undefined
  readonly definition: DocTypeDefinition
  /** Link of this level that is looked through to it, as in `company.default_currency`. */
  readonly through?: Field
}

/** Records of the environment that are the cell itself, as it came. */
const ITSELF: ReadonlySet<string> = new Set([GIVEN, 'old'])

/** The field behind a name as `namesRead` gives it; undefined for what is no field, such as `user.name`. */
export function namedField(registry: Registry, level: Level, path: string): NamedField | undefined {
  const { definition, table, seeker } = level
  const dot = path.indexOf('.')
  if (dot < 0) {
    const own = table ? columnOf(table, path) : registry.fieldOf(definition, path)
    return own && { field: own, table, definition }
  }
  const [head, rest] = [path.slice(0, dot), path.slice(dot + 1)]
  if (head === 'this' && seeker) return namedField(registry, seeker, rest)
  if (head === 'parent' && seeker)
    return namedField(registry, { definition: seeker.definition }, rest)
  if (head === 'parent' || head === 'document') return namedField(registry, { definition }, rest)
  if (ITSELF.has(head)) return namedField(registry, level, rest)
  const first = table ? columnOf(table, head) : registry.fieldOf(definition, head)
  if (first?.child) {
    const column = columnOf(first, rest)
    return column && { field: column, table: first, definition }
  }
  const master = first?.link === undefined ? undefined : registry.byDoctype(first.link)
  const behind = master && registry.fieldOf(master, rest)
  return behind && { field: behind, table: undefined, definition: master, through: first! }
}

function columnOf({ child }: Field, name: string): Field | undefined {
  return child?.fields.find((field) => field.name === name)
}

/** The text of an expression, internal fields in it replaced by what they stand for. */
export function publicText(
  services: Services,
  level: Level,
  expression: Expression,
  /** Expressions that it stands in: one that reads what it was before (`old.x`) is said once. */
  within: readonly Expression[] = [],
): string {
  if (within.includes(expression)) return '…'
  const { source, tree, conditions } = expression
  if (conditions)
    return conditions.map((one) => publicText(services, level, one, within)).join(' && ')
  const names = namesRead(tree).flatMap((read) => {
    const named = namedField(services.registry, level, read.path)
    return named && isHidden(named) ? [{ ...read, named }] : []
  })
  let text = source
  const done = new Set<number>()
  // From the end, so that what stands before stays where it is.
  for (const { at, isTable, named } of names.toSorted((a, b) => b.at[0] - a.at[0])) {
    if (isTable || done.has(at[0])) continue
    done.add(at[0])
    const [start, end] = placeOfName(text, at, named.field)
    text =
      text.slice(0, start) + standIn(services, named, [...within, expression]) + text.slice(end)
  }
  const tables = names.flatMap(({ isTable, named }) => (isTable ? named.field.name : []))
  return tables.reduce((all, table) => all.replaceAll(new RegExp(`\\b${table}\\b`, 'g'), '…'), text)
}

function isHidden({ field, table, through }: NamedField): boolean {
  return [field, table, through].some((one) => one !== undefined && !isPublic(one))
}

/**
 * Where a field is named, with what is before its dot (`i.amount`): a test such as `has(x)` has a place around it. What
 * the loader made a column for is written as a path, whose place may be that of its last word.
 */
function placeOfName(text: string, [from, to]: Range, field: Field): Range {
  const name = field.made?.path ?? field.name
  const at = text.slice(0, to).lastIndexOf(name)
  if (at < 0 || (at < from && !field.made)) return [from, to]
  const before = /\w+\.$/.exec(text.slice(0, at))
  return [before?.index ?? at, at + name.length]
}

/** Text for an internal field: its formula, or what it was taken from. */
export function standIn(
  services: Services,
  named: NamedField,
  within: readonly Expression[] = [],
): string {
  const { field, table, definition, through } = named
  if (through && !isPublic(through)) return '…'
  const { formula, fetch, lookup, rollup, call } = field
  if (formula !== undefined) {
    const rule = computedCell(services, definition, pathOf({ field, ...(table ? { table } : {}) }))
    const shown =
      rule?.formula && publicText(services, { definition, table }, rule.formula.expression, within)
    return `(${shown ?? '…'})`
  }
  if (rollup) return foundName(services.registry, rollup.from, rollup.value)
  if (lookup) return lookupName(services.registry, lookup)
  if (fetch) return fetchedName(services.registry, { field, table, definition })
  return call?.hook ?? '…'
}

/** Name of what a look-up or rollup takes: `Bin.actual_qty`; of an internal field, or of an expression, that of the records. */
export function foundName(registry: Registry, from: string, value: string | undefined): string {
  const [doctype = '', tableName] = from.split('.')
  const source = registry.byDoctype(doctype)
  const table = source?.fields.find(({ name }) => name === tableName)
  const owner = table?.child ?? source
  const field = owner?.fields.find(({ name }) => name === value)
  return field && isPublic(field) ? `${from}.${value}` : from
}

/** Name of what a look-up takes: `Bin.actual_qty`, or `party.account` through a link of its record. */
export function lookupName(registry: Registry, { from, match, value = '' }: Lookup): string {
  if (from !== undefined) return foundName(registry, from, value)
  return `${match}.${isTold(registry, value) ? value : '…'}`
}

/** Whether no DocType keeps a field of this name to itself: a link of many kinds may name a record of any. */
function isTold(registry: Registry, name: string): boolean {
  return registry.all.every((one) => {
    const field = registry.fieldOf(one, name)
    return !field || isPublic(field)
  })
}

/** Name of what a fetch takes: `customer.territory`; `customer.…` where the master keeps the field to itself. */
export function fetchedName(
  registry: Registry,
  { field, table, definition }: Pick<NamedField, 'field' | 'table' | 'definition'>,
): string {
  const { link, field: wanted } = field.fetch!
  const path = `${link}.${wanted}`
  const named = namedField(registry, { definition, table }, path)
  const through = (table?.child ?? definition).fields.find(({ name }) => name === link)
  if (through && !isPublic(through)) return '…'
  // What a link of many kinds names may keep it to itself.
  const told = named ? isPublic(named.field) : isTold(registry, wanted)
  return told ? path : `${link}.…`
}
