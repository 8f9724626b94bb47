import { parseNamingPattern } from '../../definition/model/naming-pattern.ts'
import { assignValue } from '../../expression/syntax/assign.ts'
import { type Scope, withRecord } from '../../expression/tree/scope.ts'
import {
  CONDITION,
  type Environment,
  isText,
  type ScalarKind,
  type ValueType,
} from '../../expression/tree/types.ts'
import type { Field, Find } from '../../fields/field.ts'
import type { Value } from '../../fields/field-type.ts'
import { type Doc, type Row, valueIn } from '../../storage/database/document.ts'
import {
  type CompileContext,
  type CompiledRule,
  type RuleProblem,
  readsOf,
} from '../base/compiled-rule.ts'
import type { RuleReads } from '../base/reads.ts'
import { valueType } from '../base/scopes.ts'
import { compileAsOf } from './as-of.ts'
import { cellValue } from './cell-text.ts'
import { type Found, type LookupRule, type NamedRecord, namedRecord } from './lookup.ts'
import { type RecordSearch, readsHere, searchedField, searchOf } from './record-search.ts'
import { cellsQuery, type SearchQuery } from './search-query.ts'

const TEXT: ValueType = { kind: 'str', scale: 0 }

/** Record by which the condition of a find reads the values that it is matched by. */
const MATCH = 'match'

/** Find, compiled once for all columns that keep something of what it finds. */
export interface FindRule {
  /** Condition under which it searches anew for a draft. */
  readonly renew: CompiledRule | undefined
  /** The rule that fills one of its columns. */
  lookupOf(column: Field): LookupRule
}

/** Key of a find of the document, or of the rows of a table; of no find for no name. */
export function findKey(table: string | undefined, find: string | undefined): string {
  return find === undefined ? '' : `${table ?? ''}.${find}`
}

/** The finds of a DocType and its tables by `findKey`; mistakes go to the context's compiler. */
export function findRulesOf(context: CompileContext): ReadonlyMap<string, FindRule> {
  const { definition, scopes } = context
  const own = scopes.of(definition)
  const rules = new Map<string, FindRule>()
  const compileAll = (level: Level, finds: readonly Find[] = []): void => {
    for (const find of finds) {
      const rule = compileFind(context, find, level)
      if (rule) rules.set(findKey(level.table, find.name), rule)
    }
  }
  const { fields, finds } = definition
  compileAll({ table: undefined, fields, here: own.document, path: ['find'] }, finds)
  for (const { name, child } of fields) {
    if (!child) continue
    const path = ['fields', name, 'find']
    compileAll({ table: name, fields: child.fields, here: own.rows.get(name)!, path }, child.finds)
  }
  return rules
}

/** Document or table that finds stand in. */
interface Level {
  readonly table: string | undefined
  readonly fields: readonly Field[]
  readonly here: Scope
  readonly path: RuleProblem['path']
}

/** Reader of the fields of what a find finds for a document or row: undefined where it finds nothing. */
interface Finder {
  readonly match: CompiledRule | undefined
  readonly reads: readonly string[]
  readonly asks: readonly CompiledRule[]
  /** Condition that is searched by; undefined for a record by its name. */
  readonly found: Omit<Found, 'value'> | undefined
  named(cell: Doc | Row, environment: Environment): NamedRecord | undefined
  cells(
    cell: Doc | Row,
    environment: Environment,
    reads: RuleReads,
  ): ((column: number) => Value) | undefined
}

