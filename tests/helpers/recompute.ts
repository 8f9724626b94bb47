import { type ASTNode, Environment } from '@marcbachmann/cel-js'
import type { ExplainedInput } from '../../engine/documents/explain/explanation.ts'

/**
 * Why the value of a text cannot be told from what is shown: it is hidden (`…`, a value without a name), several inputs have one name,
 * it is of a moment (what was sent, what was before), of a clock that only the write knew, or there is no such input.
 */
type Reason = 'hidden' | 'ambiguous' | 'moment' | 'clock' | 'missing' | 'syntax'

/** A value that cannot be computed from what is shown. */
export class NotShown extends Error {
  readonly reason: Reason

  constructor(reason: Reason, what = '') {
    super(`${reason} ${what}`)
    this.reason = reason
  }
}

/** Row that a macro is at. */
interface RowAt {
  readonly table: string
  readonly index: number
}

/** What a text is evaluated over: the shown inputs by name, the row it is of, and rows of macros by their variables. */
interface Scope {
  readonly inputs: ReadonlyMap<string, unknown>
  readonly row: RowAt | undefined
  readonly bound: ReadonlyMap<string, RowAt>
  readonly record: Readonly<Record<string, unknown>>
}

const cel = new Environment({ limits: { maxAstNodes: 4000, maxDepth: 200 } })

/**
 * Value of the text of an explanation over the inputs that it shows, by a small evaluator in plain numbers that shares nothing with the
 * engine but the parser. `row` is that of a column: `items`, 0; `record` is asked for no more than how many rows its tables have, and which links are unset. Throws NotShown where the text needs what nobody sees any more.
 */
export function recomputed(
  text: string,
  inputs: readonly ExplainedInput[],
  row: RowAt | undefined,
  record: Readonly<Record<string, unknown>>,
): unknown {
  if (text.includes('…')) throw new NotShown('hidden')
  const known = new Map<string, unknown>()
  for (const { field, value } of inputs) {
    if (field === '') throw new NotShown('hidden')
    const before = known.get(field)
    if (known.has(field) && before !== value) throw new NotShown('ambiguous')
    known.set(field, value)
  }
  const { source, places } = named(text, [...known.keys()])
  const scope = new Map(known)
  for (const [place, field] of places) scope.set(place, known.get(field))
  return evaluate(parsed(source), { inputs: scope, row, record, bound: new Map() })
}

function parsed(source: string): ASTNode {
  try {
    return cel.parse(source).ast
  } catch (_syntax) {
    throw new NotShown('syntax', source)
  }
}

/** The text with names that are none of CEL, such as `Payment Entry.references`, as plain ones. */
function named(text: string, fields: readonly string[]) {
  const odd = fields.filter((field) => /^[A-Z]|\s/.test(field))
  const places = new Map<string, string>()
  let source = text
  for (const [at, field] of odd.toSorted((a, b) => b.length - a.length).entries()) {
    places.set(`shown_${at}`, field)
    source = source.replaceAll(field, `shown_${at}`)
  }
  return { source, places }
}

const MACROS = new Set(['sum', 'min', 'max', 'count', 'all', 'exists', 'filter'])

function evaluate(node: ASTNode, scope: Scope): unknown {
  const of = (child: ASTNode): unknown => evaluate(child, scope)
  switch (node.op) {
    case 'value':
      return typeof node.args === 'bigint' ? Number(node.args) : node.args
    case 'id':
    case '.':
      return namedValue(pathOf(node), scope)
    case 'list':
      return node.args.map(of)
    case '!_':
      return !of(node.args)
    case '-_':
      return -number(of(node.args))
    case '?:':
      return of(node.args[0]) ? of(node.args[1]) : of(node.args[2])
    case '&&':
      return Boolean(of(node.args[0])) && Boolean(of(node.args[1]))
    case '||':
      return Boolean(of(node.args[0])) || Boolean(of(node.args[1]))
    case 'call':
      return called(node.args[0], node.args[1], scope)
    case 'rcall': {
      const [name, receiver, args] = node.args
      return MACROS.has(name) && (args.length > 0 || name === 'count')
        ? overRows(name, receiver, args, scope)
        : called(name, [receiver, ...args], scope)
    }
    case 'in':
      return (of(node.args[1]) as readonly unknown[]).some((one) => same(of(node.args[0]), one))
    default:
      return binary(node.op, of(node.args[0] as ASTNode), of(node.args[1] as ASTNode))
  }
}

