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

/** Finds the field that a name or `record.name` stands for. Throws ExpressionProblem for an unknown one. */
export function resolve(syntax: Syntax, context: CheckContext): Reference {
  if (syntax.op === 'name') {
    const { name, at } = syntax
    const field = isRowVariable(name, context) ? undefined : context.scope.fields.get(name)
    if (field) return { of: 'doc', field }
    if (findRecord(name, context))
      throw new ExpressionProblem(`${name} has fields: write ${name}.<field>`, at)
    throw new ExpressionProblem(unknownName('field', name, knownNames(context)), at)
  }
  if (syntax.op !== 'member') throw new ExpressionProblem('expected the name of a field', syntax.at)
  if (syntax.of.op !== 'name')
    throw new ExpressionProblem(`'.${syntax.name}' can only follow a name`, syntax.at)
  const record = findRecord(syntax.of.name, context)
  if (!record) throw notARecord(syntax.of, syntax.name, syntax.at, context)
  const field = record.fields.get(syntax.name)
  if (!field)
    throw new ExpressionProblem(unknownName('field', syntax.name, record.fields.keys()), syntax.at)
  return { of: record.of, field }
}

function isRowVariable(name: string, { rows }: CheckContext): boolean {
  return rows.some((row) => row.variable === name)
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
  const hint = field.rows ? `; use a row macro: ${of.name}.sum(i, i.${name})` : ''
  return new ExpressionProblem(
    `${of.name} is a ${describeKind(field)} and has no field '${name}'${hint}`,
    at,
  )
}

function knownNames({ scope, rows }: CheckContext): string[] {
  return [...rows.map((row) => row.variable), ...scope.fields.keys(), ...scope.records.keys()]
}

/** The node that reads a field. Throws ExpressionProblem for a table or a json field. */
export function readNode(of: string, field: KnownField, at: Range): Node {
  if (field.kind === 'rows') {
    throw new ExpressionProblem(
      `${field.name} is a table; use a row macro such as ${field.name}.count()`,
      at,
    )
  }
  if (field.kind === 'json')
    throw new ExpressionProblem(
      `${field.name} is json, which only has(${field.name}) can look at`,
      at,
    )
  return { node: 'field', kind: field.kind, scale: field.scale, at, of, name: field.name }
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
    const field = isRowVariable(syntax.name, context)
      ? undefined
      : context.scope.fields.get(syntax.name)
    return field && { of: 'doc', field }
  }
  if (syntax.op !== 'member' || syntax.of.op !== 'name') return undefined
  const record = findRecord(syntax.of.name, context)
  const field = record?.fields.get(syntax.name)
  return record && field && { of: record.of, field }
}
