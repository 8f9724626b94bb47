import * as assert from 'uvu/assert'
import { forEachDatabase } from '../../helpers/databases.ts'
import { type Random, randomOf, rounds, seedsOf } from '../../helpers/random.ts'
import { openWorkspace, type Workspace } from './workspace.ts'

const SEEDS = seedsOf(import.meta.filename, [1])

const DOCTYPES = `
doctype: Coin
module: setup
tier: free
naming: prompt
fields:
  title: {type: data}
---
doctype: Bill
module: billing
tier: free
naming: "B-{#####}"
fields:
  currency: {type: link, options: Coin}
  other: {type: link, options: Coin}
  items:
    type: table
    options: Bill Item
    max: 5000
    fields:
      qty: {type: float}
      rate: {type: currency}
      amount: {type: currency, formula: "qty * rate"}
  net: {type: currency, formula: "items.sum(i, i.amount)", filterable: true}
  tax_rate: {type: percent}
  tax: {type: currency, formula: "net * tax_rate / 100"}
  total: {type: currency, formula: "net + tax", filterable: true}
  in_other: {type: currency, currency: other, formula: "net / 3"}
  weight: {type: float, formula: "items.sum(i, i.qty)", filterable: true}
`

/** Decimal places of each currency (ISO 4217). */
const PLACES = { JPY: 0, USD: 2, KWD: 3, XYZ: 2 } as const
type Currency = keyof typeof PLACES
const LINES = rounds(4000)
const LINES_OF_A_BILL = 500

/** What the wire shows is a number whose text is exact: its digits as an integer of 1/10^scale. */
function scaled(value: number, scale: number): bigint {
  const [whole = '', fraction = ''] = String(value).split('.')
  return BigInt(whole + fraction.padEnd(scale, '0'))
}

/** A quotient rounded half away from zero. */
function rounded(dividend: bigint, divisor: bigint): bigint {
  const half = (dividend < 0n ? -dividend : dividend) * 2n + divisor
  const size = half / (divisor * 2n)
  return dividend < 0n ? -size : size
}

/** An amount of 1/10^scale brought to the minor unit of a currency, as 1/10⁴. */
function toMinorUnit(amount: bigint, scale: number, currency: Currency): bigint {
  const places = PLACES[currency]
  return rounded(amount, 10n ** BigInt(scale - places)) * 10n ** BigInt(4 - places)
}

interface Line {
  readonly qty: number
  readonly rate: number
}

/** Quantities of up to 6 decimals and rates of up to 4, many of them on the edge of rounding. */
function randomLine(random: Random): Line {
  const qty = random.chance(0.3)
    ? random.below(2000) / 2
    : random.below(10 ** (1 + random.below(6))) / 10 ** random.below(7)
  const rate = random.chance(0.3)
    ? (random.below(100_000) * 2 + 1) / 1000
    : random.below(10 ** (1 + random.below(5))) / 10 ** random.below(5)
  return {
    qty: Number((random.chance(0.1) ? -qty : qty).toFixed(6)),
    rate: Number(rate.toFixed(4)),
  }
}

