import { sql } from 'kysely'
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
doctype: Pot
module: billing
tier: free
naming: prompt
fields:
  net: {type: currency, filterable: true, rollup: {from: Slip, match: pot, sum: net}}
  lines: {type: currency, rollup: {from: Slip.items, match: parent.pot, sum: amount}}
  weight: {type: float, rollup: {from: Slip.items, match: parent.pot, sum: qty}}
  least: {type: currency, rollup: {from: Slip, match: pot, min: net}}
  most: {type: currency, rollup: {from: Slip, match: pot, max: net}}
  slips: {type: int, rollup: {from: Slip, match: pot, count: true}}
  mean: {type: float, formula: "slips == 0 ? 0 : net / slips"}
---
doctype: Slip
module: billing
tier: free
naming: "S-{#####}"
fields:
  pot: {type: link, options: Pot, filterable: true}
  currency: {type: link, options: Coin}
  discount: {type: percent}
  items:
    type: table
    max: 100
    fields:
      qty: {type: float}
      rate: {type: currency}
      amount: {type: currency, formula: "qty * rate * (1 - parent.discount / 100)"}
  net: {type: currency, formula: "items.sum(i, i.amount)", filterable: true}
  tax: {type: currency, formula: "net * 19 / 100"}
  total: {type: currency, formula: net + tax}
  share: {type: currency, formula: "net / 3"}
  kept: {type: currency, filterable: true}
