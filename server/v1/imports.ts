import { createHash } from 'node:crypto'
import type { Router } from 'express'
import { assertScope } from '../../engine/access/can.ts'
import { AppError } from '../../engine/base/errors.ts'
import { newId } from '../../engine/base/ids.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import type { Db } from '../../engine/storage/database/database.ts'
import {
  insertJobPart,
  refusedOf,
  removeJobParts,
} from '../../engine/storage/workspace/job-rows.ts'
import { findJob, type JobRow } from '../../engine/storage/workspace/jobs.ts'
import { type Answer, sendAnswer, sendJson } from '../http/answer.ts'
import { methodNotAllowed } from '../http/not-found.ts'
import { takes } from '../http/query-parameters.ts'
import type { Handler } from '../http/request-state.ts'
import { usedOtherwise } from '../idempotency/key-conflicts.ts'
import type { Incoming } from '../import/incoming.ts'
import { refusedHead, refusedText } from '../import/refused-text.ts'
import { readUpload, type UploadedText } from '../import/upload.ts'
import { importInput, importSource, type KeptImport } from '../jobs/import-file.ts'
import { type ImportForm, readImportForm } from '../jobs/import-form.ts'
import { importable, keyOf, openImport } from '../jobs/import-job.ts'
import { addJob } from '../jobs/new-job.ts'
import { shownJob } from '../jobs/shown-job.ts'
import { parameter, type V1 } from './call.ts'
import { jobOf } from './jobs.ts'
import { keptJob } from './jobs-undo.ts'

/** `/v1/imports`: files whose records are brought in as a job (contract §7.4). */
export function importRoutes(router: Router, v1: V1): void {
  router.post('/imports', takes(), create(v1))
  router.all('/imports', methodNotAllowed('POST'))
  router.get('/imports/:id', takes(), getOne(v1))
  router.all('/imports/:id', methodNotAllowed('GET, HEAD'))
  router.get('/imports/:id/failed.csv', takes(), failed(v1))
  router.all('/imports/:id/failed.csv', methodNotAllowed('GET, HEAD'))
}

function create(v1: V1): Handler {
  return async (request, response) => {
    const { actor, tier } = response.locals
    assertScope(actor, 'write', 'import records')
    const context = v1.engine.context(actor, tier)
    const { services } = context
    const { database } = services
    const { stored } = response.locals.idempotency ?? {}
    if (stored) {
      await assertSame(database.read, stored, await readUpload(request, nowhere))
      v1.idempotency.replay(response)
      return
    }
    const id = newId('job', services.clock.now())
    try {
      const keep = (part: number, text: string): Promise<void> =>
        database.write((tx) => insertJobPart(tx, id, part, text), actor.user?.login ?? actor.id)
      const uploaded = await readUpload(request, keep)
      const form = readImportForm(uploaded)
      const found = await look(context, id, form)
      // Rows are counted when they are read; until then lines say about how many there are.
      const total = Math.max(0, uploaded.lines - (form.input.format === 'csv' ? 1 : 0))
      const answer = await database.write(async (tx) => {
        const input: KeptImport = { ...form.input, content: contentOf(uploaded) }
        const asked = { id, kind: 'import', resource: found.resource, input, total }
        const row = await addJob(tx, services, actor, asked)
        return keptJob(v1, tx, response, { ...row, result: JSON.stringify(found.told) })
      })
      v1.jobs.ask()
      sendAnswer(response, answer)
    } catch (error) {
      // Where only its answer got lost the job is there, and has its file.
      await database.write(async (tx) => {
        if (!(await findJob(tx, id))) await removeJobParts(tx, id)
      })
      throw error
    }
  }
}

/** What reads a file without keeping it. */
const nowhere = async (): Promise<void> => undefined

/** What stands for a form and its file, to tell it from another. */
function contentOf({ fields, name, hash }: UploadedText): string {
  const text = JSON.stringify([name, hash, [...fields].sort(([a], [b]) => (a < b ? -1 : 1))])
  return createHash('sha256').update(text).digest('base64url')
}

