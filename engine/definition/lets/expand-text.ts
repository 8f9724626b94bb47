import { ROW_MACROS } from '../../expression/syntax/check-rows.ts'
import type { Parse, Syntax } from '../../expression/syntax/parse.ts'
import { ExpressionProblem } from '../../expression/tree/problem.ts'
import { type Edit, type ExpandedText, edited, inParentheses } from './expanded-text.ts'
import { type Frame, frameBehind, type Let, type LetLevel, type WrittenText } from './let.ts'

/** What the names of a text mean where it stands. */
export interface View {
  /** The record of bare names; undefined where they are those of another DocType. */
  readonly own: Frame | undefined
  /** Records by name, beside `parent` and `old` of the own one; undefined for one without lets. */
  readonly heads: ReadonlyMap<string, Frame | undefined>
}

/** What an expansion reads texts with, and what it tells. */
export interface Telling {
  readonly parse: Parse
  used(one: Let): void
  /** A mistake in a text; `offset` is into it. */
  problem(at: WrittenText, offset: number, message: string): void
}

interface Expanding {
  readonly text: WrittenText
  readonly view: View
  readonly tell: Telling
  /** The lets that the text stands in, outermost first. */
  readonly way: readonly Let[]
  /** Names of rows around it. */
  readonly around: ReadonlySet<string>
  readonly edits: Edit[]
}

/** Rows that macros of the text have named: what they are called where it is put in, and their frame. */
type Bound = ReadonlyMap<string, { readonly as: string; readonly frame: Frame | undefined }>

/** Records of the environment, whose names are the same wherever an expression stands. */
const ALWAYS: ReadonlySet<string> = new Set(['user', 'input', 'given'])

/** Pattern of the texts that have one of these words: others name no let. Undefined where there are no words. */
export function wordOf(words: readonly string[]): RegExp | undefined {
  return words.length === 0 ? undefined : new RegExp(`\\b(?:${words.join('|')})\\b`)
}

/**
 * A text with the lets it names in place: `left > 0` as `(qty - billed_qty) > 0`, `items.sum(i, i.left)` as
 * `items.sum(i, (i.qty - i.billed_qty))`. Undefined where it names none, or is no expression.
 */
export function expandText(text: WrittenText, view: View, tell: Telling): ExpandedText | undefined {
  const expanded = expand(text, view, tell, [], new Set())
  return expanded && expanded.inserted.length > 0 ? expanded : undefined
}

function expand(
  text: WrittenText,
  view: View,
  tell: Telling,
  way: readonly Let[],
  around: ReadonlySet<string>,
): ExpandedText | undefined {
  const expanding: Expanding = { text, view, tell, way, around, edits: [] }
  let syntax: Syntax
  try {
    syntax = tell.parse(text.text)
  } catch (error) {
    if (!(error instanceof ExpressionProblem)) throw error
    // That of an expression itself is told when it is compiled.
    if (way.length > 0) tell.problem(text, error.offset, error.message)
    return undefined
  }
  walk(syntax, new Map(), expanding)
  const expanded = edited(text, expanding.edits)
  return way.length > 0 && OPERATED.has(syntax.op) ? inParentheses(expanded) : expanded
}

/** What needs parentheses to stay together among operators. */
const OPERATED: ReadonlySet<Syntax['op']> = new Set(['unary', 'binary', 'choose'])

function walk(syntax: Syntax, bound: Bound, at: Expanding): void {
  if (syntax.op === 'name') name(syntax, bound, at)
  else if (syntax.op === 'member') path(syntax, bound, at)
  else if (syntax.op === 'call') call(syntax, bound, at)
  else for (const part of partsBelow(syntax)) walk(part, bound, at)
}

function partsBelow(syntax: Syntax): readonly Syntax[] {
  switch (syntax.op) {
    case 'list':
      return syntax.items
    case 'unary':
      return [syntax.value]
    case 'binary':
      return [syntax.left, syntax.right]
    case 'choose':
      return [syntax.when, syntax.yes, syntax.no]
    default:
      return []
  }
}

function name(
  { name: word, at: [start, end] }: Extract<Syntax, { op: 'name' }>,
  bound: Bound,
  at: Expanding,
): void {
  const { own } = at.view
  if (!own || bound.has(word)) return
  const found = own.level.lets.get(word)
  if (found) putIn(found, own, [start, end], bound, at)
  else putBefore(own, word, start, at)
}

