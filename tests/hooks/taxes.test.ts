import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { randomOf, rounds, seedsOf } from '../helpers/random.ts'
import { randomDocument, TEMPLATES } from '../helpers/random-taxes.ts'
import { plainTotals } from '../helpers/tax-calculator.ts'
import { type PlainRecord, refusalOf, runHook } from './run-hook.ts'

const SEEDS = seedsOf(import.meta.filename, [1, 2, 3])

const RECORDS = {
  'Item Tax Template': Object.fromEntries(
    Object.entries(TEMPLATES).map(([name, rates]) => [
      name,
      { taxes: Object.entries(rates).map(([tax_type, tax_rate]) => ({ tax_type, tax_rate })) },
    ]),
  ),
}

const taxesOf = (document: PlainRecord): unknown[] =>
  runHook('tax_amounts', document, RECORDS).map((row) => row.tax_amount)
const netsOf = (document: PlainRecord): unknown[] =>
  runHook('net_amounts', document, RECORDS).map((row) => row.net_amount)

const VAT = { charge_type: 'On Net Total', account_head: 'Output Tax', rate: 19 }
const EACH = {
  charge_type: 'On Item Quantity',
  account_head: 'Freight Charged',
  charge: 0.5,
}
const onRow = (kind: string, reference_row: number, rate: number, more: object = {}) => ({
  charge_type: `On Previous Row ${kind}`,
  account_head: 'Freight Charged',
  reference_row,
  rate,
  ...more,
})
const INCLUDED = { included_in_print_rate: true }

const test = suite('taxes and net amounts of a document')

test('follow from the net total, from the row before, and from the total up to it', () => {
  // 200 net: 19 % = 38; 5 % of 38 = 1.90; 10 % of 200 + 38 + 1.90 = 23.99; 3 pieces at 0.50 = 1.50
  const taxes = [VAT, onRow('Amount', 1, 5), onRow('Total', 2, 10), EACH]
  const items = [
    { amount: 150, qty: 2 },
    { amount: 50, qty: 1 },
  ]
  assert.equal(taxesOf({ items, taxes }), [38, 1.9, 23.99, 1.5])
  assert.equal(netsOf({ items, taxes }), [150, 50])
})

test('are taken out of prices that contain them, to the last cent', () => {
  // 19 % and 10 % of that: 1 + 0.19 + 0.019 = 1.209. 100 / 1.209 = 82.7130: 15.7155 and 1.5715 tax
  const taxes = [{ ...VAT, ...INCLUDED }, onRow('Amount', 1, 10, INCLUDED)]
  assert.equal(taxesOf({ items: [{ amount: 100, qty: 1 }], taxes }), [15.72, 1.57])
  assert.equal(netsOf({ items: [{ amount: 100, qty: 1 }], taxes }), [82.71])
  // Ten times 0.99 / 1.2 = 0.825 are 8.25 net, not ten times 0.83: the first row takes the five cents less.
  const ten = Array.from({ length: 10 }, () => ({ amount: 0.99, qty: 1 }))
  const included = { items: ten, taxes: [{ ...VAT, rate: 20, ...INCLUDED }] }
  assert.equal(taxesOf(included), [1.65])
  assert.equal(netsOf(included), [0.78, ...Array.from({ length: 9 }, () => 0.83)])
  // 0.50 for each of two pieces and 20 % of the rest: (13 − 1) / 1.2 = 10
  const each = {
    items: [{ amount: 13, qty: 2 }],
    taxes: [
      { ...EACH, ...INCLUDED },
      { ...VAT, rate: 20, ...INCLUDED },
    ],
  }
  assert.equal([...taxesOf(each), ...netsOf(each)], [1, 2, 10])
})

test('have the rates of an item’s own template, where it names the account', () => {
  // 19 % of 100 and 7 % of 100; the second row is 10 % of both
  const items = [
    { amount: 100, qty: 1 },
    { amount: 100, qty: 1, item_tax_template: 'Reduced' },
    { amount: 100, qty: 1, item_tax_template: 'Exempt' },
  ]
  assert.equal(taxesOf({ items, taxes: [VAT, onRow('Amount', 1, 10)] }), [26, 2.6])
  // 119 / 1.19, 107 / 1.07 and 100 with nothing in it
  const gross = [119, 107, 100].map((amount, index) => ({ ...items[index]!, amount }))
  const included = { items: gross, taxes: [{ ...VAT, ...INCLUDED }] }
  assert.equal(netsOf(included), [100, 100, 100])
  assert.equal(taxesOf(included), [26])
})

