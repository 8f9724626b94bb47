import type { Where } from '../../definition/load/written-places.ts'

/** Kind of source that a value is from. */
export type How =
  | 'entered'
  | 'default'
  | 'formula'
  | 'fetch'
  | 'lookup'
  | 'rollup'
  | 'status'
  | 'call'
  | 'series'

/** Value that another one was made of. */
export interface ExplainedInput {
  /** `currency`, `items[0].amount`, `customer.territory`, `Payment Entry.references`; empty for one without a name. */
  readonly field: string
  readonly label: string
  readonly value: unknown
  readonly explain?: Explanation
}

/** Record that a value was made of, and what it gave; without resource and id what the caller may not read, or more. */
export interface ExplainedRecord {
  readonly resource: string | null
  readonly id: string | null
  readonly title: string
  readonly value: unknown
}

/**
 * Why a field of a record has its value.
 *
 *     { field: 'outstanding_amount', label: 'Outstanding', value: 80, how: 'formula',
 *       where: { file: 'billing/sales-invoice.yaml', line: 223, text: 'rounded_total - paid_amount' },
 *       inputs: [{ field: 'rounded_total', label: 'Rounded Total', value: 100 }, …] }
 */
export interface Explanation {
  readonly field: string
  readonly label: string
  readonly value: unknown
  readonly how: How
  /**
   * Where the YAML says so, parameters of blocks filled in, internal fields replaced by what they stand for; absent
   * for what no YAML says, such as who created a record.
   */
  readonly where?: Where
  /** Moment at which the value was taken, of what does not follow every change; ISO 8601. */
  readonly at?: string
  readonly inputs: readonly ExplainedInput[]
  readonly records?: readonly ExplainedRecord[]
  readonly next_cursor?: string
}

/** How much is told. */
export interface ExplainQuery {
  /** Levels of explanations: 1 is that of the field alone, 2 those of its inputs too. */
  readonly depth: number
  /** Most records, or inputs where there are no records, of one explanation. */
  readonly limit: number
  /** `next_cursor` of the page before. */
  readonly cursor?: string | undefined
}

/** Levels that may be asked for. */
export const MAX_DEPTH = 5
