/** A mistake in a YAML file; line and column count from 1. */
export interface DefinitionProblem {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly message: string
  /** Where the file is used, when it is that of a block: `sales/sales-order.yaml:8:7`. */
  readonly usedBy?: string
}

/**
 * Every mistake of a set of YAML files at once, sorted by file, line and column; its message has a line
 * `file:line:column: message` for each. Nothing of the set may be used.
 */
export class DefinitionErrors extends Error {
  readonly problems: readonly DefinitionProblem[]

  constructor(problems: readonly DefinitionProblem[]) {
    const sorted = foldUses(problems).sort(byPlace)
    super(sorted.map(formatProblem).join('\n'))
    this.name = 'DefinitionErrors'
    this.problems = sorted
  }
}

/** Line of a problem, `file:line:column: message`: the form editors and terminals jump to. */
export function formatProblem({ file, line, column, message }: DefinitionProblem): string {
  return `${file}:${line}:${column}: ${message}`
}

/** Each problem once; one in a block names who uses it, the first of them where they are several. */
function foldUses(problems: readonly DefinitionProblem[]): DefinitionProblem[] {
  const groups = Map.groupBy(problems, formatProblem)
  return [...groups.values()].map((same) => {
    const { usedBy: _, ...problem } = same[0] as DefinitionProblem
    const users = [...new Set(same.flatMap(({ usedBy = [] }) => usedBy))].sort()
    if (users.length === 0) return problem
    const more = users.length > 1 ? ` and ${users.length - 1} more` : ''
    return { ...problem, message: `${problem.message} (used by ${users[0]}${more})` }
  })
}

function byPlace(a: DefinitionProblem, b: DefinitionProblem): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1
  return a.line - b.line || a.column - b.column || (a.message < b.message ? -1 : 1)
}