test('leave what a discount on the grand total says, and freight has no part in it', () => {
  // 100 + 19 + 10 freight = 129. 10 off: 109 of 119 are left: 17.40 tax, and 119 − 17.40 − 10 = 91.60 net
  const freight = { charge_type: 'Actual', account_head: 'Freight Charged', charge: 10 }
  const document = {
    items: [{ amount: 100, qty: 1 }],
    taxes: [VAT, freight],
    apply_discount_on: 'Grand Total',
    discount: 10,
  }
  assert.equal([...netsOf(document), ...taxesOf(document)], [91.6, 17.4, 10])
})

test('leave free what is free: the largest amount takes what is lost in rounding', () => {
  // 1 off 10.01 + 20.02 + 0: exactly 9.6766…, 19.3533…, 0, rounded 9.68 + 19.35, together 29.03 as it should be;
  // 0.01 off 3 × 1.00: 0.99666… each, rounded 3 × 1.00, so that the first of them takes the cent
  const discounted = (discount: number, ...amounts: number[]) =>
    netsOf({ items: amounts.map((amount) => ({ amount, qty: 1 })), taxes: [], discount })
  assert.equal(discounted(1, 0, 10.01, 20.02), [0, 9.68, 19.35])
  assert.equal(discounted(0.01, 0, 1, 1, 1), [0, 0.99, 1, 1])
})

test('refuse rows that cannot be calculated', () => {
  const items = [{ amount: 100, qty: 1 }]
  const refusal = (...taxes: PlainRecord[]) => refusalOf('tax_amounts', { items, taxes })
  assert.match(
    refusal(VAT, onRow('Amount', 2, 5)),
    'row 2 is taken on an earlier row: expected reference_row from 1 to 1, got 2',
  )
  assert.match(refusal(onRow('Total', 0, 5)), 'got 0')
  assert.match(
    refusal({ ...VAT, charge_type: 'Actual', ...INCLUDED }),
    'row 1: a fixed amount cannot be included',
  )
  assert.match(refusal({ ...VAT, ...INCLUDED, category: 'Valuation' }), 'row 1: what only raises')
  assert.match(refusal(VAT, onRow('Amount', 1, 5, INCLUDED)), 'row 2 is included in the prices')
  const rows = [{ ...VAT, ...INCLUDED }, VAT, { ...VAT, ...INCLUDED }]
  assert.match(refusal(...rows, onRow('Total', 3, 5, INCLUDED)), 'row 4 is included in the prices')
  assert.equal(runHook('net_amounts', { items, taxes: [onRow('Total', 0, 5)] }), [])
  assert.match(
    refusal({ ...VAT, rate: 100, add_deduct_tax: 'Deduct', ...INCLUDED }),
    'deduct all of them',
  )
})

test('charges that add to the value of goods are spread over what is kept in stock', () => {
  const items = [
    { base_net_amount: 100, is_stock_item: true },
    { base_net_amount: 500, is_stock_item: false },
    { base_net_amount: 200, is_stock_item: true },
  ]
  const spread = (amount: number, rows: readonly PlainRecord[]) =>
    runHook('valuation_taxes', { items: rows, amount }).map((row) => row.item_tax_amount)
  // 10 × 100 / 300 = 3.33, 10 × 200 / 300 = 6.67
  assert.equal(spread(10, items), [3.33, 0, 6.67])
  assert.equal(spread(10, [items[1]!]), [0])
  assert.equal(spread(10, [{ base_net_amount: 0, is_stock_item: true }]), [10])
})

for (const seed of SEEDS)
  test(`are those of an independent calculator, whatever the document (seed ${seed})`, () => {
    const random = randomOf(seed)
    for (let round = 0; round < rounds(150); round++) {
      const document = randomDocument(random, round % 3 === 0)
      const { percentage = 0, ...rest } = document
      const expected = plainTotals(document)
      const charged = rest.taxes.map((tax) => ({ ...tax, charge: tax.charge_amount ?? 0 }))
      const input = { ...rest, taxes: charged } as unknown as PlainRecord
      const [found] =
        percentage === 0 ? [] : runHook('total_discount', { ...input, percentage }, RECORDS)
      const discount = percentage === 0 ? (rest.discount ?? 0) : Number(found!.discount_amount)
      const taxes = taxesOf({ ...input, discount }) as number[]
      const nets = netsOf({ ...input, discount }) as number[]
      const cents = (amount: number): number => Math.round(amount * 100)
      assert.equal(
        {
          net: cents(nets.reduce((sum, net) => sum + net, 0)),
          taxes: taxes.map(cents),
          discount: cents(discount),
        },
        { net: expected.net, taxes: [...expected.taxes], discount: expected.discount },
        `round ${round}: ${JSON.stringify(document)}`,
      )
    }
  })

test.run()
