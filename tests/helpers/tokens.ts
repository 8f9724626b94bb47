/** A piece of TypeScript source. A template literal gives one `text` per stretch between its `${…}`. */
export interface Token {
  readonly kind: 'word' | 'number' | 'text' | 'regexp' | 'sign'
  /** What is written; for `text` what stands between the quotes. */
  readonly text: string
  readonly line: number
}

const SPACE = /\s+|\/\/[^\n]*|\/\*.*?\*\//sy
const WORD = /[\p{ID_Start}$_#@][\p{ID_Continue}$\u200c\u200d]*/uy
const NUMBER = /\.?\d(?:[\w.]|(?<=[eE])[+-])*/y
const QUOTED = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/sy
const TEMPLATE_PART = /(?:[^`\\$]|\\.|\$(?!\{))*/sy
const REGEXP = /\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y

/** Words after which a `/` begins a regular expression and not a division. */
const BEFORE_REGEXP = new Set([
  'return',
  'typeof',
  'case',
  'in',
  'of',
  'do',
  'else',
  'void',
  'await',
])

/**
 * Splits TypeScript source into its tokens without comments: enough to find imports, texts and switches,
 * which is all that `layers.ts` asks. Throws Error with the line of what it cannot read.
 */
export function tokenize(source: string): Token[] {
  const tokens: Token[] = []
  const templateDepths: number[] = []
  let position = 0
  let line = 1
  let depth = 0

  function take(pattern: RegExp): string | undefined {
    pattern.lastIndex = position
    const match = pattern.exec(source)?.[0]
    if (match === undefined || match === '') return undefined
    position += match.length
    return match
  }

  function add(kind: Token['kind'], text: string): void {
    tokens.push({ kind, text, line })
  }

  function countLines(text: string): void {
    line += text.split('\n').length - 1
  }

  function takeTemplatePart(): void {
    const part = take(TEMPLATE_PART) ?? ''
    add('text', part)
    countLines(part)
    if (source.startsWith('${', position)) {
      position += 2
      templateDepths.push(depth)
    } else if (source[position] === '`') {
      position += 1
    } else {
      throw new Error(`line ${line}: a template literal does not end`)
    }
  }

  while (position < source.length) {
    const space = take(SPACE)
    if (space !== undefined) {
      countLines(space)
      continue
    }
    const word = take(WORD)
    if (word !== undefined) {
      add('word', word)
      continue
    }
    const number = take(NUMBER)
    if (number !== undefined) {
      add('number', number)
      continue
    }
    const quoted = take(QUOTED)
    if (quoted !== undefined) {
      add('text', quoted.slice(1, -1))
      countLines(quoted)
      continue
    }
    const sign = source[position] ?? ''
    if (sign === '/' && regexpMayFollow(tokens.at(-1))) {
      const regexp = take(REGEXP)
      if (regexp === undefined) throw new Error(`line ${line}: a regular expression does not end`)
      add('regexp', regexp)
      continue
    }
    position += 1
    if (sign === '`') {
      takeTemplatePart()
    } else if (sign === '}' && templateDepths.at(-1) === depth) {
      templateDepths.pop()
      takeTemplatePart()
    } else {
      if (sign === '{') depth += 1
      if (sign === '}') depth -= 1
      add('sign', sign)
    }
  }
  return tokens
}

function regexpMayFollow(before: Token | undefined): boolean {
  if (before === undefined) return true
  if (before.kind === 'sign') return !')]}'.includes(before.text)
  return before.kind === 'word' && BEFORE_REGEXP.has(before.text)
}
