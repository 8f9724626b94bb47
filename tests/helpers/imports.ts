import type { Token } from './tokens.ts'

/** One import, or export from elsewhere, of a source file. */
export interface Import {
  /** As written: `../base/errors.ts`, `kysely`, `node:fs`. */
  readonly specifier: string
  /**
   * Erased before the program runs: `import type` and `export type`. `import { type A }` is none, it still
   * loads the module (verbatimModuleSyntax).
   */
  readonly typeOnly: boolean
  /** `export … from`. */
  readonly reExport: boolean
  readonly line: number
}

/** The imports of a file: static, for side effects, re-exports and `import('…')` of a plain text. */
export function importsOf(tokens: readonly Token[]): Import[] {
  const imports: Import[] = []
  tokens.forEach((token, at) => {
    if (token.kind !== 'word' || tokens[at - 1]?.text === '.') return
    if (token.text !== 'import' && token.text !== 'export') return
    const specifier = specifierAfter(tokens, at)
    if (specifier === undefined) return
    imports.push({
      specifier,
      typeOnly: isTypeOnly(tokens, at),
      reExport: token.text === 'export',
      line: token.line,
    })
  })
  return imports
}

function specifierAfter(tokens: readonly Token[], at: number): string | undefined {
  const next = tokens[at + 1]
  if (tokens[at]?.text === 'import') {
    if (next?.kind === 'text') return next.text
    if (next?.text === '.') return undefined
    if (next?.text === '(')
      return tokens[at + 2]?.kind === 'text' ? tokens[at + 2]?.text : undefined
  } else if (!['{', '*', 'type'].includes(next?.text ?? '')) {
    return undefined
  }
  for (let i = at + 1; i < tokens.length; i += 1) {
    const { kind, text } = tokens[i] as Token
    const following = tokens[i + 1]
    if (text === 'from' && following?.kind === 'text') return following.text
    // A clause holds names, braces, commas and a star; anything else is another statement.
    if (kind !== 'word' && !'{},*'.includes(text)) return undefined
    if (text === '}' && following?.text !== 'from') return undefined
  }
  return undefined
}

function isTypeOnly(tokens: readonly Token[], at: number): boolean {
  if (tokens[at + 1]?.text !== 'type') return false
  const after = tokens[at + 2]
  return after?.text !== 'from' && after?.text !== ','
}
