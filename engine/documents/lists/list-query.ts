import type { Field } from '../../fields/field.ts'
import type { Operator, Value } from '../../fields/field-type.ts'
import type { DatePart } from '../../storage/records/groups.ts'

/** One condition of a list; `values` are already of the field's kind, null is "unset". Conditions are ANDed. */
export interface Filter {
  readonly field: string
  readonly operator: Operator
  readonly values: readonly Value[]
}

/** A field that a list is sorted by. */
export interface SortField {
  readonly field: string
  readonly order: 'asc' | 'desc'
}

/** Query of a list (spec §4). Field names are checked against the definition by whoever parses them. */
export interface ListQuery {
  readonly filters: readonly Filter[]
  readonly q?: string
  readonly sort: string
  readonly order: 'asc' | 'desc'
  /** Further fields to sort by, where the ones before are alike. */
  readonly then?: readonly SortField[]
  readonly limit: number
  /** Offset paging, with an exact total. */
  readonly offset?: number
  /** Cursor paging, without a count; empty text starts. Not together with `offset`. */
  readonly cursor?: string
  /** Fields to show and no others; tables too. Default: scalars except long texts. */
  readonly fields?: readonly string[]
  /** Add `_titles` of linked records to each row. */
  readonly titles: boolean
}

/** Query of a list in groups: which records, what they are grouped by, and the fields that are added up. */
export interface GroupedQuery extends Pick<ListQuery, 'filters' | 'q'> {
  readonly by?: Field
  /** Of a date or moment: the part that counts. */
  readonly part?: DatePart
  readonly sum: readonly Field[]
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
