import { isCellName } from '../../definition/check/check-sources.ts'
import type { Bond } from '../../definition/model/bond.ts'
import { assignValue } from '../../expression/syntax/assign.ts'
import { originsOf } from '../../expression/tree/analyse.ts'
import { fieldsOf, type Scope } from '../../expression/tree/scope.ts'
import { CONDITION, type Environment, type ValueType } from '../../expression/tree/types.ts'
import type { Field, Lookup } from '../../fields/field.ts'
import type { Value } from '../../fields/field-type.ts'
import { type Doc, type Row, valueIn } from '../../storage/database/document.ts'
import type { CompileContext, CompiledRule, RuleProblem } from '../base/compiled-rule.ts'
import type { RuleReads } from '../base/reads.ts'
import { valueType } from '../base/scopes.ts'
import { type RecordSearch, readsHere, searchedField, searchOf } from './record-search.ts'
import {
  aggregateQuery,
  type FoundValue,
  firstQuery,
  type Latest,
  type SearchQuery,
} from './search-query.ts'

const TEXT: ValueType = { kind: 'str', scale: 0 }

/** A compiled `lookup`: by the name of the record, or by a condition on its fields. */
export interface LookupRule {
  readonly match: CompiledRule | undefined
  /** Fields the value may come from, as expressions over what is found name them; undefined for a value of no field. */
  readonly origins: readonly (string | undefined)[]
  /** Cells of the document that the condition's parameters are taken from. */
  readonly reads: readonly string[]
  value(cell: Doc | Row, environment: Environment, reads: RuleReads): Value
}

/** A compiled `default_from`; `cell` says what the record belongs to that asks. */
export interface FirstRecord {
  value(environment: Environment, reads: RuleReads, cell: Doc | Row): Value
}

/** Compiles the lookup of a field; mistakes go to the context's compiler. */
export function compileLookup(
  context: CompileContext,
  field: Field,
  table: string | undefined,
  path: RuleProblem['path'],
): LookupRule | undefined {
  const { definition, scopes } = context
  const lookup = field.lookup!
  const own = scopes.of(definition)
  const here = table === undefined ? own.document : own.rows.get(table)!
  const at = [...path, 'lookup']
  if (lookup.match !== undefined) return byName(context, field, lookup.match, here, at)
  return byCondition(context, field, table, here, at)
}

function byName(
  { registry, compile }: CompileContext,
  field: Field,
  source: string,
  here: Scope,
  path: RuleProblem['path'],
): LookupRule | undefined {
  const { from, value: wanted = '' } = field.lookup!
  const target = registry.byDoctype(from)
  const origin = target && registry.fieldOf(target, wanted)
  if (!target || !origin) return undefined
  const match = compile(source, here, TEXT, [...path, 'match'])
  return (
    match && {
      match,
      origins: [wanted],
      reads: [],
      value(cell, environment, reads) {
        const name = match.evaluate()(cell, environment)
        const found = typeof name === 'string' && name !== '' && reads.locked(target.doctype, name)
        return found ? assignedTo(field, origin, valueIn(found, wanted)) : null
      },
    }
  )
}

function byCondition(
  context: CompileContext,
  field: Field,
  table: string | undefined,
  here: Scope,
  path: RuleProblem['path'],
): LookupRule | undefined {
  const { compile } = context
  const lookup = field.lookup!
  const search = searchOf(context, lookup.from, here)
  if (!search) return undefined
  const { scope, columns } = search
  const where = compile(lookup.where ?? 'true', scope, CONDITION, [...path, 'where'], columns)
  const rule = (
    query: SearchQuery,
    read: readonly CompiledRule[],
    origins: LookupRule['origins'],
  ): LookupRule => ({
    match: undefined,
    origins,
    reads: read.flatMap(({ expression }) => readsHere(expression, table)),
    value(cell, environment, reads) {
      const records = { ...environment.records, this: cell }
      return query({ ...environment, records }, reads)
    },
  })
  const { operation } = lookup
  if (operation !== undefined) {
    const value = aggregated(context, field, operation, search, path)
    if (!where || !value) return undefined
    const query = aggregateQuery(search, field, operation, value, where)
    return rule(query, [where, value], originsOf(value.expression.tree))
  }
  const found = foundValue(context, field, search, path)
  const latest = latestOf(context, lookup.latest, search, path)
  if (!where || !found || latest === WRONG) return undefined
  const first = firstQuery(search, found, where, latest)
  const ranked = typeof latest === 'object' ? [latest] : []
  if ('rule' in found)
    return rule(first, [where, found.rule, ...ranked], originsOf(found.rule.expression.tree))
  const query: SearchQuery = (environment, reads) =>
    assignedTo(field, found.field, first(environment, reads))
  return rule(query, [where, ...ranked], [found.name])
}

