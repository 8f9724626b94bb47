/** A filter of a list as its address has it: `grand_total__gte=100`. */
export interface Filter {
  readonly key: string
  readonly field: string
  readonly operator: string
  readonly value: string
}

/** A field that a list is sorted by, and which way. */
export interface Sort {
  readonly field: string
  readonly isDown: boolean
}

/** What an address says of a list: an address is a request of the API too. */
export interface ListAddress {
  readonly q: string
  /** The saved view it began with; empty for none. */
  readonly view: string
  readonly layout: string
  /** The month of a calendar, `2026-11`; empty for this one. */
  readonly month: string
  /** What it is sorted by, the first field first. */
  readonly sorts: readonly Sort[]
  readonly offset: number
  readonly limit: number
  /** Names of the columns that were chosen; undefined for the usual ones. */
  readonly fields: readonly string[] | undefined
  /** Field whose values it stands in groups by; empty for none. */
  readonly group: string
  readonly filters: readonly Filter[]
}

/** Parameters that are none of filters. */
const OWN: ReadonlySet<string> = new Set([
  ...['q', 'sort', 'order', 'offset', 'limit', 'fields', 'view', 'layout', 'month', 'group'],
])

/** Whether a parameter of a list is none of its filters. */
export function isOwnParameter(name: string): boolean {
  return OWN.has(name)
}

/** Fields a list is sorted by at most (contract §7.3). */
const MOST_SORTS = 3

/** Rows of a page, unless its address says otherwise, and at most. */
const PAGE_ROWS = 50
const MOST_ROWS = 100

/** What the part of an address behind `?` says of its list. */
export function readListAddress(search: string): ListAddress {
  const given = new URLSearchParams(search)
  return {
    q: given.get('q') ?? '',
    view: given.get('view') ?? '',
    layout: given.get('layout') ?? 'table',
    month: given.get('month') ?? '',
    group: given.get('group') ?? '',
    sorts: sortsIn(given.get('sort') ?? 'modified', given.get('order')),
    offset: numberIn(given.get('offset'), 0),
    limit: Math.min(MOST_ROWS, numberIn(given.get('limit'), PAGE_ROWS)),
    fields: given.get('fields')?.split(',').filter(Boolean),
    filters: [...given].filter(([key]) => !OWN.has(key)).map(filterOf),
  }
}

/** As the API reads them: `-a` is downwards; one plain field goes downwards unless `order` says otherwise. */
function sortsIn(text: string, order: string | null): readonly Sort[] {
  const names = text.split(',').filter(Boolean)
  const isOne = names.length === 1 && !text.startsWith('-')
  return names.slice(0, MOST_SORTS).map((name) => ({
    field: name.replace(/^-/, ''),
    isDown: isOne ? order !== 'asc' : name.startsWith('-'),
  }))
}

/** What an address says of a sorting. */
export function sortParameters(sorts: readonly Sort[]): {
  readonly sort: string
  readonly order: string | undefined
} {
  const [first] = sorts
  if (sorts.length === 1 && first)
    return { sort: first.field, order: first.isDown ? 'desc' : 'asc' }
  const sort = sorts.map(({ field, isDown }) => `${isDown ? '-' : ''}${field}`).join(',')
  return { sort, order: undefined }
}

/** A sorting once the head of a column was pressed: by it alone, or by it too, or by it the other way round. */
export function sortedBy(sorts: readonly Sort[], field: string, isToo: boolean): readonly Sort[] {
  const known = sorts.find((one) => one.field === field)
  const turned = { field, isDown: known ? !known.isDown : false }
  if (!isToo) return [turned]
  const others = sorts.map((one) => (one === known ? turned : one))
  return (known ? others : [...others, turned]).slice(-MOST_SORTS)
}

function numberIn(text: string | null, otherwise: number): number {
  const number = Number(text ?? '')
  return Number.isInteger(number) && number > 0 ? number : otherwise
}

function filterOf([key, value]: readonly [string, string]): Filter {
  const at = key.lastIndexOf('__')
  return at < 0
    ? { key, field: key, operator: 'eq', value }
    : { key, field: key.slice(0, at), operator: key.slice(at + 2), value }
}

/** The parameter of a filter: `status`, `grand_total__gte`. */
export function filterKey(field: string, operator: string): string {
  return operator === 'eq' ? field : `${field}__${operator}`
}

/** What narrows a list: its filters and its search. */
export function narrowing({
  filters,
  q,
}: Pick<ListAddress, 'filters' | 'q'>): Readonly<Record<string, string>> {
  return {
    ...Object.fromEntries(filters.map(({ key, value }) => [key, value])),
    ...(q === '' ? {} : { q }),
  }
}

/** The query that asks the API for a page of a list with these fields; `_list` are those that it shows by itself. */
export function pageQuery(
  address: Pick<ListAddress, 'filters' | 'q' | 'sorts' | 'limit' | 'offset'>,
  fields = '_list',
): string {
  const { sort, order } = sortParameters(address.sorts)
  return new URLSearchParams({
    ...narrowing(address),
    fields,
    sort,
    ...(order === undefined ? {} : { order }),
    limit: String(address.limit),
    offset: String(address.offset),
    _titles: '1',
  }).toString()
}
