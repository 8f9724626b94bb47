import type { LooksBackDeclaration } from '../../definition/model/looks-back.ts'
import type { Scope } from '../../expression/tree/scope.ts'
import type { Environment, ValueType } from '../../expression/tree/types.ts'
import type { Field } from '../../fields/field.ts'
import type { Value } from '../../fields/field-type.ts'
import { type Doc, type Row, valueIn } from '../../storage/database/document.ts'
import type { CompileContext, CompiledRule, RuleProblem } from '../base/compiled-rule.ts'
import type { RuleReads } from '../base/reads.ts'
import type { RecordSearch } from './record-search.ts'

/** Reader of a record that a ledger keeps, as it was at a place of that ledger. */
export interface AsOf {
  readonly rule: CompiledRule
  /** The value of a field: a sum over the ledger without the rows that stand behind the place. */
  value(found: Doc, name: string, cell: Doc | Row, of: Environment, reads: RuleReads): Value
}

const TEXT: ValueType = { kind: 'str', scale: 0 }

/**
 * Compiles the `as_of` of a find. What stands behind is read only where the record's last place says that there is
 * something; the loader has checked that a ledger which looks back keeps the record.
 */
export function compileAsOf(
  { registry, compile }: CompileContext,
  source: string,
  { source: target }: RecordSearch,
  here: Scope,
  path: RuleProblem['path'],
): AsOf | undefined {
  const rule = compile(source, here, TEXT, [...path, 'as_of'])
  const ledger = registry.byDoctype(target.behaviour.upsertFrom ?? '')
  const declared = ledger?.behaviour.ledger?.looks_back
  if (!rule || !ledger || !declared) return undefined
  const kept = (operation: string, value: string): string | undefined =>
    target.fields.find((field) => isRollup(field, ledger.doctype, operation, value))?.name
  const last = kept('max', declared.place)
  const sums = [kept('sum', declared.quantity), kept('sum', declared.value)]
  // A record that is kept for several series has the sums of all of them.
  const series = declared.series.filter((name) =>
    target.fields.some((field) => field.name === name),
  )
  const behind = { ...declared, series }
  const texts = {
    sqlite: sumsBehind(ledger.table, behind, () => '?'),
    postgres: sumsBehind(ledger.table, behind, (at) => `$${at}`),
  }
  return {
    rule,
    value(found, name, cell, environment, reads) {
      const value = valueIn(found, name)
      const sum = sums.indexOf(name)
      if (sum < 0 || last === undefined) return value
      const place = rule.evaluate()(cell, environment)
      if (typeof place !== 'string' || String(found[last] ?? '') <= place) return value
      const of = series.map((field) => valueIn(found, field))
      const text = reads.value(ledger.doctype, texts[reads.kind], [...of, place], String)
      const more = String(text ?? '').split(' ')[sum]
      return BigInt((value ?? 0) as bigint | number) - BigInt(more || 0)
    },
  }
}

function isRollup({ rollup }: Field, from: string, operation: string, value: string): boolean {
  return rollup?.from === from && rollup.operation === operation && rollup.value === value
}

/** Statement for the sums of quantity and value behind a place, as one text. */
function sumsBehind(
  table: string,
  { series, place, quantity, value }: LooksBackDeclaration,
  mark: (at: number) => string,
): string {
  const sum = (column: string): string => `cast(coalesce(sum("${column}"), 0) as text)`
  const same = series.map((name, at) => `"${name}" = ${mark(at + 1)}`).join(' and ')
  return `select ${sum(quantity)} || ' ' || ${sum(value)} as value from "${table}" where ${same} and "${place}" > ${mark(series.length + 1)}`
}