function binary(operator: string, left: unknown, right: unknown): unknown {
  switch (operator) {
    case '==':
      return same(left, right)
    case '!=':
      return !same(left, right)
    case '+':
      return typeof left === 'string' || typeof right === 'string'
        ? `${left ?? ''}${right ?? ''}`
        : number(left) + number(right)
    case '-':
      return number(left) - number(right)
    case '*':
      return number(left) * number(right)
    case '/':
      return number(left) / number(right)
    case '%':
      return number(left) % number(right)
  }
  const order = compared(left, right)
  if (operator === '<') return order < 0
  if (operator === '<=') return order <= 0
  if (operator === '>') return order > 0
  if (operator === '>=') return order >= 0
  throw new NotShown('syntax', operator)
}

/** Where in a cell's own text it stands: `parent.`, `document.` and a macro's variable say which record or row. */
function pathOf(node: ASTNode): string {
  if (node.op === 'id') return node.args
  if (node.op === '.') return `${pathOf(node.args[0])}.${node.args[1]}`
  throw new NotShown('syntax')
}

function namedValue(written: string, { inputs, row, bound, record }: Scope): unknown {
  // The value as it came is told as the one there is.
  const path = written.replace(/^given\./, '')
  const [head = '', ...rest] = path.split('.')
  if (['old', 'old_parent', 'input', 'user'].includes(head)) throw new NotShown('moment')
  const own = rest.join('.')
  const at = bound.get(head)
  const names = at
    ? [`${at.table}[${at.index}].${own}`]
    : head === 'parent' || head === 'document'
      ? [own]
      : [...(row ? [`${row.table}[${row.index}].${path}`] : []), path]
  const place = at ?? row
  for (const name of names) if (inputs.has(name)) return inputs.get(name)
  if ((at ? own : path) === 'idx' && place) return place.index + 1
  // What an internal column stands for names the columns of its row without the variable of the macro.
  for (const { table, index } of [...bound.values()].toReversed()) {
    const name = `${table}[${index}].${path}`
    if (inputs.has(name)) return inputs.get(name)
  }
  const of = row && (record[row.table] as readonly Readonly<Record<string, unknown>>[])[row.index]
  if (own !== '' && [of?.[head], record[head]].includes(null)) return null
  throw new NotShown('missing', names.join(' or '))
}

/** Rows of a table, or those of them that a filter leaves. */
function rowsOf(node: ASTNode, scope: Scope): readonly RowAt[] {
  if (node.op === 'rcall' && node.args[0] === 'filter') {
    const [variable, condition] = node.args[2]
    return rowsOf(node.args[1], scope).filter((at) =>
      evaluate(condition!, withRow(scope, variable!, at)),
    )
  }
  const table = pathOf(node).replace(/^(?:parent|document)\./, '')
  const list = scope.record[table]
  if (!Array.isArray(list)) throw new NotShown('missing', table)
  return Array.from(list, (_, index) => ({ table, index }))
}

function withRow(scope: Scope, variable: ASTNode, at: RowAt): Scope {
  return { ...scope, bound: new Map([...scope.bound, [pathOf(variable), at]]) }
}

function overRows(
  name: string,
  receiver: ASTNode,
  args: readonly ASTNode[],
  scope: Scope,
): unknown {
  const rows = rowsOf(receiver, scope)
  if (args.length === 0) return rows.length
  const [variable, body] = args
  const values = rows.map((at) => evaluate(body!, withRow(scope, variable!, at)))
  if (name === 'sum') return values.reduce<number>((all, one) => all + number(one), 0)
  if (name === 'count') return values.filter(Boolean).length
  if (name === 'all') return values.every(Boolean)
  if (name === 'exists') return values.some(Boolean)
  const set = values.filter((one) => one !== null && one !== '')
  return set.reduce<unknown>((best, one) => {
    if (best === null) return one
    return compared(one, best) < 0 === (name === 'min') ? one : best
  }, null)
}

const DAY = 86_400_000