function compileFind(context: CompileContext, find: Find, level: Level): FindRule | undefined {
  const { table, fields, here } = level
  const path = [...level.path, find.name]
  const found = searchOf(context, find.from, here)
  if (!found) return undefined
  const search = { ...found, seeker: { doctype: context.definition.doctype, table } }
  const columns = fields.filter(({ lookup }) => lookup?.find === find.name)
  const wanted = columns.map(({ lookup }) => lookup!.value!)
  const finder =
    find.match === undefined
      ? bySearch(context, find, { search, wanted, here, table, path })
      : byName(context, find, { search, wanted, here, table, path })
  const renew =
    find.renew === undefined
      ? undefined
      : context.compile(find.renew, here, CONDITION, [...path, 'renew'])
  if (!finder) return undefined
  return {
    renew,
    lookupOf(column) {
      const at = columns.indexOf(column)
      const name = wanted[at]!
      const field = searchedField(context.registry, search, name)
      return {
        match: finder.match,
        origins: [name],
        reads: finder.reads,
        asks: finder.asks,
        named: finder.named,
        found: finder.found && field && { ...finder.found, value: { name, field } },
        value: (cell, environment, reads) => finder.cells(cell, environment, reads)?.(at) ?? null,
      }
    },
  }
}

/** What a finder is made of: the fields that are `wanted` of what a search finds. */
interface Wanted {
  readonly search: RecordSearch
  readonly wanted: readonly string[]
  readonly here: Scope
  readonly table: string | undefined
  readonly path: RuleProblem['path']
}

/** The record of a name, locked until the transaction ends. */
function byName(
  context: CompileContext,
  { match: source = '', as_of }: Find,
  { search, wanted, here, table, path }: Wanted,
): Finder | undefined {
  const match = context.compile(source, here, TEXT, [...path, 'match'])
  const asOf = as_of === undefined ? undefined : compileAsOf(context, as_of, search, here, path)
  return (
    match && {
      match,
      reads: asOf ? readsOf(asOf.rule.expression, table) : [],
      asks: asOf ? [match, asOf.rule] : [match],
      found: undefined,
      named: (cell, environment) => namedRecord(search.source, match.evaluate()(cell, environment)),
      cells(cell, environment, reads) {
        const name = match.evaluate()(cell, environment)
        if (!asOf) return locked(search, wanted, name, reads)
        const found = recordLocked(search, name, reads)
        return found && ((at) => asOf.value(found, wanted[at]!, cell, environment, reads))
      },
    }
  )
}

function locked(
  search: RecordSearch,
  wanted: readonly string[],
  name: unknown,
  reads: RuleReads,
): ((column: number) => Value) | undefined {
  const found = recordLocked(search, name, reads)
  return found && ((column) => valueIn(found, wanted[column]!))
}

function recordLocked({ source }: RecordSearch, name: unknown, reads: RuleReads): Doc | undefined {
  return typeof name === 'string' && name !== '' ? reads.locked(source.doctype, name) : undefined
}

/** The record whose fields have certain values, or the first that meets a condition. */
function bySearch(
  context: CompileContext,
  { equals, where, latest }: Find,
  { search, wanted, here, table, path }: Wanted,
): Finder | undefined {
  const matched = equals ? matchedBy(context, equals, { search, here, path }) : []
  if (!matched) return undefined
  const inputs = matched.flatMap(({ rule }) => readsOf(rule.expression, table))
  const asks = matched.map(({ rule }) => rule)
  const nameOf = equals && namedBy(search, matched)
  if (nameOf)
    return {
      match: undefined,
      reads: inputs,
      asks,
      found: undefined,
      named(cell, environment) {
        const values = valuesOf(matched, cell, environment)
        return values && namedRecord(search.source, nameOf(values))
      },
      cells(cell, environment, reads) {
        const values = valuesOf(matched, cell, environment)
        return values && locked(search, wanted, nameOf(values), reads)
      },
    }
  const condition = equals
    ? Object.keys(equals)
        .map((name) => `${name} == ${MATCH}.${name}`)
        .join(' && ')
    : (where ?? 'true')
  const scope = equals ? withRecord(search.scope, MATCH, search.scope.fields) : search.scope
  const rule = context.compile(
    condition,
    scope,
    CONDITION,
    [...path, equals ? 'match' : 'where'],
    search.columns,
  )
  if (!rule) return undefined
  const cells = cellsOf(context, search, wanted, cellsQuery(search, wanted, rule, latest))
  return {
    match: undefined,
    reads: [...inputs, ...readsHere(rule.expression, table)],
    asks,
    found: {
      search,
      where: rule,
      latest,
      matched(cell, environment) {
        const values = valuesOf(matched, cell, environment)
        return values && { [MATCH]: values }
      },
    },
    named: () => undefined,
    cells(cell, environment, reads) {
      const values = valuesOf(matched, cell, environment)
      if (!values) return undefined
      const records = { ...environment.records, this: cell, [MATCH]: values }
      return cells({ ...environment, records }, reads)
    },
  }
}