`

const PLACES = { JPY: 0, USD: 2, KWD: 3 } as const
type Currency = keyof typeof PLACES
type Wire = Readonly<Record<string, unknown>>

/** A number of the wire as an integer of 1/10^scale; its text is exact. */
function scaled(value: unknown, scale: number): bigint {
  const [whole = '', fraction = ''] = String(value).split('.')
  assert.ok(fraction.length <= scale && !String(value).includes('e'), String(value))
  return BigInt(whole + fraction.padEnd(scale, '0'))
}

/** The oracle: `dividend ÷ divisor` of two whole numbers, half away from zero. */
function rounded(dividend: bigint, divisor: bigint): bigint {
  const size = dividend < 0n ? -dividend : dividend
  const whole = size / divisor + ((size % divisor) * 2n >= divisor ? 1n : 0n)
  return dividend < 0n ? -whole : whole
}

/** `numerator ÷ denominator` in the minor unit of a currency, as 1/10⁴. */
function toCurrency(numerator: bigint, denominator: bigint, currency: Currency): bigint {
  const places = PLACES[currency]
  return rounded(numerator * 10n ** BigInt(places), denominator) * 10n ** BigInt(4 - places)
}

interface Slip {
  readonly currency: Currency
  readonly discount: number
  readonly items: readonly { readonly qty: number; readonly rate: number }[]
}

function randomSlip(random: Random): Slip {
  const decimals = (most: number, places: number): number =>
    Number((random.below(most * 10 ** places) / 10 ** places).toFixed(places))
  return {
    currency: random.one(Object.keys(PLACES) as Currency[]),
    discount: random.chance(0.5) ? 0 : decimals(100, random.below(3)),
    items: Array.from({ length: 1 + random.below(5) }, () => ({
      qty: (random.chance(0.2) ? -1 : 1) * decimals(50, random.below(4)),
      rate: decimals(100, random.below(5)),
    })),
  }
}

function amountsOf({ currency, discount, items }: Slip): bigint[] {
  return items.map(({ qty, rate }) =>
    toCurrency(
      scaled(qty, 6) * scaled(rate, 4) * (10n ** 8n - scaled(discount, 6)),
      10n ** 18n,
      currency,
    ),
  )
}

function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n)
}

function ascending(a: bigint, b: bigint): number {
  return a < b ? -1 : 1
}

forEachDatabase('exact sums', ({ test, create }) => {
  let workspace: Workspace
  test.before(async () => {
    workspace = await openWorkspace(await create(), DOCTYPES)
    for (const name of Object.keys(PLACES)) await workspace.create('Coin', { name })
  })
  test.after(() => workspace.close())

  const slip = async (body: object): Promise<Wire> => (await workspace.create('Slip', body)).record
  const read = async (doctype: string, id: unknown): Promise<Wire> =>
    (await workspace.get(doctype, String(id))).record
  const pot = async (name: string): Promise<string> => {
    await workspace.create('Pot', { name })
    return name
  }

  for (const [currency, expected] of [
    ['JPY', { amounts: [1, 33, -1], net: 33, tax: 6, total: 39, share: 11 }],
    ['USD', { amounts: [0.5, 33.33, -0.5], net: 33.33, tax: 6.33, total: 39.66, share: 11.11 }],
    [
      'KWD',
      { amounts: [0.5, 33.333, -0.5], net: 33.333, tax: 6.333, total: 39.666, share: 11.111 },
    ],
  ] as const) {
    test(`in ${currency} round every line to its unit, and totals add up the lines`, async () => {
      const items = [
        { qty: 1, rate: 0.5 },
        { qty: 3, rate: 11.1111 },
        { qty: -1, rate: 0.5 },
      ]
      const { id } = await slip({ currency, items })
      const { items: rows, net, tax, total, share } = await read('Slip', id)
      const amounts = (rows as { amount: number }[]).map(({ amount }) => amount)
      assert.equal({ amounts, net, tax, total, share }, expected)
    })
  }

  test('0.1 + 0.2 is 0.3 through formulas, filters, rollups and the sum of the database', async () => {
    const name = await pot('three tenths')
    const parts = [0.1, 0.2].map((rate) => slip({ pot: name, items: [{ qty: 1, rate }] }))
    await Promise.all(parts)
    const whole = await slip({ items: [0.1, 0.2].map((rate) => ({ qty: 1, rate })) })
    assert.is(whole.net, 0.3)
    const { net, lines, weight, least, most, slips, mean } = await read('Pot', name)
    assert.equal(
      { net, lines, weight, least, most, slips, mean },
      { net: 0.3, lines: 0.3, weight: 2, least: 0.1, most: 0.2, slips: 2, mean: 0.15 },
    )
    for (const [parameters, doctype, id] of [
      [{ net: '0.3' }, 'Pot', name],
      [{ net: '0.30' }, 'Slip', whole.id],
      [{ net__gt: '0.29', net__lt: '0.31' }, 'Slip', whole.id],
      [{ net__gte: '0.3', net__lte: '0.3' }, 'Pot', name],
      [{ net__in: '5,0.3' }, 'Slip', whole.id],
    ] as const) {
      const { data } = await workspace.list(doctype, { ...parameters, name: String(id) })
      assert.is(data.length, 1, JSON.stringify(parameters))
    }
    for (const none of [{ net__gt: '0.3' }, { net__lt: '0.3' }, { net__ne: '0.3' }])
      assert.is((await workspace.list('Pot', { ...none, name })).total, 0, JSON.stringify(none))
    const { table } = workspace.definition('Slip')
    const added = await sql<{ net: unknown }>`
      select sum(net) as net from ${sql.table(table)} where pot = ${name}`.execute(
      workspace.engine.services.database.read,
    )
    assert.is(BigInt(String(added.rows[0]!.net)), 3000n)
  })

  test('keep 15 digits through create, read, list, filter, update and rollup', async () => {
    const name = await pot('fifteen digits')
    const values = [99_999_999_999.9999, -99_999_999_999.9999, 12_345_678_901.2345, 0.0001]
    for (const kept of values) {
      const { id } = await slip({ kept, items: [] })
      assert.is((await read('Slip', id)).kept, kept)
      const { data } = await workspace.list('Slip', { kept: String(kept), name: String(id) })
      assert.equal(
        data.map((record) => record.kept),
        [kept],
      )
      assert.is((await workspace.update('Slip', String(id), { kept: -kept })).record.kept, -kept)
    }
    for (const rate of [499_999_999_999.999, 500_000_000_000])
      await slip({ pot: name, currency: 'KWD', items: [{ qty: 1, rate }] })
    assert.is((await read('Pot', name)).net, 999_999_999_999.999)
  })

  for (const seed of SEEDS)
    test(`of random slips are those of exact arithmetic, also after changes and removals (seed ${seed})`, async () => {
      const random = randomOf(seed)
      const name = await pot(`random ${seed}`)
      const made = new Map<string, Slip>()
      for (let round = 0; round < rounds(50); round += 1) {
        const id = made.size > 5 && random.chance(0.4) ? random.one([...made.keys()]) : undefined
        if (id !== undefined && random.chance(0.4)) {
          await workspace.remove('Slip', id)
          made.delete(id)
          continue
        }
        const body = randomSlip(random)
        const record =
          id === undefined
            ? await slip({ ...body, pot: name })
            : (await workspace.update('Slip', id, body)).record
        made.set(String(record.id), body)
        const net = sum(amountsOf(body))
        const { currency } = body
        assert.equal(
          {
            amounts: (record.items as Wire[]).map(({ amount }) => scaled(amount, 4)),
            net: scaled(record.net, 4),
            tax: scaled(record.tax, 4),
            share: scaled(record.share, 4),
          },
          {
            amounts: amountsOf(body),
            net,
            tax: toCurrency(net * 19n, 10n ** 6n, currency),
            share: toCurrency(net, 30_000n, currency),
          },
          JSON.stringify(body),
        )
      }
      const nets = [...made.values()].map((body) => sum(amountsOf(body)))
      const items = [...made.values()].flatMap((body) => body.items)
      const kept = await read('Pot', name)
      assert.equal(
        {
          net: scaled(kept.net, 4),
          lines: scaled(kept.lines, 4),
          weight: scaled(kept.weight, 6),
          least: scaled(kept.least, 4),
          most: scaled(kept.most, 4),
          slips: kept.slips,
          mean: scaled(kept.mean, 6),
        },
        {
          net: sum(nets),
          lines: sum(nets),
          weight: sum(items.map(({ qty }) => scaled(qty, 6))),
          least: nets.toSorted(ascending)[0],
          most: nets.toSorted(ascending).at(-1),
          slips: made.size,
          mean: rounded(sum(nets) * 100n, BigInt(made.size)),
        },
      )
    })
})
