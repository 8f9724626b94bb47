import type { FunctionSpec } from '../run/function-spec.ts'
import { FUNCTIONS } from '../run/functions.ts'
import { ExpressionProblem, unknownName } from '../tree/problem.ts'
import { OLD_PARENT } from '../tree/scope.ts'
import {
  isMoment,
  isNumeric,
  isText,
  type Node,
  type Range,
  type ScalarKind,
} from '../tree/types.ts'
import { checkRowMacro, isRowMacro, ROW_MACROS } from './check-rows.ts'
import { type CheckContext, findRows, type Reference, readNode, resolve } from './names.ts'
import { chooseNode, operatorNode } from './operators.ts'
import type { CallSyntax, Syntax } from './parse.ts'
import { asMoment, describeKind, folded, isMomentText, toKind, unify } from './promote.ts'

type SpecialForm = (call: CallSyntax, context: CheckContext) => Node

/** Functions whose result type follows their arguments', or that look at a field or the clock, with their form. */
const SPECIAL: Readonly<
  Record<
    string,
    {
      readonly usage: string
      readonly takes: readonly [number, number]
      readonly check: SpecialForm
    }
  >
> = {
  round: { usage: 'round(x) or round(x, places)', takes: [1, 2], check: checkRound },
  floor: {
    usage: 'floor(x)',
    takes: [1, 1],
    check: (call, context) => whole(call, context, 'floor'),
  },
  ceil: { usage: 'ceil(x)', takes: [1, 1], check: (call, context) => whole(call, context, 'ceil') },
  abs: { usage: 'abs(x)', takes: [1, 1], check: checkAbs },
  min: { usage: 'min(a, b, …)', takes: [2, 8], check: checkExtreme },
  max: { usage: 'max(a, b, …)', takes: [2, 8], check: checkExtreme },
  coalesce: { usage: 'coalesce(field, value)', takes: [2, 8], check: checkCoalesce },
  has: { usage: 'has(field)', takes: [1, 1], check: checkHas },
  changed: { usage: 'changed(a, b, …)', takes: [1, 12], check: checkChanged },
  today: {
    usage: 'today()',
    takes: [0, 0],
    check: ({ at }) => ({ node: 'clock', kind: 'date', scale: 0, at, name: 'today' }),
  },
  now: {
    usage: 'now()',
    takes: [0, 0],
    check: ({ at }) => ({ node: 'clock', kind: 'datetime', scale: 0, at, name: 'now' }),
  },
}

function functionNames(): string[] {
  return [...Object.keys(SPECIAL), ...FUNCTIONS.keys(), 'len']
}

/** Checks a call: a row macro, a function, or a method such as `code.startsWith("A")`. Throws ExpressionProblem. */
export function checkCall(call: CallSyntax, context: CheckContext): Node {
  if (call.receiver && isRowMacro(call.name) && findRows(call.receiver, context))
    return checkRowMacro(call, context)
  if (call.receiver) return checkMethod(call, call.receiver, context)
  const name = call.name === 'len' ? 'size' : call.name
  if (name === 'size' && call.args.length === 1 && findRows(call.args[0]!, context)) {
    return checkRowMacro({ ...call, name: 'count', receiver: call.args[0]!, args: [] }, context)
  }
  if (Object.hasOwn(SPECIAL, name)) {
    const form = SPECIAL[name]!
    assertCount(call, form.takes[0], form.takes[1], form.usage)
    return form.check(call, context)
  }
  const spec = FUNCTIONS.get(name)
  if (!spec) throw new ExpressionProblem(unknownFunction(call.name), call.at)
  return plainCall(spec, call, context)
}

function checkMethod(call: CallSyntax, receiver: Syntax, context: CheckContext): Node {
  const rows = findRows(receiver, context)
  if (rows) throw new ExpressionProblem(unknownName('row macro', call.name, ROW_MACROS), call.at)
  // A misspelt table is told as such, not as a method that its kind lacks.
  if (receiver.op === 'name' || receiver.op === 'member') resolve(receiver, context)
  const spec = FUNCTIONS.get(call.name)
  const methods = [...FUNCTIONS.values()].filter((known) => known.method).map((known) => known.name)
  if (!spec?.method) {
    // Nor is a misspelt macro: rows.filtr(…).sum(…).
    if (receiver.op === 'call') context.check(receiver, context)
    const hint = isRowMacro(call.name) ? `; ${call.name}() works on a table` : ''
    throw new ExpressionProblem(unknownName('method', call.name, methods) + hint, call.at)
  }
  return plainCall(spec, { ...call, receiver: null, args: [receiver, ...call.args] }, context)
}

function unknownFunction(name: string): string {
  const pattern = name === 'matches' ? '; patterns belong into the field: pattern:' : ''
  return unknownName('function', name, functionNames()) + pattern
}

function assertCount(call: CallSyntax, least: number, most: number, usage: string): void {
  if (call.args.length >= least && call.args.length <= most) return
  throw new ExpressionProblem(`wrong number of arguments (${call.args.length}): ${usage}`, call.at)
}

function plainCall(spec: FunctionSpec, call: CallSyntax, context: CheckContext): Node {
  const least = spec.params.length
  assertCount(call, least, spec.variadic ? 8 : least, spec.usage)
  const args = call.args.map((arg, index) => {
    const kinds = spec.params[Math.min(index, least - 1)]!
    return argument(context.check(arg, context), kinds, spec)
  })
  const odd = spec.alike ? args.find((arg) => arg.kind !== args[0]!.kind) : undefined
  if (odd) throw badArgument(odd, [args[0]!.kind], spec)
  const kind = spec.result === 'first' ? args[0]!.kind : spec.result
  return folded({ node: 'call', kind, scale: 0, at: call.at, name: spec.name, args })
}

