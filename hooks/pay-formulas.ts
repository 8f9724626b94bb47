import { refuse } from '../engine/definition/model/hook.ts'
import { compileExpression, type Expression } from '../engine/expression/expression.ts'
import { interpret } from '../engine/expression/run/interpret.ts'
import { assignValue } from '../engine/expression/syntax/assign.ts'
import { ExpressionError } from '../engine/expression/tree/problem.ts'
import { fieldsOf, isFieldName, type ScopeField } from '../engine/expression/tree/scope.ts'
import {
  childrenOf,
  type EvalValue,
  MONEY_SCALE,
  type Node,
  type ValueType,
} from '../engine/expression/tree/types.ts'

/** An amount for a full period, and as it is paid. */
export interface Amounts {
  readonly full: bigint
  readonly paid: bigint
}

/** The formulas of a salary structure: user data, in our expression language. Mistakes in them throw AppError. */
export interface PayFormulas {
  /** Makes an amount known under a name to the formulas that come after. */
  know(name: string, full: bigint, paid: bigint, component?: string): void
  /** The value of a formula over full amounts, and over those that are paid. */
  amounts(formula: string, component: string): Amounts
  /** Whether a condition holds over full amounts. */
  holds(condition: string, component: string): boolean
}

/** Facts about the employee and the period, by the names that formulas use. */
export interface PayFacts {
  readonly [name: string]: bigint | string
}

const MONEY: ValueType = { kind: 'money', scale: MONEY_SCALE }
const CONDITION: ValueType = { kind: 'bool', scale: 0 }
const DAYS = ['payment_days', 'total_working_days']
/** No clock: what is paid follows from the period and not from the day on which somebody looks. */
const NO_DAY = { today: '', now: '', records: {} }

export function createPayFormulas(facts: PayFacts, places: number): PayFormulas {
  const fields: ScopeField[] = Object.entries(facts).map(([name, value]) => ({
    name,
    kind: typeof value === 'string' ? 'str' : DAYS.includes(name) ? 'decimal' : 'money',
  }))
  const taken = new Set([...fields.map(({ name }) => name), 'gross_pay'])
  const full: Record<string, bigint | string> = { ...facts }
  const paid: Record<string, bigint | string> = { ...facts }

  function compile(source: string, type: ValueType, what: string): Expression {
    const scope = { fields: fieldsOf(fields), records: new Map(), repeat: 1 }
    const result = compileExpression(source, scope, type)
    if (!result.ok) return refuse(`${what}: ${result.problem.message}`)
    if (readsClock(result.expression.tree))
      refuse(`${what}: cannot depend on the day; name the period`)
    return result.expression
  }

  function evaluate(
    { tree }: Expression,
    amounts: Readonly<Record<string, bigint | string>>,
    what: string,
  ): EvalValue {
    try {
      return interpret(tree, amounts, NO_DAY)
    } catch (error) {
      if (error instanceof ExpressionError) return refuse(`${what}: ${error.message}`)
      throw error
    }
  }

  return {
    know(name, fullAmount, paidAmount, component) {
      // What has no name cannot be named in a formula.
      if (!isFieldName(name)) return
      if (component !== undefined && taken.has(name))
        refuse(
          `${component}: the abbreviation ${name} has another meaning in formulas; choose another`,
        )
      // One component may stand in several rows, of which conditions choose.
      if (full[name] === undefined) fields.push({ name, kind: 'money' })
      full[name] = ((full[name] as bigint | undefined) ?? 0n) + fullAmount
      paid[name] = ((paid[name] as bigint | undefined) ?? 0n) + paidAmount
    },
    amounts(formula, component) {
      const what = `${component}: the formula ${JSON.stringify(formula)}`
      const expression = compile(formula, MONEY, what)
      const over = (amounts: typeof full): bigint =>
        assignValue(evaluate(expression, amounts, what), expression, MONEY, places) as bigint
      return { full: over(full), paid: over(paid) }
    },
    holds(condition, component) {
      const what = `${component}: the condition ${JSON.stringify(condition)}`
      return evaluate(compile(condition, CONDITION, what), full, what) === true
    },
  }
}

function readsClock(node: Node): boolean {
  return node.node === 'clock' || childrenOf(node).some(readsClock)
}
