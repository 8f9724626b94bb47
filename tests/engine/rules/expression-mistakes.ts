import type { Random } from '../../helpers/random.ts'

/** An expression with a mistake that no scope and no field can make right. */
export interface Mistaken {
  readonly text: string
  /** Where the mistake is reported, when that is one place for certain. */
  readonly offset?: number
}

interface Token {
  readonly text: string
  readonly at: number
  readonly kind: 'name' | 'number' | 'text' | 'operator' | 'sign'
}

const TOKEN =
  /(?<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|(?<name>[A-Za-z_]\w*)|(?<number>\d+(?:\.\d+)?)|(?<operator>==|!=|<=|>=|&&|\|\||[-+*/%<>])|(?<sign>\S)/g
const WORDS: ReadonlySet<string> = new Set(['true', 'false', 'in'])
const MACROS: ReadonlySet<string> = new Set([
  'sum',
  'min',
  'max',
  'count',
  'all',
  'exists',
  'filter',
])

function tokensOf(source: string): Token[] {
  return [...source.matchAll(TOKEN)].map((match): Token => {
    const [kind] = Object.entries(match.groups!).find(([, text]) => text !== undefined)!
    return { text: match[0], at: match.index, kind: kind as Token['kind'] }
  })
}

/** Names that stand for a field or a record, not functions, words and the places where row variables are made. */
function namesOf(tokens: readonly Token[]): readonly { token: Token; isRecord: boolean }[] {
  return tokens.flatMap((token, index) => {
    if (token.kind !== 'name' || WORDS.has(token.text)) return []
    const next = tokens[index + 1]?.text
    const makesVariable =
      next === ',' && tokens[index - 1]?.text === '(' && MACROS.has(tokens[index - 2]?.text ?? '')
    if (next === '(' || makesVariable) return []
    // Before a macro or a method the name is a field: items.sum(…), title.contains(…).
    return [{ token, isRecord: next === '.' && tokens[index + 3]?.text !== '(' }]
  })
}

function replaced(source: string, { at, text }: Token, by: string): string {
  return source.slice(0, at) + by + source.slice(at + text.length)
}

type Mutation = (source: string, random: Random) => Mistaken | undefined

function pick<T>(values: readonly T[], random: Random): T | undefined {
  return values.length === 0 ? undefined : random.one(values)
}

/** Slips by what they are called. Those that do not apply to an expression give undefined. */
export const MISTAKES: Readonly<Record<string, Mutation>> = {
  'a misspelt field'(source, random) {
    const fields = namesOf(tokensOf(source)).filter(({ isRecord }) => !isRecord)
    const name = pick(fields, random)
    return (
      name && { text: replaced(source, name.token, `${name.token.text}zq`), offset: name.token.at }
    )
  },
  'an unknown row variable or record'(source, random) {
    const records = namesOf(tokensOf(source)).filter(({ isRecord }) => isRecord)
    const name = pick(records, random)
    return name && { text: replaced(source, name.token, 'nosuchrow'), offset: name.token.at }
  },
  'a record there is none of': () => ({ text: 'nosuchrow.qty', offset: 0 }),
  'an unknown function'(source, random) {
    const tokens = tokensOf(source)
    const called = tokens.filter(
      ({ kind, text }, index) =>
        kind === 'name' && !WORDS.has(text) && tokens[index + 1]?.text === '(',
    )
    const name = pick(called, random)
    return name && { text: replaced(source, name, `${name.text}zq`), offset: name.at }
  },
  'a function there is none of': (source) => ({ text: `nosuchfunction(${source})`, offset: 0 }),
  'a parenthesis too few'(source, random) {
    const sign = pick(
      tokensOf(source).filter(({ text }) => text === '(' || text === ')'),
      random,
    )
    return sign && { text: replaced(source, sign, '') }
  },
  'a parenthesis too many': (source, random) => ({
    text: random.chance(0.5) ? `(${source}` : `${source})`,
  }),
  'a dropped operand'(source, random) {
    const operator = pick(
      tokensOf(source).filter(({ kind }) => kind === 'operator'),
      random,
    )
    return operator && { text: source.slice(0, operator.at + operator.text.length) }
  },
  'two operators'(source, random) {
    const operator = pick(
      tokensOf(source).filter(({ kind }) => kind === 'operator'),
      random,
    )
    return operator && { text: replaced(source, operator, `${operator.text} *`) }
  },
  'a text in arithmetic'(source, random) {
    const tokens = tokensOf(source)
    const operands = tokens.filter(({ kind, text }, index) => {
      const before = tokens[index - 1]?.text ?? ''
      const alone = tokens[index + 1]?.text !== '.' && tokens[index + 1]?.text !== '('
      return (
        (kind === 'name' || kind === 'number') && alone && /^[-*/%]$/.test(before) && text !== 'in'
      )
    })
    const operand = pick(operands, random)
    return operand && { text: replaced(source, operand, '"a text"') }
  },
  'a comparison with a value of another type'(source, random) {
    const tokens = tokensOf(source)
    const compared = tokens.filter(({ kind, text }, index) => {
      const before = tokens[index - 1]?.text ?? ''
      const after = tokens[index + 1]?.text ?? ''
      const isLast =
        after === '' || after === '&&' || after === '||' || after === ')' || after === '?'
      if (!isLast || !/^(==|!=|<=|>=|<|>)$/.test(before)) return false
      return kind === 'number' || (kind === 'text' && text !== '""')
    })
    const value = pick(compared, random)
    return value && { text: replaced(source, value, value.kind === 'number' ? '"a text"' : '12.5') }
  },
  'a value of any type plus a condition': (source) => ({ text: `(${source}) + true` }),
  'a value that is both number and text': (source) => ({
    text: `((${source}) == 1) == ((${source}) == "a")`,
  }),
  null: (source) => ({ text: `(${source}) == null` }),
  'arguments too many': (source) => ({ text: `abs(${source}, 1)`, offset: 0 }),
  'a regular expression': (source) => ({ text: `(${source}).matches("a+")` }),
  'an index': (source) => ({ text: `(${source})[0]` }),
  'two expressions': (source) => ({ text: `${source} 1 ${source}` }),
  'half a comment': (source) => ({ text: `${source} // 2` }),
  'a text without its end': (source) => ({ text: `(${source}) == "open` }),
  'a letter of another alphabet': (source) => ({ text: `тоtal + (${source})`, offset: 0 }),
  'a prototype': () => ({ text: 'constructor', offset: 0 }),
  'a statement': (source) => ({ text: `${source}; 1` }),
}
