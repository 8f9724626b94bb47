import type { Router } from 'express'
import { assertManager, assertScope } from '../../engine/access/can.ts'
import { BYTE_ORDER_MARK } from '../../engine/base/csv-line.ts'
import { AppError, type Detail, validationError } from '../../engine/base/errors.ts'
import { suggest } from '../../engine/base/suggest.ts'
import { DefinitionErrors } from '../../engine/definition/yaml/problems.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import type { Engine } from '../../engine/index.ts'
import type { Report } from '../../engine/reports/declare/report.ts'
import { assertMayExport, mayRun, maySee } from '../../engine/reports/run/access.ts'
import type { ReportResult } from '../../engine/reports/run/result.ts'
import { runReport } from '../../engine/reports/run/run.ts'
import { type Telling, toldField } from '../../engine/schema/catalogue/told.ts'
import { resourceField } from '../../engine/schema/shapes/resource-field.ts'
import { logExport } from '../auth/security-log.ts'
import { type Answer, sendAnswer, sendJson } from '../http/answer.ts'
import { acceptedForm } from '../http/answer-form.ts'
import { type CsvForm, readCsvForm } from '../http/list-csv.ts'
import { inTurns, longAnswer } from '../http/long-answer.ts'
import { methodNotAllowed } from '../http/not-found.ts'
import { readFlag } from '../http/query-flags.ts'
import { reads, takes } from '../http/query-parameters.ts'
import { readQuery } from '../http/query-string.ts'
import type { ApiResponse, Handler } from '../http/request-state.ts'
import { type NewReport, readNewReport } from '../reports/new-report.ts'
import { reportCsv } from '../reports/report-csv.ts'
import { REPORT_PARAMETERS, readReportQuery } from '../reports/report-params.ts'
import type { Studio } from '../studio/studio.ts'
import { parameter, type V1 } from './call.ts'
import { createWords } from './catalog-words.ts'

/** `/v1/reports` and `GET /v1/reports/{report}` (contract §3, Reports). */
export function reportRoutes(
  router: Router,
  v1: Pick<V1, 'engine' | 'idempotency'>,
  studio: Pick<Studio, 'addFile'>,
): void {
  router.get('/reports', takes('brief'), list(v1))
  router.post('/reports', takes('dry_run'), make(v1, studio))
  router.all('/reports', methodNotAllowed('GET, HEAD, POST'))
  router.get('/reports/:report', reads(...REPORT_PARAMETERS, ...CSV_OF_REPORTS), run(v1))
  router.all('/reports/:report', methodNotAllowed('GET, HEAD'))
}

/** Parameters of the CSV of a report. */
const CSV_OF_REPORTS = ['totals', 'bom'] as const

/** Rows that are shown of a report that is tried. */
const MOST_TRIED = 100

/** Rows of one CSV: a spreadsheet takes a million, and the text of these fits into memory. */
const MOST_CSV_ROWS = 200_000

function list({ engine }: Pick<V1, 'engine'>): Handler {
  const words = createWords()
  return async (request, response) => {
    const { actor, tier } = response.locals
    assertScope(actor, 'read', 'list the reports')
    const context = engine.context(actor, tier)
    const reports = await engine.reports().readAll()
    const seen = reports.filter((report) => maySee(context, report))
    const telling = words.telling(context.services, await words.languageOf(context, request))
    response.vary('Accept-Language')
    const isBrief = readFlag(request.url, 'brief')
    const data = seen.map((report) => entry(context, report, telling, isBrief))
    sendJson(response, 200, JSON.stringify({ data }))
  }
}

/** Makes a report; with `dry_run` only shows its file, and what it answers. */
function make(
  { engine, idempotency }: Pick<V1, 'engine' | 'idempotency'>,
  studio: Pick<Studio, 'addFile'>,
): Handler {
  return async (request, response) => {
    const { actor, tier, body } = response.locals
    assertManager(actor, 'admin', 'make a report')
    if (idempotency.replay(response)) return
    const context = engine.context(actor, tier)
    const { slug, yaml, from } = readNewReport(context, body)
    const path = `reports/${slug}.yaml`
    if (engine.reports().bySlug(slug))
      throw new AppError('CONFLICT', `there is a report ${slug} already; choose another label`)
    const report = compiled(engine, path, yaml, from)
    if (readFlag(request.url, 'dry_run')) {
      const page = { limit: MOST_TRIED, offset: 0 }
      const result = await runReport(context, report, { given: new Map(), ...page })
      await sendResult(response, { slug, label: report.label }, result, page, { yaml })
      return
    }
    await studio.addFile(path, yaml)
    const answer: Answer = {
      status: 201,
      headers: { Location: `/v1/reports/${slug}` },
      body: JSON.stringify({ slug, label: report.label, yaml }),
    }
    const { database } = engine.services
    await database.write((tx) => idempotency.keep(tx, response, answer))
    sendAnswer(response, answer)
  }
}

/** The report of this file; what the list asks and a report cannot, and what is wrong with its words, is a 422. */
function compiled(engine: Engine, path: string, text: string, field: NewReport['from']): Report {
  try {
    return engine.reportOf({ path, text })
  } catch (error) {
    if (!(error instanceof DefinitionErrors)) throw error
    const lines = text.split('\n')
    // Who has sent words knows no lines: what stands there says which of them is meant.
    const place = (line: number): string =>
      field === 'definition' ? `${JSON.stringify(lines[line - 1]?.trim())}: ` : ''
    throw validationError(
      error.problems.map(({ line, message }) => {
        return { field, message: `${place(line)}${message}`, code: 'rule' }
      }),
    )
  }
}

