import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Registry } from '../../definition/model/registry.ts'
import { ROW_ID } from '../../definition/model/standard-fields.ts'
import { splitDot } from '../../definition/normalise/normalise-field.ts'
import type { Expression } from '../../expression/expression.ts'
import {
  bindParameters,
  type ColumnOf,
  type SqlFragment,
} from '../../expression/sql/sql-fragment.ts'
import { toSqlCondition } from '../../expression/sql/to-sql.ts'
import { type Scope, withRecord } from '../../expression/tree/scope.ts'
import type { Environment, Node } from '../../expression/tree/types.ts'
import type { Field } from '../../fields/field.ts'
import type { DatabaseKind } from '../../storage/database/database.ts'
import type { Scopes } from '../base/scopes.ts'
import { columnsOfSource, type RowOrigin, sourceOf } from '../base/source-rows.ts'
import type { Seeker } from './own-kind.ts'

/**
 * Search of a rule: records of a DocType, or rows of a table of theirs, of which a condition picks some. In its
 * expressions:
 *
 *     rate                   a field of the found record or row
 *     document.posting_date  the record a found row belongs to
 *     this.item_code         the document or row that searches
 *     parent.company         the document of a row that searches
 */
export interface RecordSearch extends RowOrigin {
  readonly scope: Scope
  /** Columns of `from`: `c` the rows of the table, `d` the records. */
  readonly columns: ColumnOf
  /** Tables and aliases that stand behind FROM. */
  readonly from: string
  /** Who searches before something is written; undefined for what proposes. */
  readonly seeker?: Seeker
}

const OF_RECORD = 'document.'

/** Records that a search looks for: nothing is kept behind their links for its sake. */
const SEARCHED: ReadonlySet<string> = new Set(['doc', 'document'])

/** Search of what `from` names, as `Doctype` or `Doctype.table`; undefined when there is no such thing. */
export function searchOf(
  { registry, scopes }: { readonly registry: Registry; readonly scopes: Scopes },
  from: string,
  here: Scope,
): RecordSearch | undefined {
  const [doctype, sourceTable] = splitDot(from)
  const source = registry.byDoctype(doctype)
  const own = source && scopes.of(source)
  const bare = own && (sourceTable === undefined ? own.document : own.rows.get(sourceTable))
  if (!source || !own || !bare) return undefined
  let scope: Scope = { ...bare, records: new Map(), repeat: 1, bare: SEARCHED }
  if (sourceTable !== undefined) scope = withRecord(scope, 'document', own.document.fields)
  scope = withRecord(scope, 'this', here.fields)
  const parent = here.records.get('parent')
  if (parent) scope = withRecord(scope, 'parent', parent)
  const origin: RowOrigin = { source, sourceTable }
  const columnOf = columnsOfSource(origin)
  const columns: ColumnOf = (of, name) => {
    if (of === 'doc') return columnOf('doc', name)
    return of === 'document' && sourceTable !== undefined ? columnOf('parent', name) : undefined
  }
  return { ...origin, scope, columns, from: sourceOf(origin) }
}

/** A field of what is found: `rate`, or `document.posting_date` of the record a row belongs to. */
export function searchedField(
  registry: Registry,
  search: RecordSearch,
  name: string,
): Field | undefined {
  const { source, sourceTable } = search
  if (sourceTable === undefined) return registry.fieldOf(source, name)
  if (name.startsWith(OF_RECORD)) return registry.fieldOf(source, name.slice(OF_RECORD.length))
  if (name === ROW_ID.name) return ROW_ID
  return tableOf(source, sourceTable)?.child?.fields.find((field) => field.name === name)
}

function tableOf({ fields }: DocTypeDefinition, table: string): Field | undefined {
  return fields.find(({ name }) => name === table)
}

/** Column of the statement for a field of what is found, named as for `searchedField`. */
export function searchedColumn({ columns }: RecordSearch, name: string): string {
  const column = name.startsWith(OF_RECORD)
    ? columns('document', name.slice(OF_RECORD.length))
    : columns('doc', name)
  return column!.sql
}

/** Cells of what searches (a document, or a row of `table`) that an expression over what is found reads. */
export function readsHere(
  { dependencies }: Expression,
  table: string | undefined,
): readonly string[] {
  return dependencies.flatMap((name) => {
    if (name.startsWith('parent.')) return [name.slice('parent.'.length)]
    if (!name.startsWith('this.')) return []
    const own = name.slice('this.'.length)
    return [table === undefined ? own : `${table}.${own}`]
  })
}

/** Whether an expression over what is found reads `docstatus`, and so decides itself about cancelled documents. */
export function speaksOfDocstatus({ dependencies }: Expression): boolean {
  return dependencies.includes('docstatus') || dependencies.includes('document.docstatus')
}

/**
 * A condition as SQL for the values it is asked with. Where all that a column is compared with is set, the
 * comparison stays bare, so that an index serves it; each text is made once.
 */
export function conditionFor(
  condition: Node,
  columns: ColumnOf,
): (kind: DatabaseKind, environment: Environment) => SqlFragment {
  const made = new Map<string, SqlFragment>()
  return (kind, environment) => {
    let general = made.get(kind)
    if (!general) {
      general = toSqlCondition(condition, kind, columns)
      made.set(kind, general)
    }
    const set = setRecords(general, environment)
    if (set.size === 0) return general
    const key = `${kind} ${[...set].join(' ')}`
    let fragment = made.get(key)
    if (!fragment) {
      const isSet = (of: string, name: string): boolean => set.has(`${of}.${name}`)
      fragment = toSqlCondition(condition, kind, columns, isSet)
      made.set(key, fragment)
    }
    return fragment
  }
}

/** The bound values of other records that are set. */
function setRecords(fragment: SqlFragment, environment: Environment): ReadonlySet<string> {
  const values = bindParameters(fragment, environment)
  const set = new Set<string>()
  for (const [index, parameter] of fragment.parameters.entries()) {
    const value = values[index]
    if (parameter.from === 'record' && value !== '' && value !== 0n)
      set.add(`${parameter.of}.${parameter.name}`)
  }
  return set
}
