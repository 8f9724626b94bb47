import type { Document, LineCounter, Node, Scalar } from 'yaml'
import { yamlLibrary } from '../../base/lazy-libraries.ts'
import { readPlainYaml } from './plain-yaml.ts'

/** The largest YAML file that is read, in bytes (reliability.md D3). */
export const MAX_FILE_BYTES = 256 * 1024
/** Nesting a DocType needs at most, with room. */
const MAX_DEPTH = 24
const TOO_DEEP = `expected at most ${MAX_DEPTH} levels of nesting`
/** V8's words for the error of the parser at thousands of nested brackets. */
const STACK_OVERFLOW = 'Maximum call stack'
/** Most syntax errors that are reported: one slip can set off a long trail, and the first ones say enough. */
const MAX_SYNTAX_PROBLEMS = 20
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** Place in a text; line and column count from 1. */
export interface Place {
  readonly line: number
  readonly column: number
}

export interface ParseProblem extends Place {
  readonly message: string
}

export interface Parsed {
  /** The content as plain data; undefined when it could not be read. */
  readonly data: unknown
  readonly problems: readonly ParseProblem[]
}

/** Steps from the root of a file to a value: `['fields', 'qty', 'min']`. */
export type Path = readonly (string | number)[]

/**
 * Reads the text of one YAML file, strictly: duplicate keys, unknown tags, anchors and aliases (bombs), keys
 * that are not text, `__proto__`, texts over 256 KB and deep nesting are problems. Never throws on any text.
 */
export function parseYaml(text: string): Parsed {
  if (Buffer.byteLength(text) > MAX_FILE_BYTES) {
    return failed(
      `expected a file of at most ${MAX_FILE_BYTES / 1024} KB, got ${Math.ceil(Buffer.byteLength(text) / 1024)} KB`,
    )
  }
  const plain = readPlainYaml(text)
  return plain === undefined ? parseFully(text) : { data: plain, problems: [] }
}

/** Reads YAML as `parseYaml` does, without the short cut for plain files. */
export function parseFully(text: string): Parsed {
  const lines = new (yamlLibrary().LineCounter)()
  try {
    const document = parseStrictly(text, lines)
    const problems = syntaxProblems(document, text, lines)
    if (problems.length > 0) return { data: undefined, problems }
    if (document.contents === null) return failed('expected keys and values, got an empty file')
    const data = plainData(document.contents as Node, 1, (node, message) => {
      problems.push({ ...placeAt(lines, node.range?.[0] ?? 0), message })
    })
    return { data: problems.length > 0 ? undefined : data, problems }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return failed(TOO_DEEP)
  }
}

function syntaxProblems(document: Document, text: string, lines: LineCounter): ParseProblem[] {
  const found = [...document.errors, ...document.warnings]
  if (found.some(({ message }) => message.startsWith(STACK_OVERFLOW))) {
    return [{ line: 1, column: 1, message: TOO_DEEP }]
  }
  const problems = found.slice(0, MAX_SYNTAX_PROBLEMS).map(({ code, pos, message }) => ({
    ...placeAt(lines, pos[0]),
    message: code === 'DUPLICATE_KEY' ? `${keyAt(text, pos[0])} is there twice; keep one` : message,
  }))
  if (document.directives?.yaml.explicit) {
    problems.push({
      line: 1,
      column: 1,
      message: 'directives (%YAML) are not supported; remove the line',
    })
  }
  return problems
}

function keyAt(text: string, offset: number): string {
  return /^[^\s:,{}]{1,60}/.exec(text.slice(offset, offset + 60))?.[0] ?? 'a key'
}

/** Finder of places in a text: of the key or the value at a path, or of the nearest part when it is not there. */
export interface Locator {
  /** Finds the place at a path; undefined when it is not in this text. */
  find(path: Path, part: PlacePart): Place | undefined
}

/** Part of an entry: its key, its value with the quotes around it, or the value's own first letter. */
export type PlacePart = 'key' | 'value' | 'text'

/**
 * Finds places in a text that `parseYaml` has read without problems. Parses again: places are needed only
 * when something is wrong, and keeping every node of every file would cost memory all the time.
 */
