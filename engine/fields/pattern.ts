import { type PatternNode, PatternProblem, parsePattern } from './pattern-tree.ts'

/**
 * Patterns of the YAML (`pattern: "^[A-Z]{3}$"`). They run on every write over text a client chose, and
 * JavaScript's engine backtracks: `^(a+)+$` stands still for seconds on 28 characters (reliability.md D2).
 * So a pattern is read here first and refused when the ways to match a text of the field's length are too
 * many to try.
 */

/** Ways to match that may be tried on one text: some ten milliseconds at worst. */
const MAX_WAYS = 5_000_000

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
  ...'-_. /:@#+*,;!?%&=(){}[]<>|~$^',
]

/** A text that matches the pattern; `n` makes it differ. The pattern must be without problems. */
export function patternExample(pattern: string, n: number): string {
  let rest = n

  function write(node: PatternNode): string {
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

function startsAnchored(node: PatternNode): boolean {
  if (node.kind === 'start') return true
  if (node.kind === 'choice') return node.parts.every(startsAnchored)
  return node.kind === 'sequence' && node.parts[0] !== undefined && startsAnchored(node.parts[0])
}

/** An upper bound of the ways a part can match at one place of a text. */
function waysOf(node: PatternNode, length: number): number {
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
