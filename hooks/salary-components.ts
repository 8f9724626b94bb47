import { minorUnit } from '../engine/base/currency.ts'
import { divideRounded, formatDecimal, pow10 } from '../engine/base/money.ts'
import { defineHook, type ReadRecord, refuse, type ValuesOf } from './hook.ts'
import { createPayFormulas, type PayFormulas } from './pay-formulas.ts'

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
} as const

type Component = ValuesOf<typeof COMPONENT>

/** A component with what it comes to. */
interface Pay {
  readonly component: Component
  /** For a period without a missing day. */
  readonly full: bigint
  readonly paid: bigint
}

/**
 * What a salary structure gives or takes from one employee in one period. A formula that depends on payment days
 * is that of a full period, in proportion; any other is computed over the amounts as they are paid.
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
    const days: Days = { payment_days, total_working_days, cent: pow10(4 - minorUnit(currency)) }
    let pays = payOf(found.earnings, formulas, days)
    if (table === 'deductions') {
      const total = (amount: (pay: Pay) => bigint): bigint =>
        pays.reduce((sum, pay) => sum + (isInTotal(pay.component) ? amount(pay) : 0n), 0n)
      formulas.know(
        'gross_pay',
        total(({ full }) => full),
        gross ?? total(({ paid }) => paid),
      )
      pays = payOf(found.deductions, formulas, days)
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

function isShown({ component, full, paid }: Pay): boolean {
  return component.statistical_component !== true && (full !== 0n || paid !== 0n)
}

/** The amounts in their order; each is known to the formulas of those below it. */
function payOf(
  components: readonly Component[],
  formulas: PayFormulas,
  days: Days,
): readonly Pay[] {
  return components.map((component) => {
    const { salary_component: name, abbr } = component
    const pay = { component, ...amountsOf(component, formulas, days) }
    if (pay.full < 0n || pay.paid < 0n)
      refuse(`${name}: expected an amount of 0 or more, got ${formatDecimal(pay.paid, 4)}`)
    formulas.know(abbr, pay.full, pay.paid, name)
    return pay
  })
}

function amountsOf(
  component: Component,
  formulas: PayFormulas,
  days: Days,
): Omit<Pay, 'component'> {
  const { salary_component: name, condition = '', formula = '', amount = 0n } = component
  if (condition !== '' && !formulas.holds(condition, name)) return { full: 0n, paid: 0n }
  const isFormula = component.amount_based_on_formula === true && formula !== ''
  const { full, paid } = isFormula
    ? formulas.amounts(formula, name)
    : { full: amount, paid: amount }
  if (component.depends_on_payment_days !== true) return { full, paid }
  const { payment_days, total_working_days, cent } = days
  if (total_working_days <= 0n) return { full, paid: 0n }
  return { full, paid: divideRounded(full * payment_days, total_working_days * cent) * cent }
}
