import { ExpressionProblem, unknownName } from '../tree/problem.ts'
import { type Fields, isFieldName } from '../tree/scope.ts'
import {
  type AggregateOperation,
  isNumeric,
  isText,
  type Node,
  type Rows,
  type ScalarKind,
} from '../tree/types.ts'
import { type CheckContext, checkCondition, findTable } from './names.ts'
import type { CallSyntax, Syntax } from './parse.ts'
import { describeKind } from './promote.ts'

/** Macros over the rows of a table; `filter` gives rows, all others a value. */
export const ROW_MACROS = ['sum', 'min', 'max', 'count', 'all', 'exists', 'filter', 'size'] as const

/** Row macros within row macros, at most (rules.md §2): rows × rows is what one formula may cost. */
const MAX_NESTING = 2

export function isRowMacro(name: string): boolean {
  return ROW_MACROS.some((macro) => macro === name)
}

/** Checks `rows.macro(i, body)`, filters before it included. Throws ExpressionProblem. */
export function checkRowMacro(call: CallSyntax, context: CheckContext): Node {
  const op = call.name === 'size' ? 'count' : call.name
  if (op === 'filter')
    throw new ExpressionProblem(
      'filter() gives rows: end with sum, min, max, count, all or exists',
      call.at,
    )
  const source = sourceRows(call.receiver!, context)
  const { at } = call
  if (op === 'count') {
    const filters = call.args.length === 0 ? [] : [inRow(call, source, context, checkCondition)]
    const rows = { ...source.rows, filters: [...source.rows.filters, ...filters] }
    return { node: 'aggregate', op, kind: 'int', scale: 0, at, rows, body: null }
  }
  const operation = op as AggregateOperation
  if (operation === 'all' || operation === 'exists') {
    const body = inRow(call, source, context, checkCondition)
    return { node: 'aggregate', op: operation, kind: 'bool', scale: 0, at, rows: source.rows, body }
  }
  const body = inRow(call, source, context, context.check)
  if (!canAggregate(operation, body.kind)) {
    const wanted = operation === 'sum' ? 'numbers' : 'numbers, dates or texts'
    throw new ExpressionProblem(`${op}() takes ${wanted}, got ${describeKind(body)}`, body.at)
  }
  return {
    node: 'aggregate',
    op: operation,
    kind: body.kind,
    scale: body.scale,
    at,
    rows: source.rows,
    body,
  }
}

function canAggregate(op: AggregateOperation, kind: ScalarKind): boolean {
  return isNumeric(kind) || (op !== 'sum' && isText(kind))
}

interface Source {
  readonly rows: Rows
  readonly fields: Fields
}

/** The table at the start of a chain with the filters on the way. */
function sourceRows(syntax: Syntax, context: CheckContext): Source {
  if (syntax.op === 'call') {
    const source = sourceRows(syntax.receiver!, context)
    const filter = inRow(syntax, source, context, checkCondition)
    return { ...source, rows: { ...source.rows, filters: [...source.rows.filters, filter] } }
  }
  const level = context.rows.length
  if (level >= MAX_NESTING) {
    throw new ExpressionProblem(`row macros nest ${MAX_NESTING} deep at most`, syntax.at)
  }
  const { of, field } = findTable(syntax, context)!
  return {
    rows: { of, table: field.name, level, maxRows: field.maxRows, filters: [] },
    fields: field.rows!,
  }
}

/** Checks the second argument of a macro with its first as the row variable. */
function inRow<T>(
  call: CallSyntax,
  source: Source,
  context: CheckContext,
  checkBody: (syntax: Syntax, context: CheckContext) => T,
): T {
  const [variable, body] = call.args
  if (call.args.length !== 2 || variable?.op !== 'name' || !body) {
    const message = `${call.name}() takes a row variable and what to do with it: ${source.rows.table}.${call.name}(i, …)`
    throw new ExpressionProblem(message, call.at)
  }
  if (!isFieldName(variable.name))
    throw new ExpressionProblem(unknownName('variable', variable.name, ['i']), variable.at)
  return checkBody(body, {
    ...context,
    rows: [...context.rows, { variable: variable.name, fields: source.fields }],
  })
}
