import { SYSTEM_ACTOR } from '../../../engine/access/actor.ts'
import { isoDateTime } from '../../../engine/base/clock.ts'
import type { Check, Difference, Report } from '../../../engine/documents/verify/verify-report.ts'
import { createReads } from '../../../engine/documents/work/reads.ts'
import type { Doc } from '../../../engine/storage/database/document.ts'
import { runSql } from '../../../engine/storage/database/statements.ts'
import { unguardLedgers } from '../../../engine/storage/records/ledger-guard.ts'
import type { Workspace } from './workspace.ts'

/** Shops whose figures follow from sales by rollups, by formulas over those, and by rollups over these. */
export const SHOPS = `
doctype: Chain
module: setup
tier: free
naming: prompt
fields:
  bonuses: {type: currency, rollup: {from: Shop, match: chain, sum: bonus}}
  shops: {type: int, rollup: {from: Shop, match: chain, count: true, where: is_big}}
  summary: {type: data, formula: 'bonuses > 0 ? "pays" : "pays nothing"'}
title: summary
---
doctype: Shop
module: setup
tier: free
naming: prompt
fields:
  chain: {type: link, options: Chain}
  turnover: {type: currency, rollup: {from: Sale, match: shop, sum: total, where: docstatus == 1}}
  sales: {type: int, rollup: {from: Sale, match: shop, count: true, where: docstatus == 1}}
  best: {type: currency, rollup: {from: Sale, match: shop, max: total, where: docstatus == 1}}
  first_day: {type: date, rollup: {from: Sale, match: shop, min: day}}
  bonus: {type: currency, formula: turnover / 3}
  is_big: {type: check, formula: turnover >= 100}
status:
  field: size
  derive: {Big: is_big, Small: "true"}
---
doctype: Plan
module: setup
tier: free
naming: prompt
fields:
  lines:
    type: table
    fields:
      wanted: {type: float}
      sold: {type: float, rollup: {from: Sale.items, match: plan_line, sum: qty, where: parent.docstatus == 1 && parent.shop != "closed"}}
      left_over: {type: float, formula: wanted - sold}
  left_over: {type: float, formula: "lines.sum(l, l.left_over)"}
---
doctype: Sale
module: setup
tier: free
naming: prompt
submittable: true
fields:
  shop: {type: link, options: Shop}
  day: {type: date}
  due: {type: date}
  items:
    type: table
    fields:
      qty: {type: float}
      rate: {type: currency}
      plan_line: {type: link, options: Plan.lines}
      amount: {type: currency, formula: qty * rate}
  total: {type: currency, formula: "items.sum(i, i.amount)"}
  settled: {type: currency, rollup: {from: Settlement, match: sale, sum: amount}}
  open: {type: currency, formula: total - settled}
status:
  field: state
  derive: {Draft: docstatus == 0, Settled: open == 0, Overdue: 'due != "" && due < today()', Due: "true"}
  tick: {daily: docstatus == 1 && due < today()}
validate:
  - {check: total < 1000, field: total, message: is too much for a sale}
  - {check: 'shop == "" || shop.chain != "Closed"', field: shop, message: belongs to a closed chain}
---
doctype: Settlement
module: setup
tier: free
naming: prompt
fields:
  sale: {type: link, options: Sale}
  amount: {type: currency}
`

/** A record as it is put into the database: amounts as scaled BigInts. */
export type Given = Readonly<Record<string, unknown>> & { readonly name: string }

/**
 * Puts records into the database with their formulas computed, but without anything that follows from them
 * elsewhere: no rollup hears of them.
 */
export async function put(
  { engine, definition }: Workspace,
  doctype: string,
  ...given: readonly Given[]
): Promise<void> {
  const { services } = engine
  const { store, behaviour } = services.partsOf(definition(doctype))
  const now = isoDateTime(services.clock)
  await services.database.write(async (tx) => {
    const reads = createReads(tx, services, new Map())
    for (const fields of given) {
      const doc = {
        ...store.empty(),
        created: now,
        modified: now,
        ...fields,
      } as Doc
      const { rules } = behaviour
      rules.compute(doc, undefined, reads, rules.environment(now, SYSTEM_ACTOR.name))
      await store.insert(tx, doc)
      await services.search.insert(tx, store.plan.definition, doc)
    }
  })
}

/** Changes the database as somebody with a SQL client would who takes the guards of ledgers away first. */
export async function behindTheBack(
  { engine }: Workspace,
  ...statements: readonly string[]
): Promise<void> {
  const { database, registry } = engine.services
  const ledgers = registry.all.filter(({ behaviour }) => behaviour.ledger).map(({ table }) => table)
  await database.write(async (tx) => {
    await unguardLedgers(tx, database.kind, ledgers)
    for (const statement of statements) await runSql(tx, statement, [])
  })
}

/** What a report found, by the name of the check; checks that are fine are left out. */
export function foundBy(checks: Report['checks']): Readonly<Record<string, readonly Difference[]>> {
  return Object.fromEntries(failing(checks).map(({ name, found }) => [name, found]))
}

export function failing(checks: Report['checks']): readonly Check[] {
  return checks.filter(({ differences }) => differences > 0)
}