/** Field of the record that is searched, and the rule that says its value. */
interface Matched {
  readonly name: string
  readonly type: ValueType
  readonly rule: CompiledRule
}

function matchedBy(
  { registry, compile }: CompileContext,
  equals: NonNullable<Find['equals']>,
  { search, here, path }: Pick<Wanted, 'search' | 'here' | 'path'>,
): readonly Matched[] | undefined {
  const all = Object.entries(equals).map(([name, source]) => {
    const field = searchedField(registry, search, name)
    const type = field && valueType(field)
    const rule = type && compile(source, here, type, [...path, 'match', name])
    return type && rule && { name, type, rule }
  })
  return all.every((one) => one !== undefined) ? all : undefined
}

/** The values to match; undefined where one is an empty text, which is nothing's value. */
function valuesOf(
  matched: readonly Matched[],
  cell: Doc | Row,
  environment: Environment,
): Readonly<Record<string, Value>> | undefined {
  const values: Record<string, Value> = {}
  for (const { name, type, rule } of matched) {
    const value = assignValue(rule.evaluate()(cell, environment), rule.expression, type)
    if ((value === null || value === '') && isText(type.kind)) return undefined
    values[name] = value
  }
  return values
}

/** Name of the record of these values, where records are named by just those: it is read by name then, and locked. */
function namedBy(
  { source, sourceTable }: RecordSearch,
  matched: readonly Matched[],
): ((values: Readonly<Record<string, Value>>) => string) | undefined {
  if (sourceTable !== undefined || matched.some(({ type }) => type.kind !== 'str')) return undefined
  const { naming, idField } = source
  const names = matched.map(({ name }) => name)
  const isId = names.length === 1 && [idField, 'name', 'id'].includes(names[0]!)
  if (isId) return (values) => String(values[names[0]!])
  if (naming.kind !== 'format') return undefined
  const tokens = parseNamingPattern(naming.pattern)
  const inName = tokens.flatMap((token) => (token.kind === 'field' ? [token.field] : []))
  const isWhole = tokens.every(({ kind }) => kind === 'text' || kind === 'field')
  const isSame = new Set(inName).size === names.length && inName.every((one) => names.includes(one))
  if (!isWhole || !isSame) return undefined
  return (values) =>
    tokens
      .map((token) =>
        token.kind === 'field'
          ? String(values[token.field])
          : token.kind === 'text'
            ? token.text
            : '',
      )
      .join('')
}

/** Reader of the cells that a query gives as one text; the columns of a find read the same one by one. */
function cellsOf(
  { registry }: CompileContext,
  search: RecordSearch,
  wanted: readonly string[],
  query: SearchQuery,
): (environment: Environment, reads: RuleReads) => ((column: number) => Value) | undefined {
  const kinds = wanted.map((name) => {
    const field = searchedField(registry, search, name)
    return (field ? valueType(field).kind : 'str') as ScalarKind
  })
  let last: { readonly text: string; readonly cells: readonly (string | null)[] } | undefined
  return (environment, reads) => {
    const text = query(environment, reads)
    if (typeof text !== 'string') return undefined
    if (last?.text !== text) last = { text, cells: JSON.parse(text) }
    const { cells } = last
    return (column) => {
      const cell = cells[column] ?? null
      return cell === null ? null : cellValue(cell, kinds[column]!)
    }
  }
}
