import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { minorUnit } from '../../../engine/base/currency.ts'
import { compileExpression } from '../../../engine/expression/expression.ts'
import { interpret } from '../../../engine/expression/run/interpret.ts'
import { toJs } from '../../../engine/expression/run/to-js.ts'
import { assignedNode, assignValue } from '../../../engine/expression/syntax/assign.ts'
import { documentScope, type ScopeField } from '../../../engine/expression/tree/scope.ts'
import type {
  Environment,
  EvalValue,
  FieldValues,
  Node,
} from '../../../engine/expression/tree/types.ts'
import { forEachDatabase } from '../../helpers/databases.ts'
import { type Random, randomOf, rounds, seedsOf } from '../../helpers/random.ts'
import { type ExpressionTable, openTable } from './expression-table.ts'

const SEEDS = seedsOf(import.meta.filename, [1])

const LINES = rounds(30_000)
const LINES_OF_A_DOCUMENT = 20
const LINES_IN_SQL = rounds(4000)
const MONEY = { kind: 'money', scale: 4 } as const

/** ISO 4217: decimal places of the currency as the standard has them, not as the engine does. */
const CURRENCIES = [
  ['JPY', 0],
  ['USD', 2],
  ['EUR', 2],
  ['KWD', 3],
] as const

const LINE: readonly ScopeField[] = [
  { name: 'qty', kind: 'decimal' },
  { name: 'rate', kind: 'money' },
  { name: 'discount', kind: 'decimal' },
  { name: 'freight', kind: 'money' },
]
const NO_MOMENT: Environment = { today: '', now: '', records: {} }

function compiled(source: string, fields: readonly ScopeField[] = LINE): Node {
  const result = compileExpression(source, documentScope(fields), MONEY)
  assert.ok(result.ok, result.ok ? '' : `${source}: ${result.problem.message}`)
  return result.expression.tree
}

/** The quotient of two whole numbers rounded half away from zero: the oracle, apart from the engine's own. */
function rounded(dividend: bigint, divisor: bigint): bigint {
  const [n, d] = divisor < 0n ? [-dividend, -divisor] : [dividend, divisor]
  const whole = n / d
  const rest = n % d
  const twice = (rest < 0n ? -rest : rest) * 2n
  return twice < d ? whole : n < 0n ? whole - 1n : whole + 1n
}

/** `numerator ÷ denominator` in units of the currency, kept as 1/10⁴. */
function toCurrency(numerator: bigint, denominator: bigint, places: number): bigint {
  return rounded(numerator * 10n ** BigInt(places), denominator) * 10n ** BigInt(4 - places)
}

interface Line {
  readonly qty: bigint
  readonly rate: bigint
  readonly discount: bigint
  readonly freight: bigint
}

/** Quantities of 1/10⁶ and rates of 1/10⁴, a third of them made to fall on a half of the last digit. */
function randomLine(random: Random): Line {
  const sign = random.chance(0.15) ? -1n : 1n
  const digits = (most: number): bigint => BigInt(random.below(10 ** (1 + random.below(most))))
  const edge = random.chance(0.33)
  const qty = edge ? BigInt(1 + random.below(400)) * 500_000n : digits(12)
  const rate = edge ? BigInt(1 + 2 * random.below(100_000)) * 50n : digits(11)
  const discount = BigInt(random.below(200)) * 500_000n
  return { qty: sign * qty, rate, discount, freight: digits(9) }
}

