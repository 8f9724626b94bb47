/** A part of a pattern: what it takes to tell in how many ways it matches. */
export type PatternNode =
  | { readonly kind: 'set'; readonly source: string }
  | { readonly kind: 'start' }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly parts: readonly PatternNode[] }
  | {
      readonly kind: 'repeat'
      readonly item: PatternNode
      readonly min: number
      readonly max: number
    }

/** Says in its message what a pattern uses that cannot be judged. */
export class PatternProblem extends Error {}

/** Reads the syntax of a `u` regular expression that compiles. Throws PatternProblem. */
export function parsePattern(pattern: string): PatternNode {
  return new PatternReader(pattern).read()
}

class PatternReader {
  readonly #pattern: string
  #at = 0

  constructor(pattern: string) {
    this.#pattern = pattern
  }

  read(): PatternNode {
    return this.#choice()
  }

  #choice(): PatternNode {
    const parts = [this.#sequence()]
    while (this.#pattern[this.#at] === '|') {
      this.#at += 1
      parts.push(this.#sequence())
    }
    return parts.length === 1 ? parts[0]! : { kind: 'choice', parts }
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = []
    while (
      this.#at < this.#pattern.length &&
      this.#pattern[this.#at] !== '|' &&
      this.#pattern[this.#at] !== ')'
    )
      parts.push(this.#repeated(this.#atom()))
    return { kind: 'sequence', parts }
  }

  #atom(): PatternNode {
    const character = String.fromCodePoint(this.#pattern.codePointAt(this.#at)!)
    this.#at += character.length
    if (character === '(') return this.#group()
    if (character === '^') return { kind: 'start' }
    if (character === '$') return { kind: 'nothing' }
    if (character === '[') return this.#set(this.#at - 1, this.#endOfClass())
    if (character === '\\') return this.#escaped()
    return { kind: 'set', source: character }
  }

  #set(from: number, to: number): PatternNode {
    this.#at = to
    return { kind: 'set', source: this.#pattern.slice(from, to) }
  }

  #endOfClass(): number {
    let end = this.#at
    while (this.#pattern[end] !== ']') end += this.#pattern[end] === '\\' ? 2 : 1
    return end + 1
  }

  #group(): PatternNode {
    if (this.#pattern[this.#at] === '?') {
      const plain = /^\?(?::|<[^=!>]+>)/u.exec(this.#pattern.slice(this.#at))
      if (!plain)
        throw new PatternProblem(
          'look-around is not supported; write the pattern without (?= (?! (?<= (?<!',
        )
      this.#at += plain[0].length
    }
    const inner = this.#choice()
    this.#at += 1
    return inner
  }

  #escaped(): PatternNode {
    const from = this.#at - 1
    const letter = this.#pattern[this.#at] ?? ''
    if (/[1-9k]/.test(letter))
      throw new PatternProblem('back-references are not supported; write the pattern without them')
    if (letter === 'b' || letter === 'B') {
      this.#at += 1
      return { kind: 'nothing' }
    }
    const escaped = /^(?:[pPu]\{[^}]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[a-zA-Z]|.)/u.exec(
      this.#pattern.slice(this.#at),
    )
    return this.#set(from, this.#at + (escaped?.[0].length ?? 1))
  }

  #repeated(item: PatternNode): PatternNode {
    const quantifier = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})/.exec(this.#pattern.slice(this.#at))
    if (!quantifier) return item
    this.#at += quantifier[0].length
    if (this.#pattern[this.#at] === '?') this.#at += 1
    const [sign, least = '0', comma, most = ''] = quantifier
    if (sign === '?') return { kind: 'repeat', item, min: 0, max: 1 }
    if (sign === '*' || sign === '+')
      return { kind: 'repeat', item, min: sign === '+' ? 1 : 0, max: Number.POSITIVE_INFINITY }
    const min = Number(least)
    const max = comma === '' ? min : most === '' ? Number.POSITIVE_INFINITY : Number(most)
    return { kind: 'repeat', item, min, max }
  }
}
