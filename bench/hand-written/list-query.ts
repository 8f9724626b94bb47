import { invalid } from './refusal.ts'

/** A list of items as SQL: a condition, its values, and the order. */
export interface ListQuery {
  readonly where: string
  readonly values: readonly (string | number)[]
  readonly q: string | undefined
  readonly order: string
  readonly limit: number
  readonly offset: number
}

type ToColumn = (text: string) => string | number

const asText: ToColumn = (text) => text
const asFlag: ToColumn = (text) => (text === 'true' || text === '1' ? 1 : 0)
const asAmount: ToColumn = (text) => Math.round(Number(text) * 10_000)

const FILTERS: Readonly<Record<string, ToColumn>> = {
  item_code: asText,
  item_name: asText,
  item_group: asText,
  stock_uom: asText,
  disabled: asFlag,
  is_stock_item: asFlag,
  standard_rate: asAmount,
  created: asText,
  modified: asText,
}

const COMPARISONS: Readonly<Record<string, string>> = {
  ne: 'is not',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
}

const SORTS = new Set([...Object.keys(FILTERS), 'id', 'brand'])

/** Reads the parameters of a list; all that is unknown is refused. */
export function readListQuery(parameters: URLSearchParams): ListQuery {
  const conditions: string[] = []
  const values: (string | number)[] = []
  let sort = 'modified'
  let order = 'desc'
  let limit = 20
  let offset = 0
  let q: string | undefined
  for (const [name, value] of parameters) {
    if (name === 'sort' && SORTS.has(value)) sort = value === 'id' ? 'name' : value
    else if (name === 'order' && (value === 'asc' || value === 'desc')) order = value
    else if (name === 'limit') limit = integer(name, value, 1, 100)
    else if (name === 'offset') offset = integer(name, value, 0, Number.MAX_SAFE_INTEGER)
    else if (name === 'q') q = value.trim() || undefined
    else {
      const [column = '', operator] = name.split('__')
      const read = FILTERS[column]
      const comparison = operator === undefined ? '=' : COMPARISONS[operator]
      if (!read || comparison === undefined) {
        throw invalid([{ field: name, message: 'unknown parameter or value' }])
      }
      conditions.push(`${column} ${comparison} ?`)
      values.push(read(value))
    }
  }
  return {
    where: conditions.join(' and '),
    values,
    q,
    order: `${sort} ${order}, rid ${order}`,
    limit,
    offset,
  }
}

function integer(field: string, text: string, min: number, max: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw invalid([{ field, message: `expected an integer from ${min} to ${max}` }])
}
