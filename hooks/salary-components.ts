import { minorUnit } from '../engine/base/currency.ts'
import { divideRounded, formatDecimal, pow10 } from '../engine/base/money.ts'
import {
  defineHook,
  type ReadRecord,
  refuse,
  type ValuesOf,
} from '../engine/definition/model/hook.ts'
import { TAX_SLAB, taxOfPeriod } from './income-tax.ts'
import { type Amounts, createPayFormulas, type PayFormulas } from './pay-formulas.ts'

const COMPONENT = {
  salary_component: 'str',
  abbr: 'str',
  amount: 'money?',
  amount_based_on_formula: 'bool?',
  formula: 'str?',
  condition: 'str?',
  depends_on_payment_days: 'bool?',
  statistical_component: 'bool?',
  do_not_include_in_total: 'bool?',
  is_tax_applicable: 'bool?',
  variable_based_on_taxable_salary: 'bool?',
} as const
const READS = {
  'Salary Structure': { earnings: { rows: COMPONENT }, deductions: { rows: COMPONENT } },
  Employee: {
    department: 'str?',
    designation: 'str?',
    branch: 'str?',
    grade: 'str?',
    employment_type: 'str?',
    gender: 'str?',
  },
  'Income Tax Slab': TAX_SLAB,
} as const

type Component = ValuesOf<typeof COMPONENT>

/** A component with what it comes to. */
interface Pay {
  readonly component: Component
  /** Amount for a period without a missing day. */
  readonly full: bigint
  readonly paid: bigint
}

/**
 * Components that a salary structure gives or takes from one employee in one period. A formula that depends on
 * payment days is that of a full period, in proportion; any other is computed over the amounts as they are paid.
 */
export const salaryComponents = defineHook({
  inputs: {
    structure: 'str',
    /** `earnings` or `deductions`. */
    table: 'str',
    base: 'money',
    variable: 'money?',
    payment_days: 'decimal',
    total_working_days: 'decimal',
    employee: 'str?',
    /** Gross pay that deductions are of; what the structure's earnings come to without it. */
    gross: 'money?',
    /** Rates for deductions by taxable pay, and what is paid beside the structure's earnings. */
    tax_slab: 'str?',
    payroll_frequency: 'str?',
    hours_pay: 'money?',
    one_off_pay: 'money?',
    /** The year before this period: periods that were paid, taxable pay and tax of them. */
    periods_before: 'int?',
    taxed_before: 'money?',
    tax_before: 'money?',
    currency: 'str?',
  },
  reads: READS,
  outputs: {
    salary_component: 'str',
    abbr: 'str',
    amount: 'money',
    default_amount: 'money',
    depends_on_payment_days: 'bool',
    do_not_include_in_total: 'bool',
    amount_based_on_formula: 'bool',
    formula: 'str',
    condition: 'str',
  },
  gives: 'rows',
  run({ structure, table, gross, currency = '', ...period }, read) {
    const found = read('Salary Structure', structure)
    if (!found) return []
    if (table !== 'earnings' && table !== 'deductions')
      refuse(`expected the table earnings or deductions, got ${JSON.stringify(table)}`)
    const { base, variable = 0n, payment_days, total_working_days, employee = '' } = period
    const formulas = createPayFormulas(
      { base, variable, payment_days, total_working_days, ...factsOf(read, employee) },
      minorUnit(currency),
    )
    const cent = pow10(4 - minorUnit(currency))
    const days: Days = { payment_days, total_working_days, cent }
    const byDays = (component: Component): Amounts => amountsOf(component, formulas, days)
    let pays = payOf(found.earnings, formulas, byDays)
    if (table === 'deductions') {
      const total = totalsOf(pays)
      formulas.know('gross_pay', total.full, gross ?? total.paid)
      const { tax_slab = '', payroll_frequency = '', hours_pay = 0n, one_off_pay = 0n } = period
      const slab = read('Income Tax Slab', tax_slab)
      const { periods_before = 0n, taxed_before = 0n, tax_before = 0n } = period
      const before = { periods: BigInt(periods_before), taxable: taxed_before, tax: tax_before }
      const taxable = totalsOf(pays.filter(({ component }) => component.is_tax_applicable === true))
      const taxOn = (regular: bigint, oneOff: bigint): bigint =>
        slab ? taxOfPeriod(slab, { regular, oneOff }, payroll_frequency, before, cent) : 0n
      const taxOf = (component: Component): Amounts => {
        const { salary_component: name, condition = '' } = component
        if (tax_slab === '')
          refuse(
            `${name}: the salary structure assignment of the employee names no income tax slab`,
          )
        if (condition !== '' && !formulas.holds(condition, name)) return NOTHING
        return {
          full: taxOn(taxable.full + hours_pay, 0n),
          paid: taxOn(taxable.paid + hours_pay, one_off_pay),
        }
      }
      pays = payOf(found.deductions, formulas, (component) =>
        component.variable_based_on_taxable_salary === true ? taxOf(component) : byDays(component),
      )
    }
    return pays.filter(isShown).map(({ component, full, paid }) => ({
      salary_component: component.salary_component,
      abbr: component.abbr,
      amount: paid,
      default_amount: full,
      depends_on_payment_days: component.depends_on_payment_days ?? false,
      do_not_include_in_total: component.do_not_include_in_total ?? false,
      amount_based_on_formula: component.amount_based_on_formula ?? false,
      formula: component.formula ?? '',
      condition: component.condition ?? '',
    }))
  },
})

