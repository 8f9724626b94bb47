import { type ASTNode, Environment as CelParser } from '@marcbachmann/cel-js'
import { ExpressionProblem } from '../tree/problem.ts'
import type { BinaryOperator, Range } from '../tree/types.ts'

/**
 * The expression as written, before names and types are known. Ranges exclude surrounding parentheses;
 * that of a `member` or of a call is the range of the name itself.
 */
export type Syntax =
  | { readonly op: 'number'; readonly text: string; readonly at: Range }
  | { readonly op: 'text'; readonly value: string; readonly at: Range }
  | { readonly op: 'bool'; readonly value: boolean; readonly at: Range }
  | { readonly op: 'name'; readonly name: string; readonly at: Range }
  | { readonly op: 'member'; readonly of: Syntax; readonly name: string; readonly at: Range }
  | {
      readonly op: 'call'
      readonly name: string
      readonly receiver: Syntax | null
      readonly args: readonly Syntax[]
      readonly at: Range
    }
  | { readonly op: 'list'; readonly items: readonly Syntax[]; readonly at: Range }
  | {
      readonly op: 'unary'
      readonly operator: '!' | '-'
      readonly value: Syntax
      readonly at: Range
    }
  | {
      readonly op: 'binary'
      readonly operator: BinaryOperator | 'in'
      readonly left: Syntax
      readonly right: Syntax
      readonly at: Range
    }
  | {
      readonly op: 'choose'
      readonly when: Syntax
      readonly yes: Syntax
      readonly no: Syntax
      readonly at: Range
    }

/** A call of a function, or of a method or row macro of its receiver. */
export type CallSyntax = Extract<Syntax, { op: 'call' }>

/** Reader of an expression's text; throws ExpressionProblem. */
export type Parse = (source: string) => Syntax

/** Longest source an expression may have. */
const MAX_SOURCE = 2000
const LIMITS = {
  maxAstNodes: 400,
  maxDepth: 60,
  maxListElements: 100,
  maxMapEntries: 1,
  maxCallArguments: 8,
}

const cel = new CelParser({ limits: LIMITS })

/**
 * Parses CEL syntax. Throws ExpressionProblem for a syntax error and for the parts of CEL that
 * expressions do not have: maps, indexes, bytes, unsigned numbers, null.
 */
export function parseExpression(source: string): Syntax {
  if (source.trim() === '')
    throw new ExpressionProblem('the expression is empty', [0, source.length])
  if (source.length > MAX_SOURCE) {
    const message = `the expression has ${source.length} characters, at most ${MAX_SOURCE} are allowed`
    throw new ExpressionProblem(message, [MAX_SOURCE, source.length])
  }
  if (PATH.test(source) && !WORD_OF_CEL.test(source)) return pathOf(source)
  refuseComment(source)
  return convert(parseCel(source), source)
}

/** A name, or some one behind the other: a third of all texts, which need no parser. */
const PATH = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*){0,5}$/

/** Words that CEL has or keeps back for itself: what has one in it is left to its parser. */
const WORD_OF_CEL =
  /\b(?:true|false|null|in|as|break|const|continue|else|for|function|if|import|let|loop|package|namespace|return|var|void|while|__proto__|prototype)\b/

/** The syntax of `name` or `record.link.name`. */
function pathOf(source: string): Syntax {
  let end = source.indexOf('.')
  if (end < 0) return { op: 'name', name: source, at: [0, source.length] }
  let syntax: Syntax = { op: 'name', name: source.slice(0, end), at: [0, end] }
  while (end < source.length) {
    const start = end + 1
    const dot = source.indexOf('.', start)
    end = dot < 0 ? source.length : dot
    syntax = { op: 'member', of: syntax, name: source.slice(start, end), at: [start, end] }
  }
  return syntax
}

/** A parser that reads each text once: many fields are computed by the same words. */
export type RememberingParser = Parse & { forget(): void }

export function rememberingParser(): RememberingParser {
  const known = new Map<string, Syntax>()
  const parse: Parse = (source) => {
    const before = known.get(source)
    if (before) return before
    const syntax = parseExpression(source)
    known.set(source, syntax)
    return syntax
  }
  return Object.assign(parse, { forget: () => known.clear() })
}

/** A text in quotes, as the parser takes it, or what begins a comment. */
const TEXT_OR_COMMENT =
  /'''(?:\\[\s\S]|[^\\])*?'''|"""(?:\\[\s\S]|[^\\])*?"""|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|\/\//g

/** Refuses comments, which CEL has: here `a // b` would silently lose its second half to one. */
function refuseComment(source: string): void {
  if (!source.includes('//')) return
  for (const { 0: found, index } of source.matchAll(TEXT_OR_COMMENT)) {
    if (found !== '//') continue
    throw new ExpressionProblem(
      'expressions have no // : write floor(a / b) for whole division, and comments in the YAML, after #',
      [index, index + 2],
    )
  }
}

interface CelError extends Error {
  readonly summary: string
  readonly range?: { readonly start: number; readonly end: number }
}

