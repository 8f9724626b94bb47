import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { compileExpression } from '../../expression/expression.ts'
import type { SqlFragment } from '../../expression/sql/sql-fragment.ts'
import { toSqlCondition } from '../../expression/sql/to-sql.ts'
import type { Scope } from '../../expression/tree/scope.ts'
import { CONDITION } from '../../expression/tree/types.ts'
import { columnOfDocument } from '../../rules/base/columns.ts'
import { fragmentSql } from '../../storage/database/fragment.ts'
import { newestRid, recordsInWindow } from '../../storage/finding/record-windows.ts'
import type { Services } from '../work/context.ts'

/** Names in one page. */
const PAGE = 200
/** Records that one statement looks at: SQLite reads in this thread, and a long scan would hold up every request. */
const WINDOW = 10_000

/**
 * Names of the records that meet a condition now, oldest first, in pages of at most 200. What changes on the way
 * moves nothing; records made after the start are not looked at.
 */
export async function* recordsMeeting(
  { database, clock }: Services,
  definition: DocTypeDefinition,
  source: string,
  scope: Scope,
): AsyncGenerator<readonly string[]> {
  const now = new Date(clock.now()).toISOString()
  const environment = { today: now.slice(0, 10), now, records: {} }
  const condition = fragmentSql(conditionOf(definition, source, scope, database.kind), environment)
  const end = await newestRid(database.read, definition)
  let last = 0
  while (last < end) {
    const window = { after: last, upTo: Math.min(last + WINDOW, end) }
    const rows = await recordsInWindow(database.read, definition, window, condition, PAGE)
    if (rows.length > 0) yield rows.map(({ name }) => name)
    last = rows.length === PAGE ? rows.at(-1)!.rid : window.upTo
  }
}

function conditionOf(
  { doctype }: DocTypeDefinition,
  source: string,
  scope: Scope,
  kind: 'sqlite' | 'postgres',
): SqlFragment {
  const result = compileExpression(source, scope, CONDITION)
  if (!result.ok) throw new Error(`${doctype}: ${result.problem.message}`)
  return toSqlCondition(result.expression.tree, kind, columnOfDocument)
}