function argument(node: Node, kinds: readonly ScalarKind[], spec: FunctionSpec): Node {
  if (kinds.includes(node.kind)) return node
  const moments = kinds.filter(isMoment)
  const moment = moments.find((kind) => isMomentText(node, kind)) ?? moments[0]
  const adapted = moment ? asMoment(node, moment) : node
  if (kinds.includes(adapted.kind)) return adapted
  throw badArgument(node, kinds, spec)
}

function badArgument(
  node: Node,
  kinds: readonly ScalarKind[],
  spec: FunctionSpec,
): ExpressionProblem {
  const wanted = kinds.map((kind) => describeKind({ kind })).join(' or ')
  const hint =
    kinds.includes('int') && isNumeric(node.kind) ? '; use round(x), floor(x) or ceil(x)' : ''
  return new ExpressionProblem(
    `${spec.usage} takes ${wanted} here, got ${describeKind(node)}${hint}`,
    node.at,
  )
}

function numberArgument(syntax: Syntax, context: CheckContext, name: string): Node {
  const node = context.check(syntax, context)
  if (isNumeric(node.kind)) return node
  throw new ExpressionProblem(`${name}() takes a number, got ${describeKind(node)}`, node.at)
}

function checkRound(call: CallSyntax, context: CheckContext): Node {
  const value = numberArgument(call.args[0]!, context, 'round')
  if (call.args.length === 1) return toKind(value, 'int', 0)
  const places = context.check(call.args[1]!, context)
  const count = places.node === 'literal' && places.kind === 'int' ? Number(places.value) : -1
  if (count < 0 || count > 12) {
    throw new ExpressionProblem(
      'round(x, places) takes a constant from 0 to 12 as its places',
      places.at,
    )
  }
  if (!isNumeric(value.kind) || value.kind === 'int' || count >= value.scale) return value
  return toKind(value, value.kind, count)
}

function whole(call: CallSyntax, context: CheckContext, rounding: 'floor' | 'ceil'): Node {
  return toKind(numberArgument(call.args[0]!, context, call.name), 'int', 0, rounding)
}

function checkAbs(call: CallSyntax, context: CheckContext): Node {
  const value = numberArgument(call.args[0]!, context, 'abs')
  return folded({
    node: 'call',
    kind: value.kind,
    scale: value.scale,
    at: call.at,
    name: 'abs',
    args: [value],
  })
}

function checkExtreme(call: CallSyntax, context: CheckContext): Node {
  const args = call.args.map((arg) => context.check(arg, context))
  const unified = unify(args)
  if (!unified || unified.kind === 'str' || unified.kind === 'bool') {
    const kinds = args.map(describeKind).join(', ')
    throw new ExpressionProblem(
      `${call.name}() takes numbers, or dates of one kind, got ${kinds}`,
      call.at,
    )
  }
  const { nodes, kind, scale } = unified
  return folded({ node: 'call', kind, scale, at: call.at, name: call.name, args: nodes })
}

function fieldArgument(syntax: Syntax, context: CheckContext, name: string): Reference {
  if (syntax.op === 'name' || syntax.op === 'member') return resolve(syntax, context)
  throw new ExpressionProblem(`${name}() takes a field`, syntax.at)
}

function hasNode({ of, field }: Reference, at: Range): Node {
  const { kind, told } = field
  if (kind === 'rows')
    throw new ExpressionProblem(`${told} is a table: write ${told}.count() > 0`, at)
  if (kind === 'record')
    throw new ExpressionProblem(`${told} was found where ${told}.name != ""`, at)
  const text = kind === 'json' || isText(kind)
  return { node: 'has', kind: 'bool', scale: 0, at, of, name: field.name, text }
}

function checkHas(call: CallSyntax, context: CheckContext): Node {
  const [field] = call.args
  return hasNode(fieldArgument(field!, context, 'has'), field!.at)
}

/** Node of coalesce(a, b, c): `has(a) ? a : has(b) ? b : c`; all but the last are fields, which alone may be unset. */
function checkCoalesce(call: CallSyntax, context: CheckContext): Node {
  const last = context.check(call.args.at(-1)!, context)
  return call.args.slice(0, -1).reduceRight((otherwise, arg) => {
    const reference = fieldArgument(arg, context, 'coalesce')
    const value = readNode(reference.of, reference.field, arg.at)
    return chooseNode(hasNode(reference, arg.at), value, otherwise, call.at)
  }, last)
}

/**
 * Node of changed(x, parent.y): `x != old.x || parent.y != old_parent.y`; on create everything old reads as unset.
 */
function checkChanged(call: CallSyntax, context: CheckContext): Node {
  return call.args
    .map((arg) => changedNode(arg, context, call.at))
    .reduce((any, one) => operatorNode('||', any, one, call.at))
}

/** Name of the record that holds what a field was before, by that of the record it is read from. */
const BEFORE: Readonly<Record<string, string>> = { doc: 'old', parent: OLD_PARENT }

function changedNode(arg: Syntax, context: CheckContext, at: Range): Node {
  const { of, field } = fieldArgument(arg, context, 'changed')
  const old = BEFORE[of] ?? ''
  const known = context.scope.records.get(old)
  const before = field.told === field.name ? known?.get(field.name) : known && field
  if (!before) {
    throw new ExpressionProblem(
      `changed() takes fields of the document or row itself, or of the parent of a row, where there is an old one`,
      arg.at,
    )
  }
  return operatorNode('!=', readNode(of, field, arg.at), readNode(old, before, arg.at), at)
}
