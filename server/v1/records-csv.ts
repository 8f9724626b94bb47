import { BYTE_ORDER_MARK, csvLine, spreadsheetCell } from '../../engine/base/csv-line.ts'
import { AppError, type Detail, validationError } from '../../engine/base/errors.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { listDocuments } from '../../engine/documents/lists/list.ts'
import { assertMay } from '../../engine/documents/rights/door.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import { fieldType } from '../../engine/fields/index.ts'
import type { Telling } from '../../engine/schema/catalogue/told.ts'
import { shownFields } from '../../engine/schema/shapes/doctype-schemas.ts'
import { MAX_CELLS } from '../../engine/storage/query/query.ts'
import { logExport } from '../auth/security-log.ts'
import type { CsvForm } from '../http/list-csv.ts'
import { readListQuery } from '../http/list-params.ts'
import { longAnswer } from '../http/long-answer.ts'
import { PAGING_PARAMETERS } from '../http/paging.ts'
import type { Parameters } from '../http/query-string.ts'
import type { ApiResponse } from '../http/request-state.ts'

/** Records that are read at once. */
const PAGE = 200

/** What a CSV of a list is made of. */
interface AskedCsv {
  readonly parameters: Parameters
  readonly form: CsvForm
  readonly telling: Telling
}

/**
 * Sends all records that match as CSV, in the order of the list: names of fields above, or their labels. Needs the right
 * \`export\`. Throws 422 for parameters of a page, and UNAVAILABLE where there is more than an answer may hold.
 */
export async function sendListCsv(
  context: Context,
  definition: DocTypeDefinition,
  response: ApiResponse,
  { parameters, form, telling }: AskedCsv,
): Promise<void> {
  assertMay(context, definition, 'read')
  assertMay(context, definition, 'export')
  assertNoPage(parameters)
  const answer = longAnswer(response, 'text/csv; charset=utf-8')
  if (form.mark) answer.add(BYTE_ORDER_MARK)
  let columns: readonly string[] | undefined
  let cells = 0
  let cursor: string | undefined = ''
  while (cursor !== undefined) {
    const page: Awaited<ReturnType<typeof listDocuments>> = await listDocuments(
      context,
      definition,
      (known) => {
        const query = readListQuery(context.services, known, [
          ...parameters,
          ['cursor', cursor ?? ''],
        ])
        if (!columns) {
          columns = query.fields ?? listedNames(known)
          answer.add(csvLine(headOf(known, columns, form, telling)))
        }
        return { ...query, limit: PAGE }
      },
    )
    cells += page.data.length * columns!.length
    if (cells > MAX_CELLS) throw tooMany(definition)
    for (const record of page.data)
      answer.add(csvLine(columns!.map((name) => spreadsheetCell(record[name]))))
    cursor = page.nextCursor
  }
  await logExport(context.services, context.actor, definition.slug, 'csv')
  response.setHeader('Content-Disposition', `attachment; filename="${definition.slug}.csv"`)
  await answer.send()
}

/** The fields that a list shows when it names none. */
function listedNames(definition: DocTypeDefinition): readonly string[] {
  return shownFields(definition).flatMap(({ name, type, child }) => {
    const { inList, secret } = fieldType(type)
    return inList && !secret && !child ? [name] : []
  })
}

function headOf(
  definition: DocTypeDefinition,
  columns: readonly string[],
  { labels }: CsvForm,
  telling: Telling,
): readonly string[] {
  if (!labels) return columns
  const known = new Map(shownFields(definition).map(({ name, label }) => [name, label]))
  return columns.map((name) => telling.label(known.get(name) ?? name))
}

function assertNoPage(parameters: Parameters): void {
  const wrong = parameters.filter(([name]) => PAGING_PARAMETERS.some((one) => one === name))
  if (wrong.length === 0) return
  const message = 'expected no page with Accept: text/csv, which answers all that match'
  throw validationError(wrong.map(([field]): Detail => ({ field, message, code: 'unknown_field' })))
}

function tooMany({ slug }: DocTypeDefinition): AppError {
  return new AppError(
    'UNAVAILABLE',
    `expected at most ${MAX_CELLS} cells of a CSV; narrow it by filters or fields, or send POST /v1/${slug}/_export`,
    { headers: { 'Retry-After': '60' } },
  )
}
