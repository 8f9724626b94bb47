import { ExpressionProblem, unknownName } from '../tree/problem.ts'
import type { Fields, KnownField, Scope } from '../tree/scope.ts'
import { isNumeric, type Node, type Range } from '../tree/types.ts'
import type { Syntax } from './parse.ts'
import { describeKind } from './promote.ts'

/** Facts that the checker knows at a node. */
export interface CheckContext {
  readonly scope: Scope
  /** The row variables around the node, outermost first. */
  readonly rows: readonly { readonly variable: string; readonly fields: Fields }[]
  /** Checks a part of the expression: the checker itself, handed down so that imports form no circle. */
  readonly check: (syntax: Syntax, context: CheckContext) => Node
}

/** Checks a part that must be a condition. Throws ExpressionProblem. */
export function checkCondition(syntax: Syntax, context: CheckContext): Node {
  const node = context.check(syntax, context)
  if (node.kind === 'bool') return node
  const hint = isNumeric(node.kind)
    ? ', compare it: x != 0'
    : node.kind === 'str'
      ? ', compare it: x != ""'
      : ''
  throw new ExpressionProblem(`expected a condition, got ${describeKind(node)}${hint}`, node.at)
}

/** A field and the record it is read from: `doc`, `#level` of a row variable, or a record of the environment. */
export interface Reference {
  readonly of: string
  readonly field: KnownField
}

/** Links that a path may follow, at most. */
export const MAX_STEPS = 3

/**
 * Finds the field that a name, `record.name` or a path through links and finds stands for. Throws ExpressionProblem for
 * an unknown one.
 */
export function resolve(syntax: Syntax, context: CheckContext): Reference {
  if (syntax.op === 'name') {
    const { name, at } = syntax
    const field = ownField(name, context)
    if (field) return { of: 'doc', field }
    if (findRecord(name, context))
      throw new ExpressionProblem(`${name} has fields: write ${name}.<field>`, at)
    throw new ExpressionProblem(unknownName('field', name, knownNames(context)), at)
  }
  if (syntax.op !== 'member') throw new ExpressionProblem('expected the name of a field', syntax.at)
  if (syntax.of.op === 'member') {
    const link = resolve(syntax.of, context)
    return isLive(link.of, context) ? liveField(link, syntax) : keptField(link, syntax, context)
  }
  if (syntax.of.op !== 'name')
    throw new ExpressionProblem(`'.${syntax.name}' can only follow a name`, syntax.at)
  const own = ownField(syntax.of.name, context)
  // Of a find nothing is known but what is kept.
  const record = own?.kind === 'record' ? undefined : findRecord(syntax.of.name, context)
  if (!record && own?.behind) return keptField({ of: 'doc', field: own }, syntax, context)
  if (!record) throw notARecord(syntax.of, syntax.name, syntax.at, context)
  const field = record.fields.get(syntax.name)
  if (!field)
    throw new ExpressionProblem(unknownName('field', syntax.name, record.fields.keys()), syntax.at)
  return { of: record.of, field }
}

type Member = Extract<Syntax, { op: 'member' }>

/** The column that keeps a field of the record behind another one. Throws ExpressionProblem where there is none. */
function keptField(
  { of, field }: Reference,
  { name, at }: Member,
  context: CheckContext,
): Reference {
  const { behind, told } = field
  if (!behind) throw noParts(field, name, at)
  if (told.split('.').length > MAX_STEPS) throw tooDeep(told, at)
  const column = behind.kept.get(name)
  if (column && !context.scope.bare?.has(of)) return { of, field: column }
  const wanted = known(behind.target(), name, at)
  const isValue = wanted.kind !== 'rows' && wanted.kind !== 'json'
  if (!isValue) throw notReadable({ ...wanted, told: `${told}.${name}` }, at)
  throw new ExpressionProblem(
    `${told}.${name} cannot be looked up here: this expression reads what is stored with its own record alone`,
    at,
  )
}

