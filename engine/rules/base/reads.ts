import type { Registry } from '../../definition/model/registry.ts'
import type { Expression } from '../../expression/expression.ts'
import { OLD_PARENT } from '../../expression/tree/scope.ts'
import type { FieldValues } from '../../expression/tree/types.ts'
import type { Field } from '../../fields/field.ts'
import type { ColumnValue, Value } from '../../fields/field-type.ts'
import type { DatabaseKind } from '../../storage/database/database.ts'
import type { Doc } from '../../storage/database/document.ts'

/**
 * Reader of other records for rules. A rule is pure: what has not been read yet is noted as missing and answered as
 * unset; the caller reads it and computes again from the start.
 */
export interface RuleReads {
  readonly kind: DatabaseKind
  /** A linked record, with the rows of `table` where one is named; undefined also when it does not exist. */
  get(doctype: string, name: string, table?: string): Doc | undefined
  /** A linked record, locked until the transaction ends: what is read stays true (rules.md §4.1, lookup). */
  locked(doctype: string, name: string): Doc | undefined
  /**
   * Whether this transaction alone looks and writes under a key until it ends; where not, the key is asked for, and waited for, as a
   * missing record is.
   */
  holds(key: string): boolean
  /** How often something was asked for that was missing: where it was, what depends on that need not ask for more. */
  asked(): number
  /** The column `value` of the first row of a query over records of a DocType, unset when there is none. */
  value(
    doctype: string,
    text: string,
    parameters: readonly unknown[],
    decode: (column: ColumnValue) => Value,
  ): Value
}

/** A link whose record an expression looks into: `company` in `company.default_currency`. */
export interface LinkPath {
  /** The link, behind the path of the record it belongs to: `customer.customer_group`. */
  readonly field: string
  /** Path of that record, where the link is none of the document's or row's own: `customer`. */
  readonly of?: string
  readonly doctype: string
}

/** Name by which a default reads the values that the caller sent: `given.customer`. */
export const GIVEN = 'given'

/** Records every scope has; a field of the same name does not hide them. */
const ALWAYS_THERE: ReadonlySet<string> = new Set([
  ...['old', 'user', 'parent', OLD_PARENT, 'input', 'this', GIVEN],
])

const NO_PATHS: readonly LinkPath[] = []

/** The links an expression follows from fields of this level, each behind the one that leads to it. */
export function linkPathsOf(
  { dependencies }: Expression,
  fields: readonly Field[],
  registry: Registry,
): readonly LinkPath[] {
  if (!dependencies.some(isBehind)) return NO_PATHS
  const behind = dependencies.filter(isBehind)
  const paths = new Map<string, LinkPath>()
  for (const name of behind) {
    const steps = name.split('.').slice(0, -1)
    let here: readonly Field[] = fields
    for (const [depth, step] of steps.entries()) {
      const field = here.find((candidate) => candidate.name === step)
      if (field?.link === undefined || field.linkTable !== undefined) break
      const path = steps.slice(0, depth + 1).join('.')
      const of = depth === 0 ? {} : { of: steps.slice(0, depth).join('.') }
      paths.set(path, { field: path, ...of, doctype: field.link })
      here = registry.byDoctype(field.link)?.fields ?? []
    }
  }
  return [...paths.values()]
}

function isBehind(name: string): boolean {
  const dot = name.indexOf('.')
  return dot >= 0 && !ALWAYS_THERE.has(name.slice(0, dot))
}

/** The links of the document or row itself among these. */
export function ownLinksOf(paths: readonly LinkPath[]): readonly string[] {
  return paths.flatMap(({ field, of }) => (of === undefined ? [field] : []))
}

const NONE: Readonly<Record<string, FieldValues | undefined>> = {}

/** The records behind these links of a document or row, for the environment of an evaluation. */
export function linkRecords(
  paths: readonly LinkPath[],
  cell: Readonly<Record<string, unknown>>,
  reads: RuleReads,
): Readonly<Record<string, FieldValues | undefined>> {
  if (paths.length === 0) return NONE
  const records: Record<string, FieldValues | undefined> = {}
  for (const { field, of, doctype } of paths) {
    const name = of === undefined ? cell[field] : records[of]?.[field.slice(of.length + 1)]
    records[field] = typeof name === 'string' ? reads.get(doctype, name) : undefined
  }
  return records
}

/** Adds the records behind these links to `records`, each read only when an expression comes to it. */
export function addLinksAsked(
  records: Record<string, FieldValues | undefined | null>,
  paths: readonly LinkPath[],
  cell: Readonly<Record<string, unknown>>,
  reads: RuleReads,
): void {
  for (const { field, of, doctype } of paths) {
    const get = () => {
      const name = of === undefined ? cell[field] : records[of]?.[field.slice(of.length + 1)]
      return typeof name === 'string' ? reads.get(doctype, name) : undefined
    }
    Object.defineProperty(records, field, { get, configurable: true, enumerable: true })
  }
}
