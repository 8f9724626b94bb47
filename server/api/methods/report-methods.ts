import { AppError } from '../../../engine/base/errors.ts'
import { isObject } from '../../../engine/base/json-text.ts'
import { frappeName } from '../../../engine/fields/frappe-names.ts'
import type { Engine } from '../../../engine/index.ts'
import type { ReportResult } from '../../../engine/reports/run/result.ts'
import { runReport } from '../../../engine/reports/run/run.ts'
import { inTurns, longAnswer } from '../../http/long-answer.ts'
import type { ApiResponse } from '../../http/request-state.ts'
import { isGiven } from '../args.ts'
import { DataError } from '../data-error.ts'
import { parsedParameter } from '../json-text.ts'
import { ANSWERED, type MethodCall, type Methods } from './method.ts'

/** Rows of one answer: Frappe's clients page nothing here. */
const MOST_ROWS = 50_000

/** Methods by which Frappe's clients run a report (erp-semantics.md §5). */
export function reportMethods(engine: Engine): Methods {
  return {
    'frappe.desk.query_report.run': {
      verbs: ['GET', 'POST'],
      access: 'user',
      run: (call) => run(engine, call),
    },
  }
}

async function run(engine: Engine, { context, response, args }: MethodCall): Promise<unknown> {
  const name = typeof args.report_name === 'string' ? args.report_name : ''
  const report = engine.reports().byName(name) ?? engine.reports().bySlug(name)
  if (!report) throw new AppError('NOT_FOUND', `Report ${name} not found`)
  const filters = isGiven(args.filters) ? parsedParameter(args.filters, 'filters') : {}
  if (!isObject(filters)) throw new DataError('expected filters to be an object')
  const given = new Map(
    Object.entries(filters)
      .filter(([, value]) => value !== null && value !== undefined && value !== '')
      .map(([key, value]) => [key, textOf(value)]),
  )
  const result = await runReport(context, report, { given, limit: MOST_ROWS, offset: 0 })
  await sendReport(response, result)
  return ANSWERED
}

/** Sends the result with its rows one by one: of fifty thousand others would have to wait for one text. */
async function sendReport(response: ApiResponse, result: ReportResult): Promise<void> {
  const { columns, ...rest } = frappeResult(result)
  const rows = result.totals ? [...result.data, result.totals] : result.data
  const answer = longAnswer(response, 'application/json; charset=utf-8')
  answer.add(`{"message":{"columns":${JSON.stringify(columns)},"result":[`)
  let comma = ''
  await inTurns(rows, (row) => {
    answer.add(comma + JSON.stringify(row))
    comma = ','
  })
  answer.add(`],${JSON.stringify(rest).slice(1)}}`)
  await answer.send()
}

/** Text of a parameter; a list, which is how Frappe sends one choice of several, has commas between. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(',')
  if (typeof value === 'boolean') return value ? '1' : '0'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function frappeResult({ columns, data, totals, summary, chart }: ReportResult) {
  return {
    columns: columns.map(({ name, label, type, options }) => ({
      fieldname: name,
      label,
      fieldtype: frappeName(type).fieldtype,
      ...(options === undefined
        ? {}
        : { options: Array.isArray(options) ? options.join('\n') : options }),
      width: 120,
    })),
    add_total_row: 0,
    report_summary: summary.map(({ label, value, type }) => ({
      label,
      value,
      datatype: frappeName(type).fieldtype,
    })),
    chart: chart ? frappeChart(chart, data, totals) : null,
    execution_time: 0,
  }
}

/** Labels and values as Frappe's charts take them; with periods the lines are those of the totals. */
function frappeChart(
  { type, x, y }: NonNullable<ReportResult['chart']>,
  data: ReportResult['data'],
  totals: ReportResult['totals'],
) {
  if (typeof x !== 'string') {
    const values = y.map((name) => totals?.[name] ?? null)
    return { type, data: { labels: x, datasets: [{ name: 'Total', values }] } }
  }
  const datasets = y.map((name) => ({ name, values: data.map((row) => row[name]) }))
  return { type, data: { labels: data.map((row) => row[x]), datasets } }
}
