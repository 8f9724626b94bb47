import { type Detail, validationError } from '../../engine/base/errors.ts'
import type { ReportQuery } from '../../engine/reports/run/run.ts'
import { readInteger } from '../http/paging.ts'
import { cameTwice } from '../http/query-parameters.ts'
import type { Parameters } from '../http/query-string.ts'

/** Rows of one page, unless fewer are asked for; a report is looked at as a whole more often than a list. */
const DEFAULT_LIMIT = 100
const MOST_ROWS = 5000

/** Parameters of every report, beside its own. */
export const REPORT_PARAMETERS = ['limit', 'offset', 'order_by'] as const

/**
 * Reads what a report is asked with: `limit`, `offset` and `order_by`; everything else is a parameter of the
 * report itself. Throws 422 with every problem at once.
 */
export function readReportQuery(parameters: Parameters): ReportQuery {
  const details: Detail[] = []
  const given = new Map<string, string>()
  for (const [name, value] of parameters) {
    if (given.has(name)) details.push(cameTwice(name))
    given.set(name, value)
  }
  const limit = readInteger(given, 'limit', { min: 1, max: MOST_ROWS }, details) ?? DEFAULT_LIMIT
  const most = Number.MAX_SAFE_INTEGER
  const offset = readInteger(given, 'offset', { min: 0, max: most }, details) ?? 0
  const order = given.get('order_by')
  for (const name of REPORT_PARAMETERS) given.delete(name)
  if (details.length > 0) throw validationError(details)
  const by = order && { column: order.replace(/^-/, ''), isDown: order.startsWith('-') }
  return { given, limit, offset, ...(by ? { order: by } : {}) }
}