forEachDatabase('money', ({ test, create }) => {
  let workspace: Workspace
  test.before(async () => {
    workspace = await openWorkspace(await create(), DOCTYPES)
    for (const name of Object.keys(PLACES)) await workspace.create('Coin', { name })
  })
  test.after(() => workspace.close())

  const bill = async (body: object): Promise<Readonly<Record<string, unknown>>> =>
    (await workspace.create('Bill', body)).record
  const amounts = (record: Readonly<Record<string, unknown>>): number[] =>
    (record.items as { amount: number }[]).map(({ amount }) => amount)

  /** The totals as the database has them: sums of many lines can have more digits than the wire shows. */
  async function stored(name: string): Promise<Record<string, bigint>> {
    const row = await workspace.engine.services.database.read
      .selectFrom(workspace.definition('Bill').table)
      .select(['net', 'tax', 'total', 'weight'])
      .where('name', '=', name)
      .executeTakeFirstOrThrow()
    return Object.fromEntries(
      Object.entries(row).map(([column, value]) => [column, BigInt(value as bigint)]),
    )
  }

  for (const seed of SEEDS)
    test(`of ${LINES} random lines and their totals is what exact arithmetic gives (seed ${seed})`, async () => {
      const random = randomOf(seed)
      for (let done = 0; done < LINES; done += LINES_OF_A_BILL) {
        const currency = random.one(Object.keys(PLACES) as Currency[])
        const items = Array.from({ length: LINES_OF_A_BILL }, () => randomLine(random))
        const tax_rate = random.below(10_000) / 100
        const record = await bill({ currency, items, tax_rate })
        const expected = items.map(({ qty, rate }) =>
          toMinorUnit(scaled(qty, 6) * scaled(rate, 4), 10, currency),
        )
        const shown = amounts(record).map((amount) => scaled(amount, 4))
        for (const [index, amount] of expected.entries())
          assert.is(shown[index], amount, `${JSON.stringify(items[index])} in ${currency}`)
        const net = expected.reduce((sum, amount) => sum + amount, 0n)
        const tax = toMinorUnit(net * scaled(tax_rate, 6), 12, currency)
        const weight = items.reduce((sum, { qty }) => sum + scaled(qty, 6), 0n)
        assert.equal(
          await stored(String(record.id)),
          { net, tax, total: net + tax, weight },
          `${currency} at ${tax_rate} %`,
        )
      }
    })

  const EXAMPLES: readonly [Currency | null, number, number, number][] = [
    ['JPY', 3, 33.3333, 100],
    ['JPY', 1, 0.5, 1],
    ['JPY', -1, 0.5, -1],
    ['JPY', 1, 0.4999, 0],
    ['USD', 1, 1.005, 1.01],
    ['USD', -1, 1.005, -1.01],
    ['USD', 2.5, 8.13, 20.33],
    ['USD', 0.1, 0.2, 0.02],
    ['KWD', 1, 1.0005, 1.001],
    ['KWD', 3, 0.3333, 1],
    ['XYZ', 1, 1.005, 1.01],
    [null, 1, 1.005, 1.01],
  ]
  for (const [currency, qty, rate, expected] of EXAMPLES) {
    test(`${qty} × ${rate} in ${currency ?? 'no currency'} is ${expected}`, async () => {
      assert.equal(amounts(await bill({ currency, items: [{ qty, rate }] })), [expected])
    })
  }

  test('is rounded to the currency its field names', async () => {
    const record = await bill({ currency: 'USD', other: 'JPY', items: [{ qty: 1, rate: 200 }] })
    assert.equal([record.in_other, record.net], [67, 200])
    assert.is(
      (await bill({ currency: 'JPY', other: 'KWD', items: [{ qty: 1, rate: 200 }] })).in_other,
      66.667,
    )
  })

  test('0.1 + 0.2 is 0.3: stored, shown and found', async () => {
    const items = [0.1, 0.2].map((rate) => ({ qty: 1, rate }))
    const { id, net, weight } = await bill({
      items: items.map((item) => ({ ...item, qty: item.rate, rate: 1 })),
    })
    assert.equal([net, weight], [0.3, 0.3])
    for (const parameters of [
      { net: '0.3' },
      { net: '0.30' },
      { weight: '0.3' },
      { weight__gte: '0.3', weight__lte: '0.3' },
      { net__in: '7,0.3' },
      { weight__gt: '0.299999', weight__lt: '0.300001' },
    ]) {
      const { data } = await workspace.list('Bill', { ...parameters, id: String(id) })
      assert.is(data.length, 1, JSON.stringify(parameters))
    }
    assert.is((await workspace.list('Bill', { weight__gt: '0.3', id: String(id) })).total, 0)
  })

  test('is sorted as a number, unset values first', async () => {
    const made = [10, 9.5, -1, 100].map((rate) => bill({ items: [{ qty: 1, rate }] }))
    const names = (await Promise.all(made)).map(({ id }) => String(id))
    const { data } = await workspace.list('Bill', {
      name__in: names.join(','),
      sort: 'net',
      order: 'asc',
    })
    assert.equal(
      data.map(({ net }) => net),
      [-1, 9.5, 10, 100],
    )
  })

  test('keeps 15 digits and refuses more decimals or digits than it can keep', async () => {
    const rate = 12_345_678_901.2345
    const record = await bill({ items: [{ qty: 1, rate }] })
    assert.is((record.items as { rate: number }[])[0]!.rate, rate)
    for (const wrong of [1.00001, 0.00009, 1e15, 1e300]) {
      const error = await bill({ items: [{ qty: 1, rate: wrong }] }).catch((reason) => reason)
      assert.is(error.code, 'VALIDATION_ERROR', String(wrong))
    }
  })
})
