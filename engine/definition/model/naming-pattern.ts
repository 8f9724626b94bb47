import { suggest } from '../../base/suggest.ts'
import type { NamedInstead, Naming } from './definition.ts'

/** One part of a naming pattern, in order. */
export type NamingToken =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'date'; readonly token: string }
  | { readonly kind: 'field'; readonly field: string }
  | { readonly kind: 'counter'; readonly digits: number }

/** Parts of today's date a pattern may hold. */
export const DATE_TOKENS: readonly string[] = ['YYYY', 'YY', 'MM', 'DD', 'WW']

/** A naming that cannot be read; the message says what was expected. */
export class NamingProblem extends Error {}

const MAX_DIGITS = 12
const SIMPLE: ReadonlyMap<string, Naming> = new Map(
  (['prompt', 'autoincrement', 'uuid'] as const).map((kind) => [kind, { kind }]),
)

/**
 * The parts of a pattern such as `SO-{YYYY}-{#####}` (rules.md §4.1). Throws NamingProblem on an unknown
 * token, an unclosed brace, or a second counter.
 */
export function parseNamingPattern(pattern: string): NamingToken[] {
  const tokens: NamingToken[] = []
  let at = 0
  while (at < pattern.length) {
    const open = pattern.indexOf('{', at)
    const text = pattern.slice(at, open < 0 ? pattern.length : open)
    if (text.includes('}'))
      throw new NamingProblem(`has a } without its { in ${JSON.stringify(pattern)}`)
    if (text !== '') tokens.push({ kind: 'text', text })
    if (open < 0) break
    const close = pattern.indexOf('}', open)
    if (close < 0) throw new NamingProblem(`has a { without its } in ${JSON.stringify(pattern)}`)
    tokens.push(tokenOf(pattern.slice(open + 1, close)))
    at = close + 1
  }
  if (tokens.filter(({ kind }) => kind === 'counter').length > 1) {
    throw new NamingProblem('has two counters; expected one {###}')
  }
  return tokens
}

function tokenOf(inside: string): NamingToken {
  if (/^#+$/.test(inside)) {
    if (inside.length > MAX_DIGITS)
      throw new NamingProblem(`expected at most ${MAX_DIGITS} # in the counter`)
    return { kind: 'counter', digits: inside.length }
  }
  if (DATE_TOKENS.includes(inside)) return { kind: 'date', token: inside }
  if (/^[a-z][a-z0-9_]*$/.test(inside)) return { kind: 'field', field: inside }
  const near = suggest(inside, DATE_TOKENS)
  const hint = near === undefined ? '' : `; did you mean {${near}}?`
  throw new NamingProblem(
    `has the unknown token {${inside}}${hint} (expected {${DATE_TOKENS.join('} {')}}, a field, or {###})`,
  )
}

/** A series, and the field that names the records whose check is on. */
const INSTEAD = /^(.+), field:\s*([a-z][a-z0-9_]*) if ([a-z][a-z0-9_]*)$/

/** A series, and the field that has another pattern for some records. */
const PATTERN_OF = /^(.+), pattern:\s*([a-z][a-z0-9_]*)$/

function withPattern(naming: Naming, patternField: string): Naming {
  if (naming.kind === 'series') return { ...naming, patternField }
  throw new NamingProblem('expected a series with a counter before ", pattern:"')
}

function withInstead(naming: Naming, instead: NamedInstead): Naming {
  if (naming.kind === 'series') return { ...naming, instead }
  throw new NamingProblem('expected a series with a counter before ", field:"')
}

/**
 * Reads `naming:` (grammar in docs/doctypes/cookbook/numbering.md); undefined is `uuid`. Throws NamingProblem when
 * the text is none of the forms, or a pattern that could never give two different names.
 */
export function parseNaming(text: string | undefined): Naming {
  if (text === undefined) return { kind: 'uuid' }
  const simple = SIMPLE.get(text)
  if (simple) return simple
  const [, series, field, when] = INSTEAD.exec(text) ?? []
  if (series !== undefined) return withInstead(parseNaming(series), { field: field!, when: when! })
  const [, usual, patternField] = PATTERN_OF.exec(text) ?? []
  if (usual !== undefined) return withPattern(parseNaming(usual), patternField!)
  if (text.startsWith('field:')) {
    const field = text.slice('field:'.length).trim()
    if (!/^[a-z][a-z0-9_]*$/.test(field))
      throw new NamingProblem(`expected a field after field:, got ${JSON.stringify(field)}`)
    return { kind: 'field', field }
  }
  const tokens = parseNamingPattern(text)
  if (tokens.some(({ kind }) => kind === 'counter')) return { kind: 'series', pattern: text }
  if (tokens.some(({ kind }) => kind === 'field')) return { kind: 'format', pattern: text }
  const near = suggest(text, SIMPLE.keys())
  throw new NamingProblem(
    near === undefined
      ? `expected prompt, autoincrement, uuid, field:<name> or a pattern with a counter or a field such as "SO-{YYYY}-{#####}", got ${JSON.stringify(text)}`
      : `expected a naming, got ${JSON.stringify(text)}; did you mean ${near}?`,
  )
}

/** The fields whose values a naming needs. */
export function namingFields(naming: Naming): string[] {
  if (naming.kind === 'field') return [naming.field]
  if (naming.kind !== 'series' && naming.kind !== 'format') return []
  const fields = parseNamingPattern(naming.pattern).flatMap((token) =>
    token.kind === 'field' ? [token.field] : [],
  )
  return naming.kind === 'series' && naming.instead ? [...fields, naming.instead.field] : fields
}
