import type { Registry } from '../../definition/model/registry.ts'
import { placeIn } from '../../definition/yaml/origins.ts'
import type { Path } from '../../definition/yaml/parse.ts'
import type { DefinitionProblem } from '../../definition/yaml/problems.ts'
import type { Origin, Places } from '../../definition/yaml/source.ts'
import { compileExpression, type Expression } from '../../expression/expression.ts'
import type { SqlColumn } from '../../expression/sql/sql-fragment.ts'
import { sqlProblem } from '../../expression/sql/to-sql.ts'
import { locate } from '../../expression/tree/problem.ts'
import type { Scope } from '../../expression/tree/scope.ts'
import type { ValueType } from '../../expression/tree/types.ts'
import type { Scopes } from '../../rules/base/scopes.ts'

/** Place of one report: where its mistakes are reported, and its names looked up. */
export interface Site {
  readonly registry: Registry
  readonly scopes: Scopes
  complain(path: Path, message: string, part?: 'key' | 'value'): void
  /** Compiles what runs in the database; undefined for a mistake, which is reported. */
  inSql(text: string, scope: Scope, type: ValueType | undefined, path: Path): Expression | undefined
  /** Compiles what runs before the statement does. */
  inJs(text: string, scope: Scope, type: ValueType | undefined, path: Path): Expression | undefined
}

/** Column that any name stands for, as far as the check goes. */
const COLUMN: SqlColumn = { sql: 'x', nullable: true }

/** The site of a report whose parts come from these files. */
export function siteOf(
  origins: readonly Origin[],
  places: Places,
  { registry, scopes }: Pick<Site, 'registry' | 'scopes'>,
  problems: DefinitionProblem[],
): Site {
  function compile(
    text: string,
    scope: Scope,
    type: ValueType | undefined,
    path: Path,
    isForSql: boolean,
  ): Expression | undefined {
    const result = compileExpression(text, scope, type)
    const problem = result.ok
      ? isForSql && sqlProblem(result.expression.tree, () => COLUMN)
      : result.problem
    if (!problem) return (result as Extract<typeof result, { ok: true }>).expression
    const place = placeIn(origins, path, 'text', places)
    const shown = text.replace(/\s+/g, ' ').trim()
    problems.push({
      ...locate(problem.offset, text, place),
      message: `${problem.message}  in  \`${shown}\``,
    })
    return undefined
  }

  return {
    registry,
    scopes,
    complain(path, message, part = 'value') {
      problems.push({ ...placeIn(origins, path, part, places), message })
    },
    inSql: (text, scope, type, path) => compile(text, scope, type, path, true),
    inJs: (text, scope, type, path) => compile(text, scope, type, path, false),
  }
}
