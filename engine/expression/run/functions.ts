import type { EvalValue } from '../tree/types.ts'
import { DATE_FUNCTIONS } from './date-functions.ts'
import type { FunctionSpec } from './function-spec.ts'
import { TEXT_FUNCTIONS } from './text-functions.ts'

/** Every function of the table by name. */
export const FUNCTIONS: ReadonlyMap<string, FunctionSpec> = new Map(
  [...TEXT_FUNCTIONS, ...DATE_FUNCTIONS].map((spec) => [spec.name, spec]),
)

/** Runs a function of the table on arguments the checker has typed. */
export function callFunction(name: string, args: readonly EvalValue[]): EvalValue {
  const spec = FUNCTIONS.get(name)
  if (!spec) throw new TypeError(`${JSON.stringify(name)} is not a function of expressions`)
  return (spec.js as (...args: EvalValue[]) => EvalValue)(...args)
}
