import type { DocTypeDefinition, Field } from '../definition/definition.ts'
import { assignValue } from '../expression/assign.ts'
import { fieldsOf, type Scope, withRecord } from '../expression/scope.ts'
import { bindParameters, type SqlFragment, sqlText } from '../expression/sql-fragment.ts'
import { toSqlCondition } from '../expression/to-sql.ts'
import type { Environment, Node, ValueType } from '../expression/types.ts'
import type { ColumnValue, Value } from '../fields/field-type.ts'
import { fieldType } from '../fields/index.ts'
import type { DatabaseKind } from '../storage/database.ts'
import { type Doc, type Row, valueIn } from '../storage/document.ts'
import { columnOfDocument } from './columns.ts'
import type { RuleReads } from './reads.ts'
import { valueType } from './scopes.ts'
import type { CompileContext, CompiledRule, RuleProblem } from './steps.ts'

const TEXT: ValueType = { kind: 'str', scale: 0 }
const CONDITION: ValueType = { kind: 'bool', scale: 0 }

/** A compiled `lookup`: by the name of the record, or by a condition on its fields. */
export interface LookupRule {
  readonly match: CompiledRule | undefined
  /** Cells of the document that the condition's parameters are taken from. */
  readonly reads: readonly string[]
  value(cell: Doc | Row, environment: Environment, reads: RuleReads): Value
}

/** A compiled `default_from`. */
export interface FirstRecord {
  value(environment: Environment, reads: RuleReads): Value
}

/** Compiles the lookup of a field; mistakes go to the context's compiler. */
export function compileLookup(
  context: CompileContext,
  field: Field,
  table: string | undefined,
  path: RuleProblem['path'],
): LookupRule | undefined {
  const { definition, registry, scopes, compile } = context
  const lookup = field.lookup!
  const source = registry.byDoctype(lookup.from)
  const origin = source && registry.fieldOf(source, lookup.value)
  if (!source || !origin) return undefined
  const own = scopes.of(definition)
  const here = table === undefined ? own.document : own.rows.get(table)!
  const assigned = (value: Value): Value =>
    value === null ? null : assignValue(value, valueType(origin), valueType(field))
  if (lookup.match !== undefined) {
    const match = compile(lookup.match, here, TEXT, [...path, 'lookup', 'match'])
    return (
      match && {
        match,
        reads: [],
        value(cell, environment, reads) {
          const name = match.evaluate()(cell, environment)
          const found =
            typeof name === 'string' && name !== '' && reads.locked(source.doctype, name)
          return found ? assigned(valueIn(found, lookup.value)) : null
        },
      }
    )
  }
  const scope = whereScope(scopes.of(source).document, here)
  const where = compile(
    lookup.where ?? 'true',
    scope,
    CONDITION,
    [...path, 'lookup', 'where'],
    'sql',
  )
  if (!where) return undefined
  const query = firstQuery(source, origin, where.expression.tree, lookup.latest)
  return {
    match: undefined,
    reads: where.expression.dependencies.flatMap((name) => {
      if (name.startsWith('parent.')) return [name.slice('parent.'.length)]
      if (!name.startsWith('this.')) return []
      const own = name.slice('this.'.length)
      return [table === undefined ? own : `${table}.${own}`]
    }),
    value(cell, environment, reads) {
      const records = { ...environment.records, this: cell }
      return assigned(query({ ...environment, records }, reads))
    },
  }
}

/** In `where` bare names are the other record's; what looks up is `this`, the document of a row `parent`. */
function whereScope(source: Scope, here: Scope): Scope {
  const scope = withRecord({ ...source, records: new Map() }, 'this', here.fields)
  const parent = here.records.get('parent')
  return parent ? withRecord(scope, 'parent', parent) : scope
}

/** Compiles `default_from`: the oldest record of the linked DocType that meets a condition. */
export function compileDefaultFrom(
  { registry, scopes, compile }: CompileContext,
  field: Field,
  path: RuleProblem['path'],
): FirstRecord | undefined {
  const source = field.link === undefined ? undefined : registry.byDoctype(field.link)
  if (!source) return undefined
  const scope = { ...scopes.of(source).document, records: new Map([['user', fieldsOf([])]]) }
  const where = compile(field.defaultFrom!, scope, CONDITION, path, 'sql')
  const name = registry.fieldOf(source, 'name')
  if (!where || !name) return undefined
  const query = firstQuery(source, name, where.expression.tree, undefined)
  return { value: (environment, reads) => query(environment, reads) }
}

/** A query for one field of the first record that meets a condition; its SQL is made once per database. */
function firstQuery(
  source: DocTypeDefinition,
  field: Field,
  condition: Node,
  latest: string | undefined,
): (environment: Environment, reads: RuleReads) => Value {
  const made = new Map<DatabaseKind, SqlFragment>()
  const order = latest === undefined ? '"rid"' : `"${latest}" desc nulls last, "rid" desc`
  const head = `select "${field.name}" as value from "${source.table}" where `
  // A cancelled document is no source of anything.
  const tail = `${source.submittable ? ' and "docstatus" < 2' : ''} order by ${order} limit 1`
  const decode = (column: ColumnValue): Value => fieldType(field.type).fromColumn(column, field)
  return (environment, reads) => {
    const { kind } = reads
    let fragment = made.get(kind)
    if (!fragment) {
      fragment = toSqlCondition(condition, kind, columnOfDocument)
      made.set(kind, fragment)
    }
    const parameters = bindParameters(fragment, environment)
    const text = head + sqlText(fragment, kind) + tail
    return reads.value(text, parameters, decode)
  }
}