/** A field of the record behind a link of a record that is read as it is now. */
function liveField({ of, field }: Reference, { name, at }: Member): Reference {
  if (!field.behind) throw noParts(field, name, at)
  const path = `${of}.${field.name}`
  if (path.split('.').length > MAX_STEPS) throw tooDeep(path, at)
  return { of: path, field: known(field.behind.target(), name, at) }
}

function known(fields: Fields, name: string, at: Range): KnownField {
  const field = fields.get(name)
  if (field) return field
  throw new ExpressionProblem(unknownName('field', name, fields.keys()), at)
}

function tooDeep(path: string, at: Range): ExpressionProblem {
  return new ExpressionProblem(
    `${path} has followed ${MAX_STEPS} links already, and no expression looks through more`,
    at,
  )
}

/** Whether a record is read as it is now: one that a link leads to where links are followed at the moment. */
function isLive(of: string, { scope }: CheckContext): boolean {
  return of.includes('.') || scope.links?.has(of) === true
}

/** The own field of that name, unless a row variable hides it. */
function ownField(name: string, { rows, scope }: CheckContext): KnownField | undefined {
  return rows.some((row) => row.variable === name) ? undefined : scope.fields.get(name)
}

/** Record of a name; row variables hide records, but a field of that name does not, for fields have no parts. */
function findRecord(
  name: string,
  { scope, rows }: CheckContext,
): { of: string; fields: Fields } | undefined {
  const level = rows.findLastIndex((row) => row.variable === name)
  if (level >= 0) return { of: `#${level}`, fields: rows[level]!.fields }
  const fields = scope.records.get(name)
  return fields && { of: name, fields }
}

function notARecord(
  of: Extract<Syntax, { op: 'name' }>,
  name: string,
  at: Range,
  context: CheckContext,
): ExpressionProblem {
  const field = context.scope.fields.get(of.name)
  if (!field)
    return new ExpressionProblem(unknownName('field', of.name, knownNames(context)), of.at)
  return noParts(field, name, at)
}

function noParts(field: KnownField, name: string, at: Range): ExpressionProblem {
  const { told } = field
  const hint = field.rows ? `; use a row macro: ${told}.sum(i, i.${name})` : ''
  return new ExpressionProblem(
    `${told} is a ${describeKind(field)} and has no field '${name}'${hint}`,
    at,
  )
}

function knownNames({ scope, rows }: CheckContext): string[] {
  return [...rows.map((row) => row.variable), ...scope.fields.keys(), ...scope.records.keys()]
}

/** The node that reads a field. Throws ExpressionProblem for a table, a json field or what a find finds. */
export function readNode(of: string, field: KnownField, at: Range): Node {
  const { kind } = field
  if (kind === 'rows' || kind === 'json' || kind === 'record') throw notReadable(field, at)
  return { node: 'field', kind, scale: field.scale, at, of, name: field.name }
}

function notReadable({ kind, told }: KnownField, at: Range): ExpressionProblem {
  if (kind === 'rows')
    return new ExpressionProblem(`${told} is a table; use a row macro such as ${told}.count()`, at)
  if (kind === 'record')
    return new ExpressionProblem(`${told} has fields: write ${told}.<field>`, at)
  return new ExpressionProblem(`${told} is json, which only has(${told}) can look at`, at)
}

/** The table that a part of an expression stands for, or undefined when it is something else. */
export function findRows(syntax: Syntax, context: CheckContext): KnownField | undefined {
  if (syntax.op === 'call') {
    return syntax.name === 'filter' && syntax.receiver
      ? findRows(syntax.receiver, context)
      : undefined
  }
  const field = findTable(syntax, context)?.field
  return field?.rows ? field : undefined
}

/** A table field and the record it belongs to, were the part to name one. */
export function findTable(syntax: Syntax, context: CheckContext): Reference | undefined {
  if (syntax.op === 'name') {
    const field = ownField(syntax.name, context)
    return field && { of: 'doc', field }
  }
  if (syntax.op !== 'member' || syntax.of.op !== 'name') return undefined
  const record = findRecord(syntax.of.name, context)
  const field = record?.fields.get(syntax.name)
  return record && field && { of: record.of, field }
}
