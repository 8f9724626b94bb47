/** A mistake in an expression, found when it is loaded; offsets are into its source. */
export interface Problem {
  readonly offset: number
  readonly length: number
  readonly message: string
}

/** Error inside parser and checker; `compileExpression` turns it into a Problem. */
export class ExpressionProblem extends Error implements Problem {
  readonly offset: number
  readonly length: number

  constructor(message: string, at: readonly [number, number]) {
    super(message)
    this.name = 'ExpressionProblem'
    this.offset = at[0]
    this.length = Math.max(at[1] - at[0], 1)
  }
}

/**
 * Error while an expression runs on data it cannot compute with: a division by zero, a whole number beyond 2⁵³, a
 * date outside the years 1 to 9999. The document is at fault, so the caller answers 422.
 */
export class ExpressionError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ExpressionError'
  }
}

/** Place of the first character of an expression in a file; lines and columns count from 1. */
export interface SourcePosition {
  readonly file: string
  readonly line: number
  readonly column: number
}

/**
 * The place of an offset in the file. Exact for plain and quoted one-line scalars; in a block scalar
 * the line is exact and the column counts from the block's text.
 */
export function locate<Start extends SourcePosition>(
  offset: number,
  source: string,
  start: Start,
): Start {
  const before = source.slice(0, offset).split('\n')
  const last = before[before.length - 1]!
  if (before.length === 1) return { ...start, column: start.column + last.length }
  return { ...start, line: start.line + before.length - 1, column: last.length + 1 }
}

/** One line for a person: ``sales_invoice.yaml:26:39: unknown field 'net_totl' …  in  `net_totl + 1` ``. */
export function describeProblem(problem: Problem, source: string, start: SourcePosition): string {
  const { file, line, column } = locate(problem.offset, source, start)
  return `${file}:${line}:${column}: ${problem.message}  in  \`${source}\``
}

const LISTED = 25

/** Message about a name: `unknown field 'net_totl', did you mean 'net_total'? (have: name, docstatus, …)` */
export function unknownName(what: string, name: string, known: Iterable<string>): string {
  const names = [...known]
  const nearest = nearestName(name, names)
  const list = names.slice(0, LISTED).join(', ') + (names.length > LISTED ? ', …' : '')
  const hint = nearest === undefined ? '' : `, did you mean '${nearest}'?`
  return `unknown ${what} '${name}'${hint} (have: ${list === '' ? 'none' : list})`
}

/** The known name that a misspelt one most likely meant: at most a third of its letters differ. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(name.length / 3)) + 1
  for (const candidate of known) {
    const distance = editDistance(name, candidate)
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      current[j] = Math.min(previous[j]! + 1, current[j - 1]! + 1, replaced)
    }
    previous = current
  }
  return previous[b.length]!
}
