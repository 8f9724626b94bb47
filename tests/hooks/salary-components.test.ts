import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { randomOf, rounds, seedsOf } from '../helpers/random.ts'
import { type PlainRecord, refusalOf, runHook } from './run-hook.ts'

const SEEDS = seedsOf(import.meta.filename, [1, 2, 3])

const test = suite('the components of a salary')

const EARNINGS: readonly PlainRecord[] = [
  {
    salary_component: 'Basic',
    abbr: 'B',
    amount_based_on_formula: true,
    formula: 'base * 0.6',
    depends_on_payment_days: true,
  },
  {
    salary_component: 'Housing',
    abbr: 'H',
    amount_based_on_formula: true,
    formula: 'B * 0.4',
  },
  {
    salary_component: 'Cost Level',
    abbr: 'CL',
    amount: 100,
    statistical_component: true,
  },
  {
    salary_component: 'Bonus',
    abbr: 'BO',
    amount_based_on_formula: true,
    formula: 'variable + CL',
    condition: 'base > 2000 && department == "Sales"',
  },
  {
    salary_component: 'Meal Card',
    abbr: 'MC',
    amount: 50,
    do_not_include_in_total: true,
  },
]
const DEDUCTIONS: readonly PlainRecord[] = [
  {
    salary_component: 'Pension',
    abbr: 'P',
    amount_based_on_formula: true,
    formula: 'B * 0.1',
  },
  {
    salary_component: 'Tax',
    abbr: 'T',
    amount_based_on_formula: true,
    formula: 'max(0, (gross_pay - P) * 0.2)',
  },
]

function records(earnings = EARNINGS, deductions = DEDUCTIONS): Parameters<typeof runHook>[2] {
  return {
    'Salary Structure': { Staff: { earnings, deductions } },
    Employee: { E1: { department: 'Sales' } },
  }
}

function input(table: string, more: PlainRecord = {}): PlainRecord {
  return {
    structure: 'Staff',
    table,
    base: 3_000,
    variable: 250,
    payment_days: 22,
    total_working_days: 22,
    employee: 'E1',
    ...more,
  }
}

function amounts(
  table: string,
  more: PlainRecord = {},
  of = records(),
): readonly (readonly unknown[])[] {
  return runHook('salary_components', input(table, more), of).map((row) => [
    row.salary_component,
    row.amount,
  ])
}

test('follow their formulas in their order; statistical ones give no row', () => {
  assert.equal(amounts('earnings'), [
    ['Basic', 1_800],
    ['Housing', 720],
    ['Bonus', 350],
    ['Meal Card', 50],
  ])
})

test('are left out where their condition does not hold', () => {
  const names = (more: PlainRecord): readonly unknown[] =>
    amounts('earnings', more).map(([name]) => name)
  assert.equal(names({ employee: '' }), ['Basic', 'Housing', 'Meal Card'])
  assert.equal(names({ base: 2_000 }), ['Basic', 'Housing', 'Meal Card'])
})

test('that depend on payment days are paid in proportion, and what is computed of them with them', () => {
  // Basic 1,800 × 15 / 22 = 1,227.27; housing is 40 % of that.
  const days = { payment_days: 15 }
  assert.equal(amounts('earnings', days).slice(0, 2), [
    ['Basic', 1_227.27],
    ['Housing', 490.91],
  ])
  const [basic] = runHook('salary_components', input('earnings', days), records())
  assert.is(basic?.default_amount, 1_800)
})

test('of deductions know the earnings and gross pay', () => {
  // Gross 1,800 + 720 + 350 = 2,870 without the meal card; tax on 2,870 − 180.
  assert.equal(amounts('deductions'), [
    ['Pension', 180],
    ['Tax', 538],
  ])
  assert.equal(amounts('deductions', { gross: 1_180 })[1], ['Tax', 200])
})

test('may stand in two rows of which one is chosen', () => {
  const rows = ['base < 2500', 'base >= 2500'].map((condition, index) => ({
    salary_component: 'Travel',
    abbr: 'TR',
    amount: 100 * (index + 1),
    condition,
  }))
  const double = {
    salary_component: 'Double',
    abbr: 'D',
    amount_based_on_formula: true,
    formula: 'TR * 2',
  }
  assert.equal(amounts('earnings', {}, records([...rows, double])), [
    ['Travel', 200],
    ['Double', 400],
  ])
})

test('say what is wrong with which component', () => {
  const refused = (component: PlainRecord): string =>
    refusalOf(
      'salary_components',
      input('earnings'),
      records([
        { salary_component: 'Extra', abbr: 'X', amount_based_on_formula: true, ...component },
      ]),
    )
  assert.match(
    refused({ formula: 'bse * 2' }),
    /^Extra: the formula "bse \* 2": unknown .*did you mean 'base'/,
  )
  assert.match(refused({ formula: 'base / 0 + 1' }), /^Extra: .*division by zero/)
  assert.match(refused({ formula: 'base / (variable - 250)' }), /^Extra: .*division by zero/)
  assert.match(refused({ formula: 'department' }), /^Extra: .*expected money, got text/)
  assert.match(
    refused({ formula: 'base - 4000' }),
    /^Extra: expected an amount of 0 or more, got -1000/,
  )
  assert.match(refused({ formula: 'base * day(today())' }), /^Extra: .*cannot depend on the day/)
  assert.match(refused({ amount: 1, condition: 'base' }), /^Extra: the condition "base": expected/)
  assert.match(refused({ formula: 'base', abbr: 'variable' }), /^Extra: the abbreviation variable/)
  assert.match(refusalOf('salary_components', input('bonuses'), records()), /got "bonuses"/)
})

for (const seed of SEEDS)
  test(`add up to gross pay to the cent, whatever the numbers (seed ${seed})`, () => {
    const random = randomOf(seed)
    for (let round = 0; round < rounds(70); round += 1) {
      const earnings = Array.from({ length: 1 + random.below(8) }, (_, index) => ({
        salary_component: `C${index}`,
        abbr: `C${index}`,
        amount_based_on_formula: random.chance(0.6),
        amount: random.below(500_000) / 100,
        formula: index === 0 ? 'base * 0.3333' : `C${random.below(index)} / 3`,
        depends_on_payment_days: random.chance(0.5),
      }))
      const all = {
        salary_component: 'All',
        abbr: 'A',
        amount_based_on_formula: true,
        formula: 'gross_pay',
      }
      const given = {
        base: random.below(1_000_000) / 100,
        payment_days: random.below(23),
      }
      const of = records(earnings, [all])
      const sum = amounts('earnings', given, of).reduce((total, [, paid]) => total + cents(paid), 0)
      const [deducted] = amounts('deductions', given, of)
      assert.is(cents(deducted?.[1] ?? 0), sum, JSON.stringify({ given, earnings }))
    }
  })

function cents(value: unknown): number {
  const amount = Number(value) * 100
  assert.ok(Math.abs(amount - Math.round(amount)) < 1e-6, `${value} is no whole number of cents`)
  return Math.round(amount)
}

test.run()
