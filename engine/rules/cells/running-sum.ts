import { wholeNumber } from '../../expression/run/runtime.ts'
import { type Evaluate, toJs } from '../../expression/run/to-js.ts'
import { type Running, runningOf, SUM } from '../../expression/tree/running.ts'
import type { Environment, EvalValue, Node } from '../../expression/tree/types.ts'
import type { Row } from '../../storage/database/document.ts'

/** A formula over the earlier rows of its own table, carried along from row to row. */
export interface RunningSum {
  /** Begins at the first row; the function it returns is called for each row in turn, and gives the formula's value. */
  start(): (row: Row, environment: Environment) => EvalValue
}

/** The running form of a formula of this table; undefined when it has none. */
export function runningSum(tree: Node, table: string): RunningSum | undefined {
  const plan = runningOf(tree)
  if (plan?.table !== table) return undefined
  let compiled: Compiled | undefined
  return {
    start() {
      compiled ??= compile(plan)
      return carry(plan, compiled)
    },
  }
}

interface Compiled {
  readonly conditions: readonly Evaluate[]
  readonly body: Evaluate | undefined
  readonly result: Evaluate
}

function compile({ conditions, body, result }: Running): Compiled {
  return { conditions: conditions.map(toJs), body: body && toJs(body), result: toJs(result) }
}

function carry(
  { by, result: { kind } }: Running,
  { conditions, body, result }: Compiled,
): (row: Row, environment: Environment) => EvalValue {
  const sums = new Map<string, bigint | number>()
  const zero = kind === 'int' ? 0 : 0n
  return (row, environment) => {
    const key = by.map((name) => keyOf(row[name])).join('\0')
    const sum = sums.get(key) ?? zero
    if (conditions.every((condition) => condition(row, environment) === true))
      sums.set(key, added(sum, body ? (body(row, environment) as bigint | number) : 1))
    const records = { ...environment.records, [SUM]: { value: sum } }
    return result(row, { ...environment, records })
  }
}

/** Key of a value, one for all that expressions hold to be the same: unset is 0, false and an empty text. */
function keyOf(value: unknown): string {
  return String(value || '')
}

function added(sum: bigint | number, value: bigint | number): bigint | number {
  return typeof sum === 'bigint' ? sum + (value as bigint) : wholeNumber(sum + (value as number))
}