function called(name: string, nodes: readonly ASTNode[], scope: Scope): unknown {
  if (name === 'today' || name === 'now') {
    const clock = scope.inputs.get(`${name}()`)
    if (clock === undefined) throw new NotShown('clock')
    return clock
  }
  if (name === 'changed') throw new NotShown('moment')
  const args = nodes.map((node) => evaluate(node, scope))
  const [first, second] = args
  const moment = (): Date => new Date(`${String(first).slice(0, 10)}T00:00:00Z`)
  const day = (date: Date): string => date.toISOString().slice(0, 10)
  if (first === null || first === '')
    if (/^(add_|month_|date$|time$)/.test(name)) return null
    else if (/^(year|month|day|weekday|days_between|seconds_between)$/.test(name)) return 0
  switch (name) {
    case 'has':
      return first !== null && first !== ''
    case 'coalesce':
      return args.find((one) => one !== null && one !== '') ?? args.at(-1)
    case 'round':
      return rounded(number(first), number(second ?? 0))
    case 'floor':
      return Math.floor(number(first) + 1e-9)
    case 'ceil':
      return Math.ceil(number(first) - 1e-9)
    case 'abs':
      return Math.abs(number(first))
    case 'min':
    case 'max':
      return args.reduce((best, one) => (compared(one, best) < 0 === (name === 'min') ? one : best))
    case 'size':
      return [...String(first ?? '')].length
    case 'contains':
      return String(first ?? '').includes(String(second ?? ''))
    case 'startsWith':
      return String(first ?? '').startsWith(String(second ?? ''))
    case 'endsWith':
      return String(first ?? '').endsWith(String(second ?? ''))
    case 'lower':
      return String(first ?? '').toLowerCase()
    case 'upper':
      return String(first ?? '').toUpperCase()
    case 'trim':
      return String(first ?? '').trim()
    case 'concat':
      return args.map((one) => one ?? '').join('')
    case 'date':
      return String(first).slice(0, 10)
    case 'time':
      return String(first).slice(11, 19)
    case 'year':
      return moment().getUTCFullYear()
    case 'month':
      return moment().getUTCMonth() + 1
    case 'day':
      return moment().getUTCDate()
    case 'weekday':
      return moment().getUTCDay() || 7
    case 'days_between':
      if (second === null || second === '') return 0
      return (
        (Date.parse(String(first).slice(0, 10)) - Date.parse(String(second).slice(0, 10))) / DAY
      )
    case 'month_start':
      return `${String(first).slice(0, 8)}01`
    case 'month_end': {
      const date = moment()
      return day(new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)))
    }
    case 'add_days':
      if (String(first).length > 10) throw new NotShown('syntax', name)
      return day(new Date(moment().getTime() + number(second) * DAY))
    case 'add_months':
    case 'add_years': {
      if (String(first).length > 10) throw new NotShown('moment')
      const months = number(second) * (name === 'add_years' ? 12 : 1)
      const date = moment()
      const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months + 1, 0))
      last.setUTCDate(Math.min(last.getUTCDate(), date.getUTCDate()))
      return day(last)
    }
    case 'seconds_between':
      if (second === null || second === '') return 0
      return Math.trunc((Date.parse(asMoment(first)) - Date.parse(asMoment(second))) / 1000)
    default:
      throw new NotShown('syntax', name)
  }
}

function asMoment(value: unknown): string {
  return /^\d\d:/.test(String(value)) ? `1970-01-01T${value}Z` : String(value)
}

/** Half away from zero, as amounts are. */
function rounded(value: number, digits: number): number {
  const factor = 10 ** digits
  return (Math.sign(value) * Math.round(Math.abs(value) * factor * (1 + 1e-12))) / factor
}

function number(value: unknown): number {
  if (value === null || value === '' || value === undefined) return 0
  if (typeof value === 'boolean') return value ? 1 : 0
  const read = Number(value)
  if (Number.isNaN(read)) throw new NotShown('syntax', String(value))
  return read
}

/** Whether two values are the same; unset is 0, an empty text and false. */
export function same(left: unknown, right: unknown): boolean {
  const [one, other] = [left ?? right, right ?? left]
  if (left === null || right === null || left === undefined || right === undefined)
    return one === null || one === undefined || one === '' || one === 0 || one === false
  if (typeof one === 'number' || typeof other === 'number')
    return Math.abs(number(one) - number(other)) < 1e-9 * Math.max(1, Math.abs(number(one)))
  return one === other
}

function compared(left: unknown, right: unknown): number {
  if (typeof left === 'string' || typeof right === 'string') {
    const [one, other] = [String(left ?? ''), String(right ?? '')]
    return one < other ? -1 : Number(one > other)
  }
  return same(left, right) ? 0 : number(left) - number(right)
}