function entry(
  context: Context,
  report: Report,
  telling: Telling,
  isBrief: boolean,
): Readonly<Record<string, unknown>> {
  const { slug, label, module, description, icon, params } = report
  const told = { slug, label: telling.label(label), module, description }
  const allowed = mayRun(context, report)
  // What a model can read at once; which values a parameter takes is told where one is wrong.
  if (isBrief) return { ...told, allowed, params: params.map(({ field: { name } }) => ({ name })) }
  return {
    ...told,
    icon,
    allowed,
    params: params.map(({ field, initial, first }) => ({
      ...toldField(resourceField(context.services.registry, field), telling),
      // What has to be given and is not filled in by itself is asked for before the report runs.
      ...(initial || first || field.defaultValue !== undefined ? { has_default: true } : {}),
    })),
  }
}

function run({ engine }: Pick<V1, 'engine'>): Handler {
  const words = createWords()
  return async (request, response) => {
    const { actor, tier } = response.locals
    assertScope(actor, 'read', 'run a report')
    const context = engine.context(actor, tier)
    const report = reportOf(engine, context, parameter(request, 'report'))
    const isCsv = acceptedForm(request, response) === 'csv'
    const taken = (name: string) => report.params.some(({ field }) => field.name === name)
    const details: Detail[] = []
    const sent = readQuery(request.url)
    const { form, rest } = readCsvForm(sent, CSV_OF_REPORTS, taken, isCsv, details)
    if (details.length > 0) throw validationError(details)
    const query = readReportQuery(rest)
    const telling = words.telling(context.services, await words.languageOf(context, request))
    response.vary('Accept-Language')
    if (!isCsv) {
      const result = inWords(await runReport(context, report, query), telling)
      const { limit, offset } = query
      const label = telling.label(report.label)
      await sendResult(response, { slug: report.slug, label }, result, { limit, offset })
      return
    }
    assertMayExport(context, report)
    const all = { ...query, limit: MOST_CSV_ROWS, offset: 0 }
    const result = inWords(await runReport(context, report, all), telling)
    await sendCsv(context, response, report, result, form)
  }
}

/** What a report answers, with its labels in the reader's language. */
function inWords(result: ReportResult, { label }: Telling): ReportResult {
  const told = <T extends { readonly label: string }>(one: T): T => ({
    ...one,
    label: label(one.label),
  })
  const { columns, summary, totalLabel = 'Total' } = result
  return {
    ...result,
    columns: columns.map(told),
    ...(summary ? { summary: summary.map(told) } : {}),
    totalLabel: label(totalLabel),
  }
}

function reportOf(engine: Engine, context: Context, slug: string): Report {
  const reports = engine.reports()
  const report = reports.bySlug(slug)
  if (report) return report
  const seen = reports.all.filter((one) => maySee(context, one)).map((one) => one.slug)
  const near = slug.length > 80 ? undefined : suggest(slug, seen)
  const hint = near === undefined ? '' : `, did you mean ${JSON.stringify(near)}?`
  throw new AppError(
    'NOT_FOUND',
    `there is no report ${JSON.stringify(slug)}${hint}; GET /v1/reports lists them`,
  )
}

/** The answer of a report, its rows written one by one: of thousands others would have to wait for one text. */
async function sendResult(
  response: ApiResponse,
  { slug, label }: Pick<Report, 'slug' | 'label'>,
  { columns, data, totals, totalLabel, summary, chart, total, currency, params }: ReportResult,
  page: { readonly limit: number; readonly offset: number },
  more: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const answer = longAnswer(response, 'application/json; charset=utf-8')
  const head = JSON.stringify({ report: slug, label, columns })
  answer.add(`${head.slice(0, -1)},"data":[`)
  let comma = ''
  await inTurns(data, (row) => {
    answer.add(comma + JSON.stringify(row))
    comma = ','
  })
  const rest = JSON.stringify({
    totals,
    total_label: totals ? (totalLabel ?? 'Total') : undefined,
    summary,
    chart,
    meta: { total, ...page, currency, params },
    ...more,
  })
  answer.add(`],${rest.slice(1)}`)
  await answer.send()
}

async function sendCsv(
  { services, actor }: Context,
  response: ApiResponse,
  { slug, tree }: Report,
  result: ReportResult,
  form: CsvForm,
): Promise<void> {
  if (result.total > MOST_CSV_ROWS)
    throw new AppError(
      'VALIDATION_ERROR',
      `the report has ${result.total} rows, at most ${MOST_CSV_ROWS} fit into one CSV; narrow its parameters`,
    )
  await logExport(services, actor, slug, 'csv')
  const answer = longAnswer(response, 'text/csv; charset=utf-8')
  if (form.mark) answer.add(BYTE_ORDER_MARK)
  const lines = reportCsv(result, { isTree: tree !== undefined, totals: form.totals })
  await inTurns(lines, (line) => answer.add(line))
  response.setHeader('Content-Disposition', `attachment; filename="${slug}.csv"`)
  await answer.send()
}
