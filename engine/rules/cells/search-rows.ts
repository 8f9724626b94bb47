import type { RowsKind } from '../../definition/model/hook.ts'
import { bindParameters, type SqlFragment, sqlText } from '../../expression/sql/sql-fragment.ts'
import { assignValue } from '../../expression/syntax/assign.ts'
import type { Scope } from '../../expression/tree/scope.ts'
import {
  CONDITION,
  type Environment,
  type ScalarKind,
  unsetValue,
  type ValueType,
} from '../../expression/tree/types.ts'
import type { SearchInput } from '../../fields/field.ts'
import type { DatabaseKind } from '../../storage/database/database.ts'
import type { Doc, Row } from '../../storage/database/document.ts'
import { askedFirst } from '../base/asked-first.ts'
import type { CompileContext, RuleProblem } from '../base/compiled-rule.ts'
import { hookType } from '../base/hook-type.ts'
import type { RuleReads } from '../base/reads.ts'
import { valueType } from '../base/scopes.ts'
import { sqlOf } from '../base/sql-parts.ts'
import { cellValue } from './cell-text.ts'
import {
  conditionFor,
  readsHere,
  searchedColumn,
  searchedField,
  searchOf,
  speaksOfDocstatus,
} from './record-search.ts'

/** Records that one input takes at most, where it says no `limit`. */
const MOST_ROWS = 5_000

/** Rows that a hook is given from other records. */
export interface SearchRows {
  /** Cells of the document that the condition's parameters are taken from. */
  readonly reads: readonly string[]
  rows(
    cell: Doc | Row,
    environment: Environment,
    reads: RuleReads,
  ): readonly Readonly<Record<string, unknown>>[]
}

/** Compiles the query for an input of a hook; its mistakes go to the context's compiler. */
export function compileSearchRows(
  context: CompileContext,
  { from, where, latest, limit = MOST_ROWS }: SearchInput,
  { rows: shape }: RowsKind,
  here: Scope,
  table: string | undefined,
  path: RuleProblem['path'],
): SearchRows | undefined {
  const search = searchOf(context, from, here)
  const rule =
    search && context.compile(where, search.scope, CONDITION, [...path, 'where'], search.columns)
  if (!search || !rule) return undefined
  const columns = Object.entries(shape).flatMap(([name, kind]) => {
    const field = searchedField(context.registry, search, name)
    if (!field) return []
    return [{ name, sql: searchedColumn(search, name), from: valueType(field), to: hookType(kind) }]
  })
  const canFind = askedFirst(rule.expression.tree)
  const condition = conditionFor(rule.expression.tree, search.columns)
  const alive =
    search.source.submittable && !speaksOfDocstatus(rule.expression) ? ' and d."docstatus" < 2' : ''
  const direction = latest === undefined ? '' : ' desc'
  const first = latest === undefined ? '' : `${searchedColumn(search, latest)} desc nulls last, `
  const made = new Map<SqlFragment, SqlFragment>()
  // One value that holds all rows, since rules read values; numbers are texts in it, so that none is rounded.
  const statement = (kind: DatabaseKind, asked: SqlFragment): SqlFragment => {
    const known = made.get(asked)
    if (known) return known
    const cells = columns.map(({ sql }, at) => `cast(${sql} as text) as v${at}`).join(', ')
    const names = columns.map((_, at) => `r.v${at}`).join(', ')
    const head =
      kind === 'postgres'
        ? `select cast(json_agg(json_build_array(${names})) as text) as value`
        : `select json_group_array(json_array(${names})) as value`
    const whole = sqlOf`${head} from (select ${cells} from ${search.from} where ${asked}${alive} order by ${first}d."rid"${direction} limit ${limit}) r`
    made.set(asked, whole)
    return whole
  }
  return {
    reads: readsHere(rule.expression, table),
    rows(cell, environment, reads) {
      const seen = { ...environment, records: { ...environment.records, this: cell } }
      if (!canFind(seen)) return []
      const whole = statement(reads.kind, condition(reads.kind, seen))
      const parameters = bindParameters(whole, seen)
      const text = reads.value(
        search.source.doctype,
        sqlText(whole, reads.kind),
        parameters,
        String,
      )
      const values = JSON.parse(String(text ?? '[]')) as readonly (readonly (string | null)[])[]
      return values.map((row) =>
        Object.fromEntries(
          columns.map(({ name, from: own, to }, at) => [name, given(row[at] ?? null, own, to)]),
        ),
      )
    },
  }
}

function given(text: string | null, from: ValueType, to: ReturnType<typeof hookType>): unknown {
  if (text === null) return unsetValue(to.kind)
  return assignValue(cellValue(text, from.kind as ScalarKind), from, to) ?? unsetValue(to.kind)
}