function path(syntax: Extract<Syntax, { op: 'member' }>, bound: Bound, at: Expanding): void {
  const [base, second, third] = partsOf(syntax)
  if (base?.op !== 'name') {
    if (base) walk(base, bound, at)
    return
  }
  if (second?.op !== 'member') return
  const { own, heads } = at.view
  const word = base.name
  const row = bound.get(word)
  const isVariable = row !== undefined || heads.has(word)
  const frame = isVariable ? (row?.frame ?? heads.get(word)) : own && frameBehind(own, word)
  const end = second.at[1]
  const found = frame ? frame.level.lets.get(second.name) : undefined
  const whole = found ?? (isVariable || frame ? undefined : own?.level.lets.get(word))
  if (whole && (!found || third)) {
    at.tell.problem(at.text, base.at[0], `${whole.name} is a let, which has no fields`)
  } else if (frame && found) putIn(found, frame, [base.at[0], end], bound, at)
  else if (frame) rename(frame, word, [base.at[0], second.at[0]], at)
  else if (row && row.as !== word) at.edits.push({ start: base.at[0], end: base.at[1], by: row.as })
  else if (!isVariable && own && !ALWAYS.has(word)) putBefore(own, word, base.at[0], at)
}

/** The parts of a path from its beginning: of `a.b.c` a, a.b and a.b.c. */
function partsOf(syntax: Syntax): readonly Syntax[] {
  return syntax.op === 'member' ? [...partsOf(syntax.of), syntax] : [syntax]
}

function call(syntax: Extract<Syntax, { op: 'call' }>, bound: Bound, at: Expanding): void {
  const { receiver, args } = syntax
  if (receiver) walk(receiver, bound, at)
  const [variable, body] = args
  const isMacro = receiver && ROW_MACROS.some((macro) => macro === syntax.name)
  if (!isMacro || args.length !== 2 || variable?.op !== 'name' || !body) {
    for (const arg of args) walk(arg, bound, at)
    return
  }
  const as = freshName(variable.name, at.around)
  const [start, end] = variable.at
  if (as !== variable.name) at.edits.push({ start, end, by: as })
  const row = { as, frame: rowOf(receiver, as, bound, at) }
  walk(body, new Map(bound).set(variable.name, row), at)
}

/** Name of a row that none of those around it has, or it would hide what is meant of them. */
function freshName(word: string, around: ReadonlySet<string>): string {
  if (!around.has(word)) return word
  let number = 2
  while (around.has(`${word}${number}`)) number += 1
  return `${word}${number}`
}

/** Frame of the rows that a chain of macros goes through: `items`, `parent.items`, `items.filter(i, …)`. */
function rowOf(syntax: Syntax, variable: string, bound: Bound, at: Expanding): Frame | undefined {
  if (syntax.op === 'call')
    return syntax.receiver ? rowOf(syntax.receiver, variable, bound, at) : undefined
  const [base, member] = partsOf(syntax)
  if (base?.op !== 'name') return undefined
  const { own, heads } = at.view
  const document =
    member?.op === 'member'
      ? (bound.get(base.name)?.frame ??
        heads.get(base.name) ??
        (own && frameBehind(own, base.name)))
      : own
  const table = member?.op === 'member' ? member.name : base.name
  const level = document?.level.tables.get(table)
  return level && { ...rowsIn(document as Frame, level), self: `${variable}.` }
}

/** Frame of rows of a document, whose own names are still to be said. */
function rowsIn({ level, self }: Frame, rows: LetLevel): Omit<Frame, 'self'> {
  return { level: rows, document: level, ofDocument: self }
}

/** Puts a let in place of its name. */
function putIn(
  found: Let,
  frame: Frame,
  [start, end]: readonly [number, number],
  bound: Bound,
  { text, tell, way, around, edits }: Expanding,
): void {
  tell.used(found)
  if (way.includes(found)) {
    const circle = [...way.slice(way.indexOf(found)), found].map((one) => one.name)
    tell.problem(found, 0, `a let cannot use itself: ${circle.join(' → ')}`)
    return
  }
  if (frame.self === undefined) {
    tell.problem(text, start, `${found.name} cannot be read here`)
    return
  }
  const inner = new Set([...around, ...[...bound.values()].map(({ as }) => as)])
  const expanded = expand(found, { own: frame, heads: new Map() }, tell, [...way, found], inner)
  if (expanded) edits.push({ start, end, by: expanded, isLet: true })
}

/** Writes what has to stand before an own name of a let where that is used. */
function putBefore(own: Frame, word: string, start: number, at: Expanding): void {
  const before = own.self ?? ''
  const first = before === '' ? word : before.slice(0, -1)
  const isHidden = before === '' && at.way.length > 0 && at.around.has(first)
  if (isHidden)
    at.tell.problem(
      at.text,
      start,
      `a row is called ${first}, which hides what is meant here; call it otherwise`,
    )
  else if (before !== '') at.edits.push({ start, end: start, by: before })
}

/** Writes a record of a let as it is called where that is used: `parent.` of a row as nothing in its document. */
function rename(
  { self }: Frame,
  word: string,
  [start, end]: readonly [number, number],
  { text, tell, edits, way }: Expanding,
): void {
  if (self === `${word}.`) return
  if (self !== undefined) edits.push({ start, end, by: self })
  else if (way.length > 0)
    tell.problem(text, start, `${word} is not known where ${way.at(-1)?.name ?? ''} is used`)
}
