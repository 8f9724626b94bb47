import type { Field } from '../../fields/field.ts'
import type { ColumnValue, Value } from '../../fields/field-type.ts'
import { fieldType } from '../../fields/index.ts'

/** Value that is not what it should be, as a client would see both. */
export interface Difference {
  readonly doctype: string
  /** Name of the record; for an invariant the values it is broken for, `company=Acme, party=Ann`. */
  readonly id: string
  /** The field (`outstanding`, `items[2].billed_qty`), or empty where it is about the whole record. */
  readonly field: string
  readonly stored: unknown
  /** Value it should have; absent where none would be right: `message` says why then. */
  readonly expected?: unknown
  /** Reason why it is wrong, where two values do not say it. */
  readonly message?: string
}

/** Kinds of checks: rollups, ledgers, invariants, what is computed inside a record, and what is only warned of. */
export const CHECK_KINDS = ['rollup', 'ledger', 'invariant', 'computed', 'validation'] as const

export type CheckKind = (typeof CHECK_KINDS)[number]

/** Check of one thing on all records. */
export interface Check {
  readonly kind: CheckKind
  readonly name: string
  /** Number of differences; `found` names the first of them. */
  readonly differences: number
  readonly found: readonly Difference[]
}

/** Check of what has no records. */
export function nothingWrong(kind: CheckKind, name: string): Check {
  return { kind, name, differences: 0, found: [] }
}

/** Report of `svc verify`. */
export interface Report {
  /** Checks that must hold: the workspace is right when none has differences. */
  readonly checks: readonly Check[]
  /** Values that were right on the day they were written; the daily tick brings them to today. */
  readonly stale: readonly Check[]
  /** Submitted documents that a `validate` of today would refuse, or links to what is another's; they may be older than it. */
  readonly warnings: readonly Check[]
  /** Formulas of submitted documents that the definition of now would make otherwise: they were changed after it. */
  readonly earlier: readonly Check[]
  /** Number of records that were looked at. */
  readonly documents: number
  /** Moment (ISO) from which on they were written; undefined where all were looked at. */
  readonly from: string | undefined
  /** Result of `repair`, which ran before these checks. */
  readonly repaired?: Repair
}

export interface Repair {
  /** Rollup values that were set anew. */
  readonly rollups: number
  /** Records whose formulas and status were computed anew. */
  readonly records: number
  /** Balance records made for keys that had none. */
  readonly made: number
}

/** Findings of a check: all are counted, the first `limit` are named. */
export interface Findings {
  add(difference: Difference): void
  check(kind: CheckKind, name: string): Check
}

export function findings(limit: number): Findings {
  const found: Difference[] = []
  let differences = 0
  return {
    add(difference) {
      differences += 1
      if (found.length < limit) found.push(difference)
    },
    check: (kind, name) => ({ kind, name, differences, found }),
  }
}

/** A value of a field as clients see it: amounts as decimals. */
export function shown(field: Field, value: Value): unknown {
  return value === null ? null : fieldType(field.type).toWire(value, field)
}

/** Value as clients see it, from one as the database gives it. */
export function shownColumn(field: Field, column: ColumnValue): unknown {
  return column === null ? null : shown(field, fieldType(field.type).fromColumn(column, field))
}
