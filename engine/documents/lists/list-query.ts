import type { Operator, Value } from '../../fields/field-type.ts'

/** One condition of a list; `values` are already of the field's kind, null is "unset". Conditions are ANDed. */
export interface Filter {
  readonly field: string
  readonly operator: Operator
  readonly values: readonly Value[]
}

/** Query of a list (spec §4). Field names are checked against the definition by whoever parses them. */
export interface ListQuery {
  readonly filters: readonly Filter[]
  readonly q?: string
  readonly sort: string
  readonly order: 'asc' | 'desc'
  readonly limit: number
  /** Offset paging, with an exact total. */
  readonly offset?: number
  /** Cursor paging, without a count; empty text starts. Not together with `offset`. */
  readonly cursor?: string
  /** Fields to show beside id and name; tables too. Default: scalars except long texts. */
  readonly fields?: readonly string[]
  /** Add `_titles` of linked records to each row. */
  readonly titles: boolean
}

export interface ListResult {
  /** What was asked for. */
  readonly query: ListQuery
  readonly data: readonly Readonly<Record<string, unknown>>[]
  /** Offset paging only. */
  readonly total?: number
  /** Cursor of the next page; undefined on the last. */
  readonly nextCursor: string | undefined
}