const NOTHING: Amounts = { full: 0n, paid: 0n }

interface Days {
  readonly payment_days: bigint
  readonly total_working_days: bigint
  readonly cent: bigint
}

function factsOf(
  read: ReadRecord<typeof READS>,
  employee: string,
): Readonly<Record<string, string>> {
  const facts = read('Employee', employee)
  const names = Object.keys(READS.Employee) as (keyof typeof READS.Employee)[]
  return Object.fromEntries(names.map((name) => [name, facts?.[name] ?? '']))
}

function isInTotal({ statistical_component, do_not_include_in_total }: Component): boolean {
  return statistical_component !== true && do_not_include_in_total !== true
}

/** Sums of the components that are paid. */
function totalsOf(pays: readonly Pay[]): Amounts {
  const sum = { full: 0n, paid: 0n }
  for (const { component, full, paid } of pays) {
    if (!isInTotal(component)) continue
    sum.full += full
    sum.paid += paid
  }
  return sum
}

function isShown({ component, full, paid }: Pay): boolean {
  return component.statistical_component !== true && (full !== 0n || paid !== 0n)
}

/** The amounts in their order; each is known to the formulas of those below it. */
function payOf(
  components: readonly Component[],
  formulas: PayFormulas,
  amounts: (component: Component) => Amounts,
): readonly Pay[] {
  return components.map((component) => {
    const { salary_component: name, abbr } = component
    const pay = { component, ...amounts(component) }
    if (pay.full < 0n || pay.paid < 0n)
      refuse(`${name}: expected an amount of 0 or more, got ${formatDecimal(pay.paid, 4)}`)
    formulas.know(abbr, pay.full, pay.paid, name)
    return pay
  })
}

function amountsOf(component: Component, formulas: PayFormulas, days: Days): Amounts {
  const { salary_component: name, condition = '', formula = '', amount = 0n } = component
  if (condition !== '' && !formulas.holds(condition, name)) return NOTHING
  const isFormula = component.amount_based_on_formula === true && formula !== ''
  const { full, paid } = isFormula
    ? formulas.amounts(formula, name)
    : { full: amount, paid: amount }
  if (component.depends_on_payment_days !== true) return { full, paid }
  const { payment_days, total_working_days, cent } = days
  if (total_working_days <= 0n) return { full, paid: 0n }
  return { full, paid: divideRounded(full * payment_days, total_working_days * cent) * cent }
}
