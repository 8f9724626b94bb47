import { isCellName } from '../../definition/check/check-sources.ts'
import type { Bond } from '../../definition/model/bond.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
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
  /** What a condition is asked of; undefined for one by the name of the record. */
  readonly found: Found | undefined
  /** Expressions of the document or row that say what is looked for; those of a condition are in `found`. */
  readonly asks: readonly CompiledRule[]
  /** The record that is named; undefined where a condition is asked, or nothing is named. */
  named(cell: Doc | Row, environment: Environment): NamedRecord | undefined
  value(cell: Doc | Row, environment: Environment, reads: RuleReads): Value
}

/** Record by its DocType and name. */
export interface NamedRecord {
  readonly definition: DocTypeDefinition
  readonly name: string
}

/** Search of a look-up by a condition. */
export interface Found {
  readonly search: RecordSearch
  readonly where: CompiledRule
  /** Value that is taken of the first record, or added up or compared over all. */
  readonly value: FoundValue
  /** What the first is decided by. */
  readonly latest: Latest | undefined
  /** Records beside `this` that the condition reads; undefined where these find nothing. */
  readonly matched?: (
    cell: Doc | Row,
    environment: Environment,
  ) => Environment['records'] | undefined
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
  if (lookup.from === undefined) return byLink(context, field, table, at)
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
  const target = registry.byDoctype(from ?? '')
  const origin = target && registry.fieldOf(target, wanted)
  if (!target || !origin) return undefined
  const match = compile(source, here, TEXT, [...path, 'match'])
  return (
    match && {
      match,
      origins: [wanted],
      reads: [],
      found: undefined,
      asks: [match],
      named: (cell, environment) => namedRecord(target, match.evaluate()(cell, environment)),
      value(cell, environment, reads) {
        const name = match.evaluate()(cell, environment)
        const found = typeof name === 'string' && name !== '' && reads.locked(target.doctype, name)
        return found ? assignedTo(field, origin, valueIn(found, wanted)) : null
      },
    }
  )
}

/** The environment in which `this` is a document or row; where it is filled it is so already. */
export function environmentAt(cell: Doc | Row, environment: Environment): Environment {
  if (environment.records.this === cell) return environment
  return { ...environment, records: { ...environment.records, this: cell } }
}

/** The record of a name; undefined for none. */
export function namedRecord(
  definition: DocTypeDefinition | undefined,
  name: unknown,
): NamedRecord | undefined {
  return definition && typeof name === 'string' && name !== '' ? { definition, name } : undefined
}

/** By a link of the record or row: the field of what it names, unset where that has none of the name. */
function byLink(
  { registry, definition, scopes, compile }: CompileContext,
  field: Field,
  table: string | undefined,
  path: RuleProblem['path'],
): LookupRule | undefined {
  const { match = '', value: wanted = '' } = field.lookup!
  const level = definition.fields.find(({ name }) => name === table)?.child?.fields
  const through = (level ?? definition.fields).find(({ name }) => name === match)
  const own = scopes.of(definition)
  const here = table === undefined ? own.document : own.rows.get(table)!
  const rule = compile(match, here, TEXT, [...path, 'match'])
  if (!through || !rule) return undefined
  const { link, linkFrom } = through
  const namedIn = (cell: Doc | Row): DocTypeDefinition | undefined => {
    const doctype = link ?? cell[linkFrom!]
    return typeof doctype === 'string' ? registry.byDoctype(doctype) : undefined
  }
  return {
    match: rule,
    origins: [wanted],
    reads: linkFrom === undefined ? [] : [table === undefined ? linkFrom : `${table}.${linkFrom}`],
    found: undefined,
    asks: [rule],
    named: (cell) => namedRecord(namedIn(cell), cell[match]),
    value(cell, _environment, reads) {
      const name = cell[match]
      const target = namedIn(cell)
      const origin = target && registry.fieldOf(target, wanted)
      if (!target || !origin || typeof name !== 'string' || name === '') return null
      const found = reads.locked(target.doctype, name)
      return found ? assignedTo(field, origin, valueIn(found, wanted)) : null
    },
  }
}

function byCondition(
  context: CompileContext,
  field: Field,
  table: string | undefined,
  here: Scope,
  path: RuleProblem['path'],
): LookupRule | undefined {
  const { compile, definition } = context
  const lookup = field.lookup!
  const found = searchOf(context, lookup.from!, here)
  if (!found) return undefined
  const search = { ...found, seeker: { doctype: definition.doctype, table } }
  const { scope, columns } = search
  const where = compile(lookup.where ?? 'true', scope, CONDITION, [...path, 'where'], columns)
  const rule = (query: SearchQuery, found: Found, origins: LookupRule['origins']): LookupRule => ({
    match: undefined,
    origins,
    reads: rulesOf(found).flatMap(({ expression }) => readsHere(expression, table)),
    found,
    asks: [],
    named: () => undefined,
    value(cell, environment, reads) {
      return query(environmentAt(cell, environment), reads)
    },
  })
  const { operation } = lookup
  if (operation !== undefined) {
    const value = aggregated(context, field, operation, search, path)
    if (!where || !value) return undefined
    const query = aggregateQuery(search, field, operation, value, where)
    const over = { search, where, value: { rule: value, field }, latest: undefined }
    return rule(query, over, originsOf(value.expression.tree))
  }
  const value = foundValue(context, field, search, path)
  const latest = latestOf(context, lookup.latest, search, path)
  if (!where || !value || latest === WRONG) return undefined
  const whole = { search, where, value, latest }
  const first = firstQuery(search, value, where, latest)
  if ('rule' in value) return rule(first, whole, originsOf(value.rule.expression.tree))
  const query: SearchQuery = (environment, reads) =>
    assignedTo(field, value.field, first(environment, reads))
  return rule(query, whole, [value.name])
}

/** The expressions of a search. */
export function rulesOf({ where, value, latest }: Found): readonly CompiledRule[] {
  return [
    where,
    ...('rule' in value ? [value.rule] : []),
    ...(typeof latest === 'object' ? [latest] : []),
  ]
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
  const own = compile(field.defaultFrom!, scope, CONDITION, path, search.columns)
  if (!own) return undefined
  const { proposed } = source
  const conditions = [field.defaultFrom!, ...(proposed === undefined ? [] : [proposed])]
  const where =
    proposed === undefined ? own : compile(conditions, scope, CONDITION, path, search.columns)
  if (!where) return undefined
  const first = { name: 'name', field: name }
  const anyOne = firstQuery(search, first, where, undefined)
  if (!bond) return { value: anyOne }
  const { theirs, ours } = bond
  const here = fieldsOf([{ name: ours, ...TEXT }])
  const nameable = compile(
    [...conditions, `${theirs} == "" || ${theirs} == this.${ours}`],
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
