import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Registry } from '../../definition/model/registry.ts'
import type { Field, Lookup } from '../../fields/field.ts'
import { isPublic } from '../../fields/public-fields.ts'
import { GIVEN } from '../../rules/base/reads.ts'

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
export const ITSELF: ReadonlySet<string> = new Set([GIVEN, 'old'])

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
