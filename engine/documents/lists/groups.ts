import { decimalToNumber } from '../../base/money.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Field } from '../../fields/field.ts'
import { fieldType } from '../../fields/index.ts'
import { type Group, selectGroups } from '../../storage/records/groups.ts'
import { assertMay, knownParts } from '../rights/door.ts'
import type { Context } from '../work/context.ts'
import { columnOf, deepList, listConditions } from './list.ts'
import type { GroupedQuery } from './list-query.ts'
import { titlesOf } from './titles.ts'

/** Records of a list in groups instead of one by one (`_count_by`, `_sum`; contract §7.3). */
export interface GroupedList {
  readonly groups: readonly {
    /** As the record shows it; of a part of a date such as `2026-03`. */
    readonly value: unknown
    readonly label: string
    readonly count: number
    readonly sums: Sums
  }[]
  /** Number of all records that match, and their sums. */
  readonly total: number
  readonly sums: Sums
}

type Sums = Readonly<Record<string, number>>

/** Most groups of an answer, the largest. */
const MOST_GROUPS = 1_000

/**
 * Groups of a resource's records (GET /v1/{resource}?_count_by=…). Throws 401/403, and what reading the query throws, which is done
 * once the caller is let in.
 */
export async function groupDocuments(
  context: Context,
  definition: DocTypeDefinition,
  wanted: (known: DocTypeDefinition) => GroupedQuery,
): Promise<GroupedList> {
  assertMay(context, definition, 'read')
  const parts = context.services.partsOf(definition)
  const known = knownParts(context, parts).definition
  const query = wanted(known)
  const { by, part, sum } = query
  const { kind } = context.services.database
  const { filters, where } = listConditions(context, definition, query)
  const of = {
    table: parts.store.plan.table,
    filters,
    ...(where ? { where } : {}),
    sums: sum.map(({ name }) => columnOf(name)),
    limit: MOST_GROUPS,
  }
  const db = deepList(context)
  const unset = by && unsetOf(by)
  const groups = by
    ? await selectGroups(db, kind, {
        ...of,
        by: columnOf(by.name),
        ...(part === undefined ? {} : { part }),
        ...(unset === undefined ? {} : { unset }),
      })
    : []
  const [all] = await selectGroups(db, kind, of)
  const values = groups.map(({ value }) => (by && part === undefined ? shown(by, value) : value))
  const labels = await labelsOf(context, by, values)
  return {
    groups: groups.map((group, at) => ({
      value: values[at],
      label: labels[at]!,
      count: group.count,
      sums: sumsOf(sum, group),
    })),
    total: all?.count ?? 0,
    sums: all ? sumsOf(sum, all) : {},
  }
}

function unsetOf(field: Field): number | undefined {
  const { unset, toColumn } = fieldType(field.type)
  return unset === undefined ? undefined : Number(toColumn(unset, field))
}

function shown(field: Field, value: Group['value']): unknown {
  const type = fieldType(field.type)
  if (value === null) return type.unset ?? null
  return type.toWire(type.fromColumn(value, field), field)
}

function sumsOf(fields: readonly Field[], { sums }: Group): Sums {
  return Object.fromEntries(
    fields.map((field, at) => [
      field.name,
      decimalToNumber(sums[at] ?? 0n, fieldType(field.type).scaleOf(field)),
    ]),
  )
}

/** What people read of the values: titles of linked records, else the values. */
async function labelsOf(
  context: Context,
  by: Field | undefined,
  values: readonly unknown[],
): Promise<readonly string[]> {
  const names = values.filter((value) => typeof value === 'string')
  const titles =
    by?.link === undefined || by.linkTable !== undefined || names.length === 0
      ? undefined
      : await titlesOf(context.services.database.read, context, by.link, names)
  return values.map((value) =>
    value === null || value === undefined ? '' : (titles?.get(String(value)) ?? String(value)),
  )
}