/** Formulas of an amount and what they are, worked out on whole numbers: numerator and denominator. */
const AMOUNTS: readonly (readonly [string, (line: Line) => readonly [bigint, bigint]])[] = [
  ['qty * rate', ({ qty, rate }) => [qty * rate, 10n ** 10n]],
  [
    'qty * rate * (1 - discount / 100)',
    ({ qty, rate, discount }) => [qty * rate * (10n ** 8n - discount), 10n ** 18n],
  ],
  [
    'qty * rate - qty * rate * discount / 100',
    ({ qty, rate, discount }) => [qty * rate * (10n ** 8n - discount), 10n ** 18n],
  ],
  ['rate * discount / 100', ({ rate, discount }) => [rate * discount, 10n ** 12n]],
  ['qty == 0 ? 0 : rate / qty', ({ qty, rate }) => (qty === 0n ? [0n, 1n] : [rate * 100n, qty])],
  ['rate / 3', ({ rate }) => [rate, 30_000n]],
  ['-rate / 7', ({ rate }) => [-rate, 70_000n]],
  [
    'rate == 0 ? 0 : freight * qty / rate',
    ({ qty, rate, freight }) => (rate === 0n ? [0n, 1n] : [freight * qty, rate * 10n ** 6n]),
  ],
]

const money = suite('money')

for (const seed of SEEDS)
  money(`of ${LINES} random lines and their totals is exact to the cent (seed ${seed})`, () => {
    const random = randomOf(seed)
    const line = compiled('qty * rate')
    const amountOf = toJs(line)
    const total = compiled('items.sum(i, i.amount)', [
      { name: 'items', kind: 'rows', rows: [{ name: 'amount', kind: 'money' }] },
    ])
    const totalOf = toJs(total)
    for (let done = 0; done < LINES; done += LINES_OF_A_DOCUMENT) {
      const [currency, places] = random.one(CURRENCIES)
      const items: { amount: bigint }[] = []
      let expectedTotal = 0n
      for (let index = 0; index < LINES_OF_A_DOCUMENT; index += 1) {
        const { qty, rate } = randomLine(random)
        const value = amountOf({ qty, rate }, NO_MOMENT)
        const amount = assignValue(value, line, MONEY, minorUnit(currency)) as bigint
        const expected = toCurrency(qty * rate, 10n ** 10n, places)
        if (amount !== expected)
          assert.unreachable(`${qty} × ${rate} in ${currency}: ${amount}, expected ${expected}`)
        items.push({ amount })
        expectedTotal += expected
      }
      const sum = assignValue(totalOf({ items }, NO_MOMENT), total, MONEY, minorUnit(currency))
      if (sum !== expectedTotal)
        assert.unreachable(`sum in ${currency}: ${sum}, expected ${expectedTotal}`)
    }
  })

for (const [source, exact] of AMOUNTS) {
  for (const seed of SEEDS)
    money(`by ${source} is rounded once, compiled and interpreted (seed ${seed})`, () => {
      const random = randomOf(seed)
      const tree = compiled(source)
      const run = toJs(tree)
      for (let round = 0; round < rounds(2000); round += 1) {
        const line = randomLine(random)
        const [currency, places] = random.one(CURRENCIES)
        const [numerator, denominator] = exact(line)
        const expected = toCurrency(numerator, denominator, places)
        if (outOfRange(expected)) continue
        const doc = line as unknown as FieldValues
        for (const value of [run(doc, NO_MOMENT), interpret(tree, doc, NO_MOMENT)]) {
          const amount = assignValue(value, tree, MONEY, minorUnit(currency))
          if (amount !== expected)
            assert.unreachable(`${show(line)} in ${currency}: ${amount}, expected ${expected}`)
        }
      }
    })
}

function outOfRange(amount: bigint): boolean {
  return amount >= 2n ** 63n || amount <= -(2n ** 63n)
}

function show(line: Line): string {
  return Object.entries(line)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')
}

