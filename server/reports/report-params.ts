import { type Detail, validationError } from '../../engine/base/errors.ts'
import type { ReportQuery } from '../../engine/reports/run.ts'
import type { Parameters } from '../query-string.ts'

/** Rows of one page, unless fewer are asked for; a report is looked at as a whole more often than a list. */
const DEFAULT_LIMIT = 100
const MOST_ROWS = 5000

/**
 * Reads what a report is asked with: `limit`, `offset` and `order_by`; everything else is a parameter of the
 * report itself. Throws 422 with every problem at once.
 */
export function readReportQuery(parameters: Parameters): ReportQuery {
  const details: Detail[] = []
  const given = new Map<string, string>()
  for (const [name, value] of parameters) {
    if (given.has(name))
      details.push({ field: name, message: 'came more than once; expected one value' })
    given.set(name, value)
  }
  const take = (name: string): string | undefined => {
    const text = given.get(name)
    given.delete(name)
    return text === '' ? undefined : text
  }
  const limit = readCount('limit', take('limit'), DEFAULT_LIMIT, [1, MOST_ROWS], details)
  const offset = readCount('offset', take('offset'), 0, [0, Number.MAX_SAFE_INTEGER], details)
  const order = take('order_by')
  if (details.length > 0) throw validationError(details)
  const by = order && { column: order.replace(/^-/, ''), isDown: order.startsWith('-') }
  return { given, limit, offset, ...(by ? { order: by } : {}) }
}

function readCount(
  field: string,
  text: string | undefined,
  usual: number,
  [min, max]: readonly [number, number],
  details: Detail[],
): number {
  if (text === undefined) return usual
  const count = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (count >= min && count <= max) return count
  const message = `expected an integer from ${min} to ${max}, got ${JSON.stringify(text.slice(0, 40))}`
  details.push({ field, message })
  return usual
}
