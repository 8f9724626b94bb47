import { bindParameters, type SqlFragment, sqlText } from '../../expression/sql/sql-fragment.ts'
import type { Environment } from '../../expression/tree/types.ts'
import type { DatabaseKind, Db } from '../../storage/database/database.ts'
import { runSql } from '../../storage/database/statements.ts'

/**
 * SQL with compiled expressions in it as one fragment, whose parameters are numbered when it runs. Texts are
 * put in as they are: they are ours, or names that definitions were checked for.
 *
 *     sqlOf`select ${value} as v from "${table}" where ${condition}`
 */
export function sqlOf(
  texts: readonly string[],
  ...inserts: readonly (string | number | SqlFragment)[]
): SqlFragment {
  const parts = [texts[0] ?? '']
  const parameters: SqlFragment['parameters'][number][] = []
  const append = (text: string): void => void parts.push((parts.pop() ?? '') + text)
  for (const [index, insert] of inserts.entries()) {
    if (typeof insert === 'object') {
      append(insert.parts[0] ?? '')
      parts.push(...insert.parts.slice(1))
      parameters.push(...insert.parameters)
    } else append(String(insert))
    append(texts[index + 1] ?? '')
  }
  return { parts, parameters }
}

/** Fragments with a text between every two. */
export function joined(fragments: readonly SqlFragment[], separator: string): SqlFragment {
  const [first = sqlOf``, ...others] = fragments
  return others.reduce((all, one) => sqlOf`${all}${separator}${one}`, first)
}

/** Environment of expressions that read neither clock nor other records. */
export const NO_ENVIRONMENT: Environment = { today: '', now: '', records: {} }

/** Runs a fragment as a statement. */
export function runFragment<Row>(
  db: Db,
  kind: DatabaseKind,
  fragment: SqlFragment,
  environment: Environment = NO_ENVIRONMENT,
): Promise<readonly Row[]> {
  return runSql<Row>(db, sqlText(fragment, kind), bindParameters(fragment, environment))
}