for (const seed of SEEDS)
  money(
    `that a quotient brings within a hair of half a cent is not rounded twice (seed ${seed})`,
    () => {
      const random = randomOf(seed)
      const tree = compiled('rate / qty')
      const run = toJs(tree)
      for (let round = 0; round < rounds(1000); round += 1) {
        const qty = BigInt(10 ** 9 + random.below(10 ** 13 - 10 ** 9)) | 1n
        if (qty % 5n === 0n) continue
        const side = random.chance(0.5) ? 1n : -1n
        // rate ÷ qty = odd ÷ 200 + side ÷ (200 qty): just beside the half of a cent.
        const odd =
          ((-side * inverse(qty, 20_000n)) % 20_000n) + 20_000n * BigInt(1 + random.below(9))
        const rate = (odd * qty + side) / 20_000n
        assert.is((odd * qty + side) % 20_000n, 0n)
        const amount = assignValue(run({ qty, rate }, NO_MOMENT), tree, MONEY, 2)
        assert.is(amount, toCurrency(rate * 100n, qty, 2), `${rate} / ${qty}`)
      }
    },
  )

/** The number whose product with `value` leaves 1 when divided by `modulus`. */
function inverse(value: bigint, modulus: bigint): bigint {
  let [a, b, x, y] = [value % modulus, modulus, 1n, 0n]
  while (b !== 0n) {
    const quotient = a / b
    ;[a, b, x, y] = [b, a - quotient * b, y, x - quotient * y]
  }
  return ((x % modulus) + modulus) % modulus
}

money('in the minor unit of every currency, by hand', () => {
  const cases: readonly [string, bigint, string][] = [
    ['JPY', 1_005_000n, '1.005'],
    ['JPY', 5_000n, '0.5'],
    ['JPY', -5_000n, '-0.5'],
    ['JPY', 4_999n, '0.4999'],
    ['USD', 10_050n, '1.005'],
    ['USD', -10_050n, '-1.005'],
    ['USD', 10_049n, '1.0049'],
    ['KWD', 10_005n, '1.0005'],
    ['KWD', -10_005n, '-1.0005'],
    ['CLF', 10_001n, '1.0001'],
  ]
  const tree = compiled('rate * 1')
  const results = cases.map(([currency, rate]) =>
    assignValue(toJs(tree)({ rate }, NO_MOMENT), tree, MONEY, minorUnit(currency)),
  )
  assert.equal(results, [
    ...[1_010_000n, 10_000n, -10_000n, 0n],
    ...[10_100n, -10_100n, 10_000n],
    ...[10_010n, -10_010n],
    10_001n,
  ])
})

money.run()

for (const seed of SEEDS)
  forEachDatabase(`money in the database (seed ${seed})`, ({ kind, test, create }) => {
    const random = randomOf(seed)
    const lines = Array.from({ length: LINES_IN_SQL }, () => randomLine(random))
    let table: ExpressionTable
    test.before(async () => {
      table = await openTable(await create(), LINE, lines as unknown as FieldValues[])
    })
    test.after(() => table.close())

    test(`of ${LINES_IN_SQL} lines is exact to the cent in every currency`, async () => {
      const line = compiled('qty * rate')
      for (const [currency, places] of CURRENCIES) {
        const node = assignedNode(line, MONEY, minorUnit(currency))
        const amounts = await table.values(node, NO_MOMENT)
        const expected = lines.map(({ qty, rate }) => toCurrency(qty * rate, 10n ** 10n, places))
        assertEach(amounts, expected, `qty * rate in ${currency}`)
      }
    })

    for (const [source, exact] of AMOUNTS.slice(1)) {
      test(`by ${source} is rounded as JavaScript rounds it`, async () => {
        const tree = compiled(source)
        const [currency, places] = random.one(CURRENCIES)
        const amounts = await table.values(
          assignedNode(tree, MONEY, minorUnit(currency)),
          NO_MOMENT,
        )
        const expected = lines.map((line) => toCurrency(...exact(line), places))
        assertEach(amounts, expected, `${source} in ${currency}`)
      })
    }

    function assertEach(
      amounts: readonly EvalValue[],
      expected: readonly bigint[],
      label: string,
    ): void {
      assert.is(amounts.length, expected.length)
      for (const [index, amount] of amounts.entries()) {
        if (amount !== expected[index])
          assert.unreachable(
            `${kind}, ${label}: ${show(lines[index]!)}: ${amount}, expected ${expected[index]}`,
          )
      }
    }
  })
