import type { Token } from './tokens.ts'

/** A function with a body: declared, a method, or an arrow. */
export interface FunctionText {
  /** As it is declared or assigned; `(arrow)` for what has no name. */
  readonly name: string
  /** Of the first word of its signature. */
  readonly line: number
  /** From there to the end of its body, functions in it counted in. */
  readonly lines: number
}

/** Words that stand before `(` and `{` and begin no method. */
const STATEMENTS = new Set(['if', 'for', 'while', 'switch', 'catch', 'with', 'function', 'return'])

/** Words that a type goes on after. */
const TYPE_OPERATORS = new Set(['keyof', 'typeof', 'readonly', 'asserts', 'unique', 'infer', 'new'])

/** Words after which an expression goes on in the next line. */
const GOES_ON = new Set(['await', 'typeof', 'new', 'in', 'of', 'as', 'satisfies', 'return'])

const CLOSES: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' }

/** All functions of a source, by where they begin. Reads what the formatter has laid out, not any TypeScript. */
export function functionsOf(tokens: readonly Token[]): FunctionText[] {
  const found: FunctionText[] = []
  tokens.forEach((token, at) => {
    const one = declaredAt(tokens, at) ?? methodAt(tokens, at) ?? arrowAt(tokens, at)
    if (one === undefined) return
    const line = token.line
    const last = tokens[one.end - 1]?.line ?? line
    found.push({ name: one.name, line, lines: last - line + 1 })
  })
  return found
}

interface Found {
  readonly name: string
  /** Position of the token after the body. */
  readonly end: number
}

/** `function name<…>(…): … {…}`, the word `function` being at `at`. */
function declaredAt(tokens: readonly Token[], at: number): Found | undefined {
  if (!isWord(tokens[at], 'function') || tokens[at - 1]?.text === '.') return undefined
  let next = at + 1
  if (isSign(tokens[next], '*')) next += 1
  const name = tokens[next]?.kind === 'word' ? tokens[next]?.text : undefined
  if (name !== undefined) next += 1
  const end = bodyAfter(tokens, next)
  return end === undefined ? undefined : { name: name ?? '(function)', end }
}

/** `name<…>(…): … {…}` of a class or an object, the name being at `at`. */
function methodAt(tokens: readonly Token[], at: number): Found | undefined {
  const token = tokens[at]
  const before = tokens[at - 1]
  if (token?.kind !== 'word' || STATEMENTS.has(token.text)) return undefined
  const isMember =
    before === undefined ||
    before.line < token.line ||
    before.kind === 'word' ||
    [',', '{', '*'].includes(before.text)
  const isDeclared = isWord(before, 'function') || isWord(tokens[at - 2], 'function')
  if (!isMember || isDeclared || isSign(before, '.')) return undefined
  const end = bodyAfter(tokens, at + 1)
  return end === undefined ? undefined : { name: token.text, end }
}

/** Where the body ends of a signature whose `<…>` or `(…)` is at `at`; undefined when there is none. */
function bodyAfter(tokens: readonly Token[], at: number): number | undefined {
  const open = isSign(tokens[at], '<') ? balanced(tokens, at) : at
  if (!isSign(tokens[open], '(')) return undefined
  const body = afterReturnType(tokens, balanced(tokens, open))
  return isSign(tokens[body], '{') ? balanced(tokens, body) : undefined
}

/** `(…): … => …`, the `(` being at `at`; the formatter writes no parameter without it. */
function arrowAt(tokens: readonly Token[], at: number): Found | undefined {
  if (!isSign(tokens[at], '(')) return undefined
  const arrow = afterReturnType(tokens, balanced(tokens, at))
  if (!isArrow(tokens, arrow)) return undefined
  const body = arrow + 2
  const end = isSign(tokens[body], '{') ? balanced(tokens, body) : afterExpression(tokens, body)
  return { name: assignedName(tokens, at), end }
}

/** The word in `word = (…) =>` and `word: (…) =>`, `async` and type parameters aside. */
function assignedName(tokens: readonly Token[], at: number): string {
  let before = at - 1
  if (isWord(tokens[before], 'async')) before -= 1
  const isAssigned = isSign(tokens[before], '=') || isSign(tokens[before], ':')
  const name = isAssigned ? tokens[before - 1] : undefined
  return name?.kind === 'word' ? name.text : '(arrow)'
}

/** The position after the bracket that closes the one at `at`. */
function balanced(tokens: readonly Token[], at: number): number {
  const open = tokens[at]?.text ?? ''
  const close = CLOSES[open]
  let depth = 0
  for (let i = at; i < tokens.length; i += 1) {
    if (tokens[i]?.kind !== 'sign') continue
    if (tokens[i]?.text === open) depth += 1
    if (tokens[i]?.text === close && !(close === '>' && isSign(tokens[i - 1], '='))) depth -= 1
    if (depth === 0) return i + 1
  }
  return tokens.length
}

/** The position after `: type`, or `at` where none is written. */
function afterReturnType(tokens: readonly Token[], at: number): number {
  return isSign(tokens[at], ':') ? afterType(tokens, at + 1) : at
}

function afterType(tokens: readonly Token[], at: number): number {
  let next = at
  while (isSign(tokens[next], '|', '&', '-') || isTypeOperator(tokens[next])) next += 1
  const isGroup = isSign(tokens[next], '(')
  next = isSign(tokens[next], '{', '(', '[') ? balanced(tokens, next) : next + 1
  if (isGroup && isArrow(tokens, next)) return afterType(tokens, next + 2)
  for (;;) {
    if (isSign(tokens[next], '<', '[')) next = balanced(tokens, next)
    else if (isSign(tokens[next], '.')) next += 2
    else break
  }
  const goesOn = isSign(tokens[next], '|', '&') || isWord(tokens[next], 'is')
  return goesOn ? afterType(tokens, next + 1) : next
}

function isTypeOperator(token: Token | undefined): boolean {
  return token?.kind === 'word' && TYPE_OPERATORS.has(token.text)
}

/** The position after the expression at `at`: a comma, a bracket that closes, or a line that begins anew. */
function afterExpression(tokens: readonly Token[], at: number): number {
  let next = at
  while (next < tokens.length) {
    const token = tokens[next]
    if (isSign(token, ',', ';', ')', ']', '}')) break
    if (next > at && beginsAnew(tokens, next)) break
    next = isSign(token, '(', '[', '{') ? balanced(tokens, next) : next + 1
  }
  return next
}

function beginsAnew(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at]
  const before = tokens[at - 1]
  if (token === undefined || before === undefined || token.line === before.line) return false
  if (token.kind === 'sign') return token.text === '@'
  if (before.kind === 'word') return !GOES_ON.has(before.text)
  return before.kind !== 'sign' || [')', ']', '}', '>'].includes(before.text)
}

function isArrow(tokens: readonly Token[], at: number): boolean {
  return isSign(tokens[at], '=') && isSign(tokens[at + 1], '>')
}

function isSign(token: Token | undefined, ...signs: readonly string[]): boolean {
  return token?.kind === 'sign' && signs.includes(token.text)
}

function isWord(token: Token | undefined, word: string): boolean {
  return token?.kind === 'word' && token.text === word
}
