import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compileExpression } from '../../../engine/expression/expression.ts'
import { interpret } from '../../../engine/expression/run/interpret.ts'
import { toJs } from '../../../engine/expression/run/to-js.ts'
import { assignValue } from '../../../engine/expression/syntax/assign.ts'
import {
  DECIMAL_SCALE,
  type Environment,
  type FieldValues,
  type Kind,
  MONEY_SCALE,
} from '../../../engine/expression/tree/types.ts'
import { EXPRESSIONS, scopeOf } from './appendix.ts'

const environment: Environment = {
  today: '2026-08-05',
  now: '2026-08-05T09:00:00.000Z',
  records: {},
}

function typeOf(kind: Kind) {
  return { kind, scale: kind === 'money' ? MONEY_SCALE : kind === 'decimal' ? DECIMAL_SCALE : 0 }
}

function compile(where: string, kind: Kind, source: string) {
  const result = compileExpression(source, scopeOf(where), typeOf(kind))
  if (!result.ok) throw new Error(`${where}: ${source}: ${result.problem.message}`)
  return result.expression
}

/** What a field of the kind holds after the formula ran, money rounded to cents. */
function assigned(
  where: string,
  kind: Kind,
  source: string,
  doc: FieldValues,
  records: Environment['records'] = {},
) {
  const expression = compile(where, kind, source)
  const env = { ...environment, records }
  const value = toJs(expression.tree)(doc, env)
  assert.is(interpret(expression.tree, doc, env), value)
  return assignValue(value, expression, typeOf(kind), kind === 'money' ? 2 : undefined)
}

const types = suite('expressions of the design')

types('all have the type of the field they stand at', () => {
  for (const [where, kind, source] of EXPRESSIONS) compile(where, kind, source)
})

types('all evaluate on an empty document, where every field is unset', () => {
  for (const [where, kind, source] of EXPRESSIONS) assigned(where, kind, source, {})
})

const figures = suite('figures worked out by hand')

figures(
  '2.5 × 8.13 and 7 × 1.005 are 20.33 and 7.04: each line is rounded once, half away from zero',
  () => {
    const amount = (qty: bigint, rate: bigint) =>
      assigned('Sales Invoice.items', 'money', 'qty * rate', { qty, rate })
    assert.is(
      compileExpression('qty * rate', scopeOf('Sales Order.items'), typeOf('money')).ok,
      true,
    )
    assert.is(amount(2_500_000n, 8_130_000n), 203_300n)
    assert.is(amount(7_000_000n, 1_005_000n), 70_400n)
    assert.is(amount(-7_000_000n, 1_005_000n), -70_400n)
  },
)

figures('the invoice of the prototype: net 87.64, tax 7.25 % is 6.35, total 93.99', () => {
  const amounts = [203_300n, 70_400n, 400_000n, 150_000n, 52_700n]
  const items = amounts.map((amount) => ({ amount }))
  const net_total = assigned('Sales Invoice', 'money', 'items.sum(i, i.amount)', { items })
  assert.is(net_total, 876_400n)
  const total_taxes = assigned('Sales Invoice', 'money', 'net_total * tax_rate / 100', {
    net_total,
    tax_rate: 7_250_000n,
  })
  assert.is(total_taxes, 63_500n)
  assert.is(
    assigned('Sales Invoice', 'money', 'net_total + total_taxes', { net_total, total_taxes }),
    939_900n,
  )
})

figures('what is left of an invoice after a payment of 50', () => {
  const source = 'docstatus == 1 ? grand_total - paid_amount : 0'
  const doc = { docstatus: 1, grand_total: 939_900n, paid_amount: 500_000n }
  assert.is(assigned('Sales Invoice', 'money', source, doc), 439_900n)
  assert.is(assigned('Sales Invoice', 'money', source, { ...doc, docstatus: 0 }), 0n)
})

figures('the delivered share of an order counts no more than was ordered', () => {
  const source = 'total_qty == 0 ? 0 : items.sum(i, min(i.delivered_qty, i.qty)) * 100 / total_qty'
  const items = [
    { qty: 2_000_000n, delivered_qty: 5_000_000n },
    { qty: 1_000_000n, delivered_qty: null },
  ]
  assert.is(
    assigned('Sales Order', 'decimal', source, { total_qty: 3_000_000n, items }),
    66_666_667n,
  )
  assert.is(assigned('Sales Order', 'decimal', source, { total_qty: null, items }), 0n)
})

figures('hours of a time log: 1 h 40 min are 1.6667', () => {
  const row = { from_time: '2026-08-05T08:00:00.000Z', to_time: '2026-08-05T09:40:00.000Z' }
  const source = 'round(seconds_between(to_time, from_time) / 3600, 4)'
  assert.is(assigned('Timesheet.time_logs', 'decimal', source, row), 1_666_700n)
})

figures('moving average of a bin: 100 ÷ 3 is 33.333333', () => {
  const source = 'actual_qty == 0 ? 0 : stock_value / actual_qty'
  assert.is(
    assigned('Bin', 'decimal', source, { actual_qty: 3_000_000n, stock_value: 100_000_000n }),
    33_333_333n,
  )
})

figures('a due date 30 days on, also past a leap day', () => {
  assert.is(
    assigned('Sales Invoice', 'date', 'add_days(posting_date, 30)', { posting_date: '2024-02-01' }),
    '2024-03-02',
  )
  assert.is(
    assigned('Sales Invoice', 'date', 'add_days(posting_date, 30)', { posting_date: null }),
    null,
  )
})

figures('the key of a bin and the row condition on its parent', () => {
  const bin = { item_code: 'BOLT', warehouse: 'Main' }
  assert.is(
    assigned('Stock Ledger Entry', 'str', 'item_code + "::" + warehouse', bin),
    'BOLT::Main',
  )
  const submitted = { parent: { docstatus: 1 } }
  assert.is(assigned('Delivery Note.items', 'bool', 'parent.docstatus == 1', {}, submitted), true)
})

types.run()
figures.run()
