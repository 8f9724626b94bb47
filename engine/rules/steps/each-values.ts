import type { EachSearch, SetDeclaration } from '../../definition/model/definition.ts'
import { type Fields, fieldsOf, isFieldName } from '../../expression/tree/scope.ts'
import {
  isNumeric,
  MONEY_SCALE,
  type ScalarKind,
  type ValueType,
} from '../../expression/tree/types.ts'
import type { CompiledRule } from '../base/compiled-rule.ts'
import type { SearchValue } from './search-plan.ts'
import { complain, type StepSite } from './step-site.ts'

const OPERATIONS = ['sum', 'min', 'max'] as const

/** Compiles an expression over what is found, at a path below the `each`; undefined for a mistake (it is reported). */
export type CompileSql = (
  path: readonly (string | number)[],
  text: string,
  type?: ValueType,
) => CompiledRule | undefined

/** Values of a group: those it is known by and those it adds up. */
export interface GroupValues {
  readonly values: readonly SearchValue[]
  /** Names of those whose expression is a mistake, which is reported. */
  readonly broken: readonly string[]
  /** Whether a name listed to group by is a mistake itself, so that any field may have been meant. */
  readonly isMisnamed: boolean
}

/** Compiles the values a group is known by and adds up; undefined where nothing is grouped. */
export function valuesOf(
  here: StepSite,
  each: EachSearch,
  sql: CompileSql,
): GroupValues | undefined {
  const { group } = each
  if (
    (group === undefined || Object.keys(group).length === 0) &&
    OPERATIONS.every((operation) => each[operation] === undefined)
  )
    return undefined
  const names: readonly (readonly [string, string, string | number])[] = Array.isArray(group)
    ? (group as readonly string[]).map((name, index) => [name, name, index] as const)
    : Object.entries((group ?? {}) as SetDeclaration).map(([name, text]) => [name, text, name])
  const known = names.flatMap(([name, text, key]): SearchValue[] => {
    const rule = sql(['group', key], text)
    return rule ? [{ name, type: keptType(rule), operation: undefined, rule }] : []
  })
  const totals = OPERATIONS.flatMap((operation) =>
    Object.entries(each[operation] ?? {}).flatMap(([name, text]): SearchValue[] => {
      const rule = sql([operation, name], text)
      const kind = rule?.expression.kind
      const fits = kind && (isNumeric(kind) || (operation !== 'sum' && kind !== 'bool'))
      if (kind && !fits)
        complain(
          here,
          [operation, name],
          `expected a number${operation === 'sum' ? '' : ', date or text'}, got ${kind}`,
        )
      return rule && fits ? [{ name, type: keptType(rule), operation, rule }] : []
    }),
  )
  const values = [...known, ...totals]
  const isListed = Array.isArray(group)
  const declared = [
    ...(isListed ? [] : names.map(([name]) => name)),
    ...OPERATIONS.flatMap((operation) => Object.keys(each[operation] ?? {})),
  ]
  const broken = declared.filter((name) => values.every((value) => value.name !== name))
  return {
    values,
    broken: broken.filter(isFieldName),
    isMisnamed: isListed && known.length < names.length,
  }
}

/** Decimal places that sums of quantities and rates keep in 64 bits. */
const MOST_PLACES = 9

function keptType({ expression: { kind, scale } }: CompiledRule): ValueType {
  if (kind === 'money') return { kind, scale: MONEY_SCALE }
  return kind === 'decimal' ? { kind, scale: Math.min(scale, MOST_PLACES) } : { kind, scale }
}

/** Types that a value that is a mistake may have been meant to have. */
const GUESSES: readonly ScalarKind[] = ['decimal', 'str', 'date', 'datetime', 'time', 'bool']

/**
 * The fields of the variable as they may have been meant, by each guess; none where nothing is a mistake. `all`: the
 * fields of what is found, one of which a misspelt name of the group stands for.
 */
export function guessedFields(
  known: Fields,
  all: Fields,
  { broken, isMisnamed }: GroupValues,
): readonly Fields[] {
  const meant = isMisnamed ? new Map([...all, ...known]) : known
  if (broken.length === 0) return isMisnamed ? [meant] : []
  return GUESSES.map(
    (kind) => new Map([...meant, ...fieldsOf(broken.map((name) => ({ name, kind })))]),
  )
}

/** The fields of the variable where a query groups: what it is grouped by and adds up. */
export function groupFields(here: StepSite, { values }: GroupValues): Fields {
  const taken = new Set<string>()
  for (const { name, operation } of values) {
    if (taken.has(name) || !isFieldName(name))
      complain(here, [operation ?? 'group'], `${JSON.stringify(name)} is no new name`)
    taken.add(name)
  }
  return fieldsOf(
    values
      .filter(({ name }) => isFieldName(name))
      .map(({ name, type }) => ({ name, kind: type.kind as ScalarKind, scale: type.scale })),
  )
}