/** A key stands for one form and file, as for one body of JSON elsewhere; of a job that is gone nobody knows. Throws 422. */
async function assertSame(db: Db, { body = '{}' }: Answer, uploaded: UploadedText): Promise<void> {
  const { job } = JSON.parse(body) as { readonly job: { readonly id: string } }
  const row = await findJob(db, job.id)
  if (row && importInput(row).content !== contentOf(uploaded)) throw usedOtherwise()
}

/** Begins to read a file, so that what is wrong with all of it is told at once; the fields its columns are taken for. */
async function look(
  context: Context,
  id: string,
  { resource, input }: ImportForm,
): Promise<{ readonly resource: string; readonly told: object }> {
  const definition = importable(context, resource, input)
  const leftOut = new Set<string>()
  const source = importSource(context.services.database.read, id, input.file)
  try {
    const opened = await openImport(definition, source, input, (field) => leftOut.add(field))
    if (input.upsert) keyOf(definition, input, opened)
    return {
      resource: definition.slug,
      told: { mapping: opened.mapping, left_out: [...leftOut] },
    }
  } finally {
    source.close()
  }
}

/** An import that the caller may see. Throws 404 for what is none. */
async function importOf(db: Db, actor: Context['actor'], id: string): Promise<JobRow> {
  const row = await jobOf(db, actor, id)
  if (row.kind === 'import') return row
  throw new AppError('NOT_FOUND', `${id} is no import: it is a job of the kind ${row.kind}`)
}

function getOne({ engine }: V1): Handler {
  return async (request, response) => {
    const { actor } = response.locals
    assertScope(actor, 'read', 'see imports')
    const { read } = engine.services.database
    const row = await importOf(read, actor, parameter(request, 'id'))
    sendJson(response, 200, JSON.stringify({ job: await shownJob(read, row) }))
  }
}

/** Refused records read at once. */
const AT_ONCE = 500

/** The rows of the file that were refused, with why, to be mended and sent again. */
function failed({ engine }: V1): Handler {
  return async (request, response) => {
    const { actor, tier } = response.locals
    assertScope(actor, 'read', 'see imports')
    const { read } = engine.services.database
    const row = await importOf(read, actor, parameter(request, 'id'))
    const input = importInput(row)
    const definition = importable(engine.context(actor, tier), row.resource, { submit: false })
    const source = importSource(read, row.id, input.file)
    const { records, headings } = await openImport(definition, source, input, () => undefined)
    const type = headings ? 'text/csv; charset=utf-8' : 'application/jsonl; charset=utf-8'
    response.setHeader('Content-Type', type)
    response.setHeader(
      'Content-Disposition',
      `attachment; filename="failed.${headings ? 'csv' : 'jsonl'}"`,
    )
    response.write(refusedHead(headings))
    try {
      for await (const text of refusedRecords(read, row.id, records, headings)) {
        if (response.destroyed) break
        if (!response.write(text))
          await new Promise((next) => response.once('drain', next).once('close', next))
      }
    } finally {
      source.close()
    }
    response.end()
  }
}

async function* refusedRecords(
  db: Db,
  id: string,
  records: AsyncIterable<Incoming>,
  headings: readonly string[] | undefined,
): AsyncGenerator<string> {
  let some = await refusedOf(db, id, { limit: AT_ONCE })
  for await (const incoming of records) {
    const [next] = some
    if (!next) return
    if (incoming.line !== next.place) continue
    const problems = JSON.parse(next.problems ?? '[]') as { field: string; message: string }[]
    const why = problems.map(({ field, message }) =>
      field === '' ? message : `${field}: ${message}`,
    )
    yield refusedText(incoming, why.join('; '), headings)
    some = some.slice(1)
    if (some.length === 0) some = await refusedOf(db, id, { after: next.place, limit: AT_ONCE })
  }
}
