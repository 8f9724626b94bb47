/**
 * Patterns of the YAML (`pattern: "^[A-Z]{3}$"`). They run on every write over text a client chose, and
 * JavaScript's engine backtracks: `^(a+)+$` stands still for seconds on 28 characters (reliability.md D2).
 * So a pattern is read here first and refused when the ways to match a text of the field's length are too
 * many to try.
 */

type Node =
  | { readonly kind: 'set'; readonly source: string }
  | { readonly kind: 'start' }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'sequence'; readonly parts: readonly Node[] }
  | { readonly kind: 'choice'; readonly parts: readonly Node[] }
  | { readonly kind: 'repeat'; readonly item: Node; readonly min: number; readonly max: number }

/** Ways to match that may be tried on one text: some ten milliseconds at worst. */
const MAX_WAYS = 5_000_000

class PatternProblem extends Error {}

/**
 * Mistake of a pattern for texts of up to `length` characters, or undefined: it does not compile, it uses what cannot
 * be judged (look-around, back-references), or it could be made slow.
 */
export function patternProblem(pattern: string, length: number): string | undefined {
  try {
    new RegExp(pattern, 'u')
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return `expected a regular expression, got ${JSON.stringify(pattern)}: ${error.message.replace(/^.*: /, '')}`
  }
  try {
    const tree = parsePattern(pattern)
    const starts = startsAnchored(tree) ? 1 : length
    if (waysOf(tree, length) * starts <= MAX_WAYS) return undefined
  } catch (error) {
    if (!(error instanceof PatternProblem)) throw error
    return error.message
  }
  return (
    `${JSON.stringify(pattern)} can take very long on some texts; ` +
    'do not repeat what repeats or has alternatives inside, begin with ^, or give the field a smaller length'
  )
}

/** Candidates for the characters of an example, plain ones first. */
const CHARACTERS = [
  ...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789abcdefghijklmnopqrstuvwxyz',
  ...'-_. /:@#+*,;!?%&=()',
]

/** A text that matches the pattern; `n` makes it differ. The pattern must be without problems. */
export function patternExample(pattern: string, n: number): string {
  let rest = n

  function write(node: Node): string {
    switch (node.kind) {
      case 'set': {
        const matches = new RegExp(`^(?:${node.source})$`, 'u')
        const fitting = CHARACTERS.filter((character) => matches.test(character))
        const chosen = fitting[rest % fitting.length] ?? ''
        rest = Math.floor(rest / Math.max(1, fitting.length))
        return chosen
      }
      case 'sequence':
        return node.parts.map(write).join('')
      case 'choice':
        return write(node.parts[0]!)
      case 'repeat':
        return Array.from({ length: Math.min(node.max, Math.max(node.min, 3)) }, () =>
          write(node.item),
        ).join('')
      default:
        return ''
    }
  }

  return write(parsePattern(pattern))
}

function startsAnchored(node: Node): boolean {
  if (node.kind === 'start') return true
  if (node.kind === 'choice') return node.parts.every(startsAnchored)
  return node.kind === 'sequence' && node.parts[0] !== undefined && startsAnchored(node.parts[0])
}

/** An upper bound of the ways a part can match at one place of a text. */
function waysOf(node: Node, length: number): number {
  switch (node.kind) {
    case 'sequence':
      return node.parts.reduce((ways, part) => ways * waysOf(part, length), 1)
    case 'choice':
      return node.parts.reduce((ways, part) => ways + waysOf(part, length), 0)
    case 'repeat': {
      const max = Math.min(node.max, length)
      const inner = waysOf(node.item, length)
      const counts = max - node.min + 1
      return inner <= 1 ? Math.max(1, counts) : inner ** max * Math.max(1, counts)
    }
    default:
      return 1
  }
}

/** A reader of the syntax of `u` regular expressions, as far as it can be judged. */
function parsePattern(pattern: string): Node {
  let at = 0

  function choice(): Node {
    const parts = [sequence()]
    while (pattern[at] === '|') {
      at += 1
      parts.push(sequence())
    }
    return parts.length === 1 ? parts[0]! : { kind: 'choice', parts }
  }

  function sequence(): Node {
    const parts: Node[] = []
    while (at < pattern.length && pattern[at] !== '|' && pattern[at] !== ')')
      parts.push(repeated(atom()))
    return { kind: 'sequence', parts }
  }

  function atom(): Node {
    const character = String.fromCodePoint(pattern.codePointAt(at)!)
    at += character.length
    if (character === '(') return group()
    if (character === '^') return { kind: 'start' }
    if (character === '$') return { kind: 'nothing' }
    if (character === '[') return set(at - 1, endOfClass())
    if (character === '\\') return escaped()
    return { kind: 'set', source: character }
  }

  function set(from: number, to: number): Node {
    at = to
    return { kind: 'set', source: pattern.slice(from, to) }
  }

  function endOfClass(): number {
    let end = at
    while (pattern[end] !== ']') end += pattern[end] === '\\' ? 2 : 1
    return end + 1
  }

  function group(): Node {
    if (pattern[at] === '?') {
      const plain = /^\?(?::|<[^=!>]+>)/u.exec(pattern.slice(at))
      if (!plain)
        throw new PatternProblem(
          'look-around is not supported; write the pattern without (?= (?! (?<= (?<!',
        )
      at += plain[0].length
    }
    const inner = choice()
    at += 1
    return inner
  }

  function escaped(): Node {
    const from = at - 1
    const letter = pattern[at] ?? ''
    if (/[1-9k]/.test(letter))
      throw new PatternProblem('back-references are not supported; write the pattern without them')
    if (letter === 'b' || letter === 'B') {
      at += 1
      return { kind: 'nothing' }
    }
    const escaped = /^(?:[pPu]\{[^}]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[a-zA-Z]|.)/u.exec(
      pattern.slice(at),
    )
    return set(from, at + (escaped?.[0].length ?? 1))
  }

  function repeated(item: Node): Node {
    const quantifier = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})/.exec(pattern.slice(at))
    if (!quantifier) return item
    at += quantifier[0].length
    if (pattern[at] === '?') at += 1
    const [sign, least = '0', comma, most = ''] = quantifier
    if (sign === '?') return { kind: 'repeat', item, min: 0, max: 1 }
    if (sign === '*' || sign === '+')
      return { kind: 'repeat', item, min: sign === '+' ? 1 : 0, max: Number.POSITIVE_INFINITY }
    const min = Number(least)
    const max = comma === '' ? min : most === '' ? Number.POSITIVE_INFINITY : Number(most)
    return { kind: 'repeat', item, min, max }
  }

  return choice()
}
