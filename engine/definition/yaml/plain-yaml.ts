/**
 * A reader of the plain part of YAML that DocTypes are written in: block maps and lists, flow maps and lists
 * on one line or several, plain and quoted scalars on one, comments. It is some ten times faster than a full parser, which is
 * what a start with 140 files needs. Whatever it does not know for certain, mistakes above all, it leaves
 * to the full parser: the answer is undefined then.
 */
export function readPlainYaml(text: string): Readonly<Record<string, unknown>> | undefined {
  if (UNUSUAL.test(text) || MARK.test(text)) return undefined
  try {
    return new Reader(text).document()
  } catch (error) {
    if (error instanceof NotPlain) return undefined
    throw error
  }
}

class NotPlain extends Error {}

/** Error for every text that is not plain; made once, because its stack tells nobody anything. */
const NOT_PLAIN = new NotPlain('not plain YAML')

/** White space but the plain one, and characters that do not print. */
const UNUSUAL =
  /[^\n\x20-\x7e\u00a1-\u167f\u1681-\u1fff\u200b-\u2027\u202a-\u202e\u2030-\u205e\u2060-\u2fff\u3001-\ud7ff\ue000-\ufefe\uff00-\ufffd]/
/** Line that begins or ends a document, or tells the parser something. */
const MARK = /^(?:---|\.\.\.|%)/m
const KEY = /^(?:[$A-Za-z_]|\$\{\w+\})(?:[ .]?(?:[A-Za-z0-9_$-]|\$\{\w+\}))*$/
/** Key that is a text, as labels have them: what may be a number or a word of YAML, or has signs of its own, is none. */
const TEXT_KEY = /^[A-Za-z\u00c0-\u024f][^:#]*$/
/** Key in quotes and the colon behind it, e.g. of a role. */
const QUOTED_KEY = /^(?:"((?:[^"\\]|\\["\\/nt])*)"|'((?:[^']|'')*)'):(?= |$)/
/** Rest of a text in double quotes whose escapes are those of JSON as well. */
const ESCAPED = /^(?:[^"\\]|\\["\\/nt])*"/
/** Key of a map in braces, where those of a parameter would end it. */
const FLOW_KEY = /^[$A-Za-z_][A-Za-z0-9_-]*(?:[ .][A-Za-z0-9_-]+)*$/
/** Characters a plain scalar cannot begin with; `-`, `?` and `:` may when no space follows, which is rare. */
const INDICATORS = '|>&*!%@`"\'#,[]{}?:'
const NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/
/** Pattern of what may be a number; none has a space in it: `1 when it is paid` is a text. */
const LIKE_NUMBER = /^(?:[-+.]*\d|[-+]?\.(?:inf|nan))\S*$/i
const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ...['true', 'True', 'TRUE'].map((word): [string, boolean] => [word, true]),
  ...['false', 'False', 'FALSE'].map((word): [string, boolean] => [word, false]),
  ...['null', 'Null', 'NULL', '~'].map((word): [string, null] => [word, null]),
])
/** A scalar that begins with a letter and has no sign in it that could mean something. */
const WORDY = /^[A-Za-z][\w .,()/=<>&|+*-]*$/
/** Keys that are no keys to others, or no texts. */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['constructor', 'prototype', ...WORDS.keys()])
const MAX_DEPTH = 20

interface Line {
  readonly indent: number
  readonly text: string
}

class Reader {
  readonly #lines: readonly Line[]
  #next = 0
  /** The line inside which a flow value is read, and where. */
  #flow = ''
  #at = 0

  constructor(text: string) {
    const lines: Line[] = []
    for (const raw of text.split('\n')) addLine(lines, raw)
    this.#lines = lines
  }

