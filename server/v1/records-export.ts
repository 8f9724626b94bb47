import type { Router } from 'express'
import { assertScope } from '../../engine/access/can.ts'
import { AppError } from '../../engine/base/errors.ts'
import { listDocuments } from '../../engine/documents/lists/list.ts'
import { assertMay } from '../../engine/documents/rights/door.ts'
import { logExport } from '../auth/security-log.ts'
import { type Answer, sendAnswer } from '../http/answer.ts'
import { type BodyField, readFields } from '../http/fields-of-body.ts'
import { readListQuery } from '../http/list-params.ts'
import { methodNotAllowed } from '../http/not-found.ts'
import { takes } from '../http/query-parameters.ts'
import type { Handler } from '../http/request-state.ts'
import { FORMATS, type Format } from '../import/format.ts'
import { type ExportInput, exportedFields, exportedText } from '../jobs/export-job.ts'
import { addJob } from '../jobs/new-job.ts'
import { shownJob } from '../jobs/shown-job.ts'
import { callOf, parameter, type V1 } from './call.ts'
import { jobOf } from './jobs.ts'
import { A_FILTER, parametersOf } from './records-filter.ts'

/**
 * `POST /v1/{resource}/_export`: all records that match as a file, as a job; `GET /v1/jobs/{id}/file` is the file once it is
 * done.
 */
export function exportRoutes(router: Router, v1: V1): void {
  router.post('/:resource/_export', takes(), begin(v1))
  router.all('/:resource/_export', methodNotAllowed('POST'))
  router.get('/jobs/:id/file', takes(), file(v1))
  router.all('/jobs/:id/file', methodNotAllowed('GET, HEAD'))
}

const FORMAT: BodyField<Format> = {
  expected: `one of ${FORMATS.join(', ')}`,
  read: (value) => FORMATS.find((one) => one === value),
}
const FIELDS: BodyField<readonly string[]> = {
  expected: 'a list of names of fields, such as ["customer", "items.qty"]',
  read: (value) =>
    Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string')
      ? (value as readonly string[])
      : undefined,
}

function begin(v1: V1): Handler {
  return async (request, response) => {
    const { definition, context } = callOf(v1.engine, request, response)
    assertScope(context.actor, 'read', 'export records')
    assertMay(context, definition, 'read')
    const rules = { format: FORMAT, fields: FIELDS, filter: A_FILTER }
    const { format = 'csv', fields, filter = {} } = readFields(response.locals.body, rules)
    const input: ExportInput = {
      format,
      filter: parametersOf(filter),
      ...(fields ? { fields: fields.join(',') } : {}),
    }
    exportedFields(context, definition, input)
    if (v1.idempotency.replay(response)) return
    const { services } = context
    const { total = 0 } = await listDocuments(context, definition, (known) => ({
      ...readListQuery(services, known, [...input.filter, ['fields', 'id']]),
      limit: 1,
    }))
    await logExport(services, context.actor, definition.slug, format)
    const answer = await services.database.write(async (tx) => {
      const asked = { kind: 'export', resource: definition.slug, input, total }
      const row = await addJob(tx, services, context.actor, asked)
      const body = JSON.stringify({ job: await shownJob(tx, row) })
      const told: Answer = { status: 202, headers: { Location: `/v1/jobs/${row.id}` }, body }
      await v1.idempotency.keep(tx, response, told)
      return told
    })
    v1.jobs.ask()
    sendAnswer(response, answer)
  }
}

const TYPES = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  jsonl: 'application/jsonl; charset=utf-8',
} as const

function file({ engine }: V1): Handler {
  return async (request, response) => {
    const { actor, tier } = response.locals
    assertScope(actor, 'read', 'see jobs')
    const { registry, database } = engine.services
    const { id, kind, state, resource, input } = await jobOf(
      database.read,
      actor,
      parameter(request, 'id'),
    )
    const definition = registry.bySlug(resource)
    if (kind !== 'export' || !definition)
      throw new AppError('NOT_FOUND', `${id} has no file: it is a job of the kind ${kind}`)
    // Who may export no more does not get what they once asked for.
    assertMay(engine.context(actor, tier), definition, 'export')
    if (state !== 'done') throw new AppError('CONFLICT', `the export is ${state}, not done`)
    const { format } = JSON.parse(input) as ExportInput
    response.setHeader('Content-Type', TYPES[format])
    response.setHeader('Content-Disposition', `attachment; filename="${resource}.${format}"`)
    if (request.method === 'HEAD') return response.end()
    for await (const text of exportedText(database.read, id)) {
      if (response.destroyed) return
      if (!response.write(text))
        await new Promise((next) => response.once('drain', next).once('close', next))
    }
    response.end()
  }
}