export function createLocator(text: string): Locator {
  const lines = new (yamlLibrary().LineCounter)()
  const document = parseStrictly(text, lines)

  function find(path: Path, part: PlacePart): Place | undefined {
    let node: unknown = document.contents
    let key: unknown
    for (const step of path) {
      if (yamlLibrary().isMap(node)) {
        const pair = node.items.find(
          (item) => yamlLibrary().isScalar(item.key) && String(item.key.value) === String(step),
        )
        if (!pair) return undefined
        key = pair.key
        node = pair.value
      } else if (yamlLibrary().isSeq(node)) {
        if (typeof step !== 'number' || step >= node.items.length) return undefined
        key = node.items[step]
        node = node.items[step]
      } else return undefined
    }
    const found = ((part === 'key' || isEmpty(node) ? key : node) ??
      key ??
      document.contents) as Node | null
    const start = part === 'text' ? textStart(text, found) : found?.range?.[0]
    return placeAt(lines, start ?? 0)
  }

  return { find }
}

/** Offset at which the text of a scalar begins: behind its quote, or, of a block, in the line after its `|` or `>`. */
function textStart(text: string, node: Node | null): number {
  const start = node?.range?.[0] ?? 0
  if (!yamlLibrary().isScalar(node)) return start
  if (node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE') return start + 1
  if (node.type !== 'BLOCK_LITERAL' && node.type !== 'BLOCK_FOLDED') return start
  return start + (/^[^\n]*\n\s*/.exec(text.slice(start))?.[0].length ?? 0)
}

/** Whether a key has no value; the place of the value would be that of the sign behind it. */
function isEmpty(node: unknown): boolean {
  return yamlLibrary().isScalar(node) && node.value === null && node.range?.[0] === node.range?.[1]
}

function parseStrictly(text: string, lines: LineCounter): Document {
  return yamlLibrary().parseDocument(text, {
    lineCounter: lines,
    strict: true,
    uniqueKeys: true,
    prettyErrors: false,
    logLevel: 'error',
  })
}

function failed(message: string): Parsed {
  return { data: undefined, problems: [{ line: 1, column: 1, message }] }
}

function placeAt(lines: LineCounter, offset: number): Place {
  const { line, col } = lines.linePos(offset)
  return { line: Math.max(1, line), column: Math.max(1, col) }
}

type Report = (node: Node, message: string) => void

function plainData(node: Node | null, depth: number, report: Report): unknown {
  if (node === null) return null
  if (depth > MAX_DEPTH) {
    report(node, TOO_DEEP)
    return undefined
  }
  if (yamlLibrary().isAlias(node)) {
    report(node, 'aliases (*name) are not supported; write the value out')
    return undefined
  }
  const { anchor, tag } = node as { anchor?: string; tag?: string }
  if (anchor !== undefined) report(node, 'anchors (&name) are not supported; write the value out')
  if (tag !== undefined) report(node, `tags (${tag}) are not supported; remove it`)
  if (yamlLibrary().isMap(node)) {
    const data: Record<string, unknown> = {}
    for (const { key, value } of node.items) {
      const name = keyOf(key as Node, report)
      if (name !== undefined) data[name] = plainData(value as Node | null, depth + 1, report)
    }
    return data
  }
  if (yamlLibrary().isSeq(node))
    return node.items.map((item) => plainData(item as Node | null, depth + 1, report))
  const { value } = node as Scalar
  if (typeof value === 'number' && !Number.isFinite(value))
    report(node, `expected a finite number, got ${value}`)
  if (typeof value === 'string' && !value.isWellFormed())
    report(node, 'expected well-formed Unicode text')
  if (typeof value === 'string' && value.includes('\0'))
    report(node, 'expected text without the NUL character')
  return value
}

function keyOf(key: Node | null, report: Report): string | undefined {
  if (!yamlLibrary().isScalar(key) || typeof key.value !== 'string') {
    if (key)
      report(
        key,
        `expected a text as key${yamlLibrary().isScalar(key) ? `; quote it: "${String(key.value)}"` : ''}`,
      )
    return undefined
  }
  if (FORBIDDEN_KEYS.has(key.value) || !key.value.isWellFormed() || key.value.includes('\0')) {
    report(key, `${JSON.stringify(key.value)} cannot be a key`)
    return undefined
  }
  return key.value
}