/** What `value` says is read: a field of what is found, or an expression; undefined for a mistake. */
function foundValue(
  { registry, compile }: CompileContext,
  field: Field,
  search: RecordSearch,
  path: RuleProblem['path'],
): FoundValue | undefined {
  const source = field.lookup!.value ?? ''
  const origin = searchedField(registry, search, source)
  if (origin) return { name: source, field: origin }
  // A name that nothing has is told where names are checked.
  if (isCellName(source)) return undefined
  const rule = compile(source, search.scope, valueType(field), [...path, 'value'], search.columns)
  return rule && { rule, field }
}

/** A `latest` that could not be read. */
const WRONG = Symbol('a mistake')

function latestOf(
  { registry, compile }: CompileContext,
  source: string | undefined,
  search: RecordSearch,
  path: RuleProblem['path'],
): Latest | undefined | typeof WRONG {
  if (source === undefined || searchedField(registry, search, source)) return source
  if (isCellName(source)) return WRONG
  return compile(source, search.scope, undefined, [...path, 'latest'], search.columns) ?? WRONG
}

function assignedTo(field: Field, origin: Field, value: Value): Value {
  return value === null ? null : assignValue(value, valueType(origin), valueType(field))
}

/** Value of each record that is added up or compared; a count adds up ones. */
function aggregated(
  { compile }: CompileContext,
  field: Field,
  operation: NonNullable<Lookup['operation']>,
  { scope, columns }: RecordSearch,
  path: RuleProblem['path'],
): CompiledRule | undefined {
  return compile(field.lookup!.value ?? '1', scope, valueType(field), [...path, operation], columns)
}

/** Compiles `default_from`: the oldest record of the linked DocType that meets a condition, and may be named. */
export function compileDefaultFrom(
  context: CompileContext,
  field: Field,
  bond: Bond | undefined,
  path: RuleProblem['path'],
): FirstRecord | undefined {
  const { registry, scopes, compile } = context
  const source = field.link === undefined ? undefined : registry.byDoctype(field.link)
  const search = source && searchOf(context, source.doctype, scopes.of(source).document)
  const name = source && registry.fieldOf(source, 'name')
  if (!search || !name) return undefined
  const scope = { ...search.scope, records: new Map([['user', fieldsOf([])]]) }
  const where = compile(field.defaultFrom!, scope, CONDITION, path, search.columns)
  if (!where) return undefined
  const first = { name: 'name', field: name }
  const anyOne = firstQuery(search, first, where, undefined)
  if (!bond) return { value: anyOne }
  const { theirs, ours } = bond
  const here = fieldsOf([{ name: ours, ...TEXT }])
  const nameable = compile(
    `(${field.defaultFrom}) && (${theirs} == "" || ${theirs} == this.${ours})`,
    { ...scope, records: new Map([...scope.records, ['this', here]]) },
    CONDITION,
    path,
    search.columns,
  )
  const oneOfOurs = nameable && firstQuery(search, first, nameable, undefined)
  if (!oneOfOurs) return undefined
  return {
    value(environment, reads, cell) {
      if ((cell[ours] ?? null) === null) return anyOne(environment, reads)
      const records = { ...environment.records, this: cell }
      return oneOfOurs({ ...environment, records }, reads)
    },
  }
}
