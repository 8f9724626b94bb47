import { readField } from '../run/runtime.ts'
import { type Environment, type FieldValues, type ScalarKind, unsetValue } from '../tree/types.ts'
import type { Dialect } from './sql-operators.ts'

/** A column as it is written in SQL; a column that is never null needs no `coalesce` and can use its index. */
export interface SqlColumn {
  readonly sql: string
  readonly nullable: boolean
}

/** Column of a field (`of` is `doc` or a record such as `parent`), or undefined to bind its value as a parameter. */
export type ColumnOf = (of: string, name: string) => SqlColumn | undefined

/** A value that is bound when the statement runs. */
export type SqlParameter =
  | { readonly from: 'constant'; readonly text: string }
  | { readonly from: 'clock'; readonly name: 'today' | 'now' }
  | {
      readonly from: 'record'
      readonly of: string
      readonly name: string
      readonly kind: ScalarKind
    }

/** SQL text with a parameter between every two parts, so that it can go into a larger statement. */
export interface SqlFragment {
  readonly parts: readonly string[]
  readonly parameters: readonly SqlParameter[]
}

/** The values of a fragment's parameters, in order: texts and BigInts, which both drivers take. */
export function bindParameters(fragment: SqlFragment, env: Environment): (string | bigint)[] {
  return fragment.parameters.map((parameter) => {
    if (parameter.from === 'constant') return parameter.text
    if (parameter.from === 'clock') return env[parameter.name]
    const value = readField(recordOf(env, parameter.of), parameter.name, unsetValue(parameter.kind))
    return typeof value === 'string' ? value : BigInt(value)
  })
}

/** The text of a fragment with `?` or `$1`, for drivers that take plain text. */
export function sqlText({ parts }: SqlFragment, dialect: Dialect, firstIndex = 1): string {
  return parts.reduce(
    (text, part, i) => `${text}${dialect === 'sqlite' ? '?' : `$${firstIndex + i - 1}`}${part}`,
  )
}

function recordOf(env: Environment, of: string): FieldValues | null | undefined {
  return Object.hasOwn(env.records, of) ? env.records[of] : undefined
}