  document(): Readonly<Record<string, unknown>> {
    if (this.#lines[0]?.indent !== 0) throw NOT_PLAIN
    const data = this.#map(0, 1)
    if (this.#next < this.#lines.length) throw NOT_PLAIN
    return data
  }

  #map(indent: number, depth: number, first?: string): Record<string, unknown> {
    if (depth > MAX_DEPTH) throw NOT_PLAIN
    const data: Record<string, unknown> = {}
    let text = first ?? this.#take(indent)
    while (text !== undefined) {
      const { key, rest } = keyOf(text)
      addKey(data, key, this.#value(withoutComment(rest.trim()), indent, depth, true))
      text = this.#take(indent)
    }
    return data
  }

  #list(indent: number, depth: number): unknown[] {
    if (depth > MAX_DEPTH) throw NOT_PLAIN
    const items: unknown[] = []
    while (this.#isItem(indent)) {
      const { text } = this.#lines[this.#next]!
      const content = text.slice(2).trimStart()
      this.#next += 1
      if (isEntry(content)) {
        items.push(this.#map(indent + text.length - content.length, depth + 1, content))
      } else {
        const value = withoutComment(content)
        if (value === '') throw NOT_PLAIN
        items.push(this.#value(value, indent, depth, false))
      }
    }
    return items
  }

  /** The text of the next line when it belongs to the block of this indent; undefined at the block's end. */
  #take(indent: number): string | undefined {
    const line = this.#lines[this.#next]
    if (!line || line.indent < indent) return undefined
    if (line.indent > indent) throw NOT_PLAIN
    this.#next += 1
    return line.text
  }

  #isItem(indent: number): boolean {
    const line = this.#lines[this.#next]
    return line !== undefined && line.indent === indent && line.text.startsWith('- ')
  }

  #value(text: string, indent: number, depth: number, inMap: boolean): unknown {
    if (text === '') return this.#block(indent, depth, inMap)
    const isFlow = text[0] === '[' || text[0] === '{'
    this.#flow = isFlow ? this.#wholeFlow(text, indent) : text
    const following = this.#lines[this.#next]
    // A deeper line behind a value continues it, which only the full parser understands.
    if (following && following.indent > indent) throw NOT_PLAIN
    if (!isFlow && text[0] !== '"' && text[0] !== "'") return plainScalar(text)
    this.#at = 0
    const value = this.#flowValue(depth)
    if (!/^(?: *$| +#)/.test(this.#flow.slice(this.#at))) throw NOT_PLAIN
    return value
  }

  /** A map or list in brackets with the deeper lines that go on with it. */
  #wholeFlow(begun: string, indent: number): string {
    let text = begun
    while (!isClosed(text)) {
      const line = this.#lines[this.#next]
      const isBetween = /[,[{]$/.test(text) || /^[\]}]/.test(line?.text ?? '')
      if (!line || line.indent <= indent || !isBetween || text.includes(' #')) throw NOT_PLAIN
      this.#next += 1
      text = `${text} ${line.text}`
    }
    return text
  }

  #block(indent: number, depth: number, inMap: boolean): unknown {
    const following = this.#lines[this.#next]
    if (inMap && this.#isItem(indent)) return this.#list(indent, depth + 1)
    if (!following || following.indent <= indent) return null
    return this.#isItem(following.indent)
      ? this.#list(following.indent, depth + 1)
      : this.#map(following.indent, depth + 1)
  }

  #flowValue(depth: number): unknown {
    if (depth > MAX_DEPTH) throw NOT_PLAIN
    const start = this.#flow[this.#at]
    if (start === '{') return this.#flowMap(depth + 1)
    if (start === '[') return this.#flowList(depth + 1)
    if (start === '"' || start === "'") return this.#quoted(start)
    const from = this.#at
    while (this.#at < this.#flow.length && !',[]{}'.includes(this.#flow[this.#at]!)) this.#at += 1
    return plainScalar(this.#flow.slice(from, this.#at).trimEnd())
  }

  #flowMap(depth: number): Record<string, unknown> {
    const data: Record<string, unknown> = {}
    this.#skip('{')
    while (this.#flow[this.#at] !== '}') {
      const end = keyEnd(this.#flow, this.#at)
      const key = this.#flow.slice(this.#at, Math.max(this.#at, end))
      if (!FLOW_KEY.test(key)) throw NOT_PLAIN
      this.#at = end
      this.#skip(':')
      addKey(data, key, this.#flowValue(depth))
      this.#skipComma('}')
    }
    this.#at += 1
    return data
  }

  #flowList(depth: number): unknown[] {
    const items: unknown[] = []
    this.#skip('[')
    while (this.#flow[this.#at] !== ']') {
      items.push(this.#flowValue(depth))
      this.#skipComma(']')
    }
    this.#at += 1
    return items
  }

  #quoted(quote: string): string {
    if (quote === '"') return this.#doubleQuoted()
    let end = this.#flow.indexOf(quote, this.#at + 1)
    while (end >= 0 && this.#flow[end + 1] === quote) end = this.#flow.indexOf(quote, end + 2)
    if (end < 0) throw NOT_PLAIN
    const text = this.#flow.slice(this.#at + 1, end)
    this.#at = end + 1
    return text.replaceAll("''", "'")
  }

  #doubleQuoted(): string {
    const from = this.#at + 1
    const end = this.#flow.indexOf('"', from)
    if (end < 0) throw NOT_PLAIN
    const text = this.#flow.slice(from, end)
    if (!text.includes('\\')) {
      this.#at = end + 1
      return text
    }
    const escaped = ESCAPED.exec(this.#flow.slice(from))?.[0]
    if (escaped === undefined) throw NOT_PLAIN
    this.#at = from + escaped.length
    return JSON.parse(`"${escaped}`) as string
  }

  #skip(sign: string): void {
    if (this.#flow[this.#at] !== sign) throw NOT_PLAIN
    this.#at += 1
    this.#skipSpaces()
  }

  #skipSpaces(): void {
    while (this.#flow[this.#at] === ' ') this.#at += 1
  }

  #skipComma(end: string): void {
    this.#skipSpaces()
    if (this.#flow[this.#at] === end) return
    this.#skip(',')
  }
}

/** Offset of the colon behind a key that begins at `from`; negative where there is none. */
function keyEnd(text: string, from: number): number {
  const colon = text.indexOf(': ', from)
  return colon < 0 && text.endsWith(':') ? text.length - 1 : colon
}

/** The key that a line of a map begins with, and what stands behind its colon. */
function keyOf(text: string): { readonly key: string; readonly rest: string } {
  const [all = '', double, single] = QUOTED_KEY.exec(text) ?? []
  const rest = text.slice(all.length)
  if (double !== undefined) return { key: JSON.parse(`"${double}"`) as string, rest }
  if (single !== undefined) return { key: single.replaceAll("''", "'"), rest }
  const end = keyEnd(text, 0)
  const key = text.slice(0, Math.max(end, 0))
  if (!KEY.test(key) && (!TEXT_KEY.test(key) || key.endsWith(' ') || WORDS.has(key)))
    throw NOT_PLAIN
  return { key, rest: text.slice(end + 1) }
}

/** Whether the text of an item of a list begins with a key. */
function isEntry(text: string): boolean {
  const end = keyEnd(text, 0)
  return end >= 0 && KEY.test(text.slice(0, end))
}

/** Whether every bracket of a flow value is closed; a quoted text ends on the line that it begins on. */
function isClosed(text: string): boolean {
  let open = 0
  // Where a value may begin: a quote within one is a letter like others.
  let isStart = true
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]!
    if (sign === ' ') continue
    if (isStart && (sign === '"' || sign === "'")) {
      at = text.indexOf(sign, at + 1)
      while (at >= 0 && sign === "'" && text[at + 1] === sign) at = text.indexOf(sign, at + 2)
      if (at < 0) throw NOT_PLAIN
    } else if (sign === '[' || sign === '{') open += 1
    else if (sign === ']' || sign === '}') open -= 1
    if (open === 0) return true
    isStart = '[{,'.includes(sign) || (sign === ':' && text[at + 1] === ' ')
  }
  return false
}

/** Notes a line that says something; comments and empty lines do not. */
function addLine(lines: Line[], raw: string): void {
  let indent = 0
  while (raw[indent] === ' ') indent += 1
  if (indent < raw.length && raw[indent] !== '#')
    lines.push({ indent, text: raw.slice(indent).trimEnd() })
}

function addKey(data: Record<string, unknown>, key: string, value: unknown): void {
  // Every map has the keys of its prototype too, and nobody writes them: `constructor`, `toString`.
  if (key in data || FORBIDDEN_KEYS.has(key) || key.startsWith('__')) throw NOT_PLAIN
  data[key] = value
}

/** The text up to a comment; a quoted or flow value keeps its own, which is read over later. */
function withoutComment(text: string): string {
  if (text[0] === '#') return ''
  if (text[0] === '"' || text[0] === "'" || text[0] === '[' || text[0] === '{') return text
  const comment = text.indexOf(' #')
  return comment < 0 ? text : text.slice(0, comment).trimEnd()
}

function wordOr(text: string): string | boolean | null {
  const word = WORDS.get(text)
  return word === undefined ? text : word
}

function plainScalar(text: string): string | number | boolean | null {
  if (WORDY.test(text)) return wordOr(text)
  if (
    text === '' ||
    INDICATORS.includes(text[0]!) ||
    text.includes(': ') ||
    text.endsWith(':') ||
    text.includes(' #')
  ) {
    throw NOT_PLAIN
  }
  if (NUMBER.test(text)) return Number(text)
  if (LIKE_NUMBER.test(text) || text === '-' || text.startsWith('- ')) throw NOT_PLAIN
  return wordOr(text)
}