function parseCel(source: string): ASTNode {
  try {
    return cel.parse(source).ast
  } catch (error) {
    if (!(error instanceof Error) || !('summary' in error)) throw error
    const { summary, range } = error as CelError
    const at: Range = range ? [range.start, range.end] : [0, source.length]
    throw new ExpressionProblem(syntaxMessage(summary, source, at), at)
  }
}

const TOKENS: Readonly<Record<string, string>> = {
  EOF: 'the end',
  IDENTIFIER: 'a name',
  NUMBER: 'a number',
  STRING: 'a text',
  COMMA: "','",
  COLON: "':'",
  DOT: "'.'",
  QUESTION: "'?'",
  LPAREN: "'('",
  RPAREN: "')'",
  LBRACKET: "'['",
  RBRACKET: "']'",
  LBRACE: "'{'",
  RBRACE: "'}'",
  PLUS: "'+'",
  MINUS: "'-'",
  MULTIPLY: "'*'",
  DIVIDE: "'/'",
  MODULO: "'%'",
  AND: "'&&'",
  NOT: "'!'",
}

/** Words for the parser's limits. */
const LIMITED: Readonly<Record<string, string>> = {
  maxAstNodes: 'the expression has too many parts, at most',
  maxDepth: 'the expression is nested too deep, at most',
  maxListElements: 'the list has too many values, at most',
  maxMapEntries: 'expressions have no maps; more entries than',
  maxCallArguments: 'the call has too many arguments, at most',
}

function syntaxMessage(summary: string, source: string, [start, end]: Range): string {
  const [, limit = '', most = ''] = /^Exceeded (\w+) \((\d+)\)$/.exec(summary) ?? []
  if (Object.hasOwn(LIMITED, limit)) return `${LIMITED[limit]} ${most} are allowed`
  if (summary.startsWith('Unexpected character')) {
    // The parser tells the last letter of a word, and half of an emoji.
    const word = source.slice(start, Math.max(end, start + 1))
    const odd = word.isWellFormed() ? word : String.fromCodePoint(source.codePointAt(start) ?? 0)
    return `syntax error: unexpected ${JSON.stringify(odd)}`
  }
  const words = summary.replace(/\b[A-Z]{3,}\b/g, (token) => TOKENS[token] ?? token)
  const text = words.charAt(0).toLowerCase() + words.slice(1)
  const cut = summary.includes('EOF') ? ' (quote an expression with , : # or ? in YAML)' : ''
  return `syntax error: ${text}${cut}`
}

function convert(node: ASTNode, source: string): Syntax {
  const at: Range = [node.start, node.end]
  const sub = (child: ASTNode) => convert(child, source)
  switch (node.op) {
    case 'value':
      return constant(node.args, source.slice(...at), at)
    case 'id':
      return { op: 'name', name: node.args, at }
    case '.':
      return {
        op: 'member',
        of: sub(node.args[0]),
        name: node.args[1],
        at: [node.pos, node.pos + node.args[1].length],
      }
    case 'call': {
      const [name, args] = node.args
      return {
        op: 'call',
        name,
        receiver: null,
        args: args.map(sub),
        at: [at[0], at[0] + name.length],
      }
    }
    case 'rcall': {
      const [name, receiver, args] = node.args
      const start = source.indexOf(name, source.indexOf('.', receiver.end))
      return {
        op: 'call',
        name,
        receiver: sub(receiver),
        args: args.map(sub),
        at: [start, start + name.length],
      }
    }
    case 'list':
      return { op: 'list', items: node.args.map(sub), at }
    case '!_':
      return { op: 'unary', operator: '!', value: sub(node.args), at }
    case '-_':
      return { op: 'unary', operator: '-', value: sub(node.args), at }
    case '?:': {
      const [when, yes, no] = node.args
      return { op: 'choose', when: sub(when), yes: sub(yes), no: sub(no), at }
    }
    case 'map':
      throw new ExpressionProblem('expressions have no maps', at)
    case '[]':
    case '[?]':
    case '.?':
      throw new ExpressionProblem(
        'expressions have no indexes; use a row macro such as items.sum(i, i.qty)',
        at,
      )
    default:
      return {
        op: 'binary',
        operator: node.op,
        left: sub(node.args[0]),
        right: sub(node.args[1]),
        at,
      }
  }
}

function constant(value: unknown, text: string, at: Range): Syntax {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed())
      throw new ExpressionProblem('a text cannot hold the NUL character or half of a character', at)
    return { op: 'text', value, at }
  }
  if (typeof value === 'boolean') return { op: 'bool', value, at }
  if (typeof value === 'bigint') return { op: 'number', text: value.toString(), at }
  if (value === null) {
    throw new ExpressionProblem(
      'there is no null: an unset number is 0, an unset text or date is "", or use has(x)',
      at,
    )
  }
  // The parser reads 0.1 as a binary fraction: the digits themselves are taken from the source instead.
  if (typeof value === 'number' && /^\d+\.\d+$/.test(text)) return { op: 'number', text, at }
  throw new ExpressionProblem(
    `${text} is not a number or text an expression can hold; write it in plain digits`,
    at,
  )
}
