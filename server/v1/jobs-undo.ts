import type { Router } from 'express'
import { assertScope, createsOnlyDrafts } from '../../engine/access/can.ts'
import { AppError } from '../../engine/base/errors.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { assertMay } from '../../engine/documents/rights/door.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import type { Db } from '../../engine/storage/database/database.ts'
import { outcomeCounts } from '../../engine/storage/workspace/job-rows.ts'
import { ENDED, type JobRow, updateJob } from '../../engine/storage/workspace/jobs.ts'
import { type Answer, sendAnswer } from '../http/answer.ts'
import { methodNotAllowed } from '../http/not-found.ts'
import { takes } from '../http/query-parameters.ts'
import type { Handler } from '../http/request-state.ts'
import type { BulkInput } from '../jobs/bulk-job.ts'
import { importInput } from '../jobs/import-file.ts'
import { addJob } from '../jobs/new-job.ts'
import { shownJob } from '../jobs/shown-job.ts'
import { parameter, type V1 } from './call.ts'
import { jobOf } from './jobs.ts'

/** Kinds of jobs that can be taken back. */
const KINDS = ['import', 'bulk']

/** Rights that taking back needs, by what became of the records. */
const RIGHTS = [
  ['created', 'delete'],
  ['updated', 'update'],
  ['submitted', 'cancel'],
  ['submitted', 'amend'],
  ['cancelled', 'amend'],
  ['deleted', 'create'],
] as const

/** `POST /v1/jobs/{id}/undo`, and the same for imports alone: takes a job back, as a job. */
export function undoRoutes(router: Router, v1: V1): void {
  router.post('/jobs/:id/undo', takes(), undo(v1))
  router.all('/jobs/:id/undo', methodNotAllowed('POST'))
  router.post('/imports/:id/undo', takes(), undo(v1, 'import'))
  router.all('/imports/:id/undo', methodNotAllowed('POST'))
}

function undo(v1: V1, kind?: string): Handler {
  return async (request, response) => {
    const { actor, tier } = response.locals
    assertScope(actor, 'write', 'undo jobs')
    const context = v1.engine.context(actor, tier)
    const { database, registry, clock } = context.services
    if (v1.idempotency.replay(response)) return
    const answer = await database.write(async (tx) => {
      const row = await jobOf(tx, actor, parameter(request, 'id'))
      if (kind !== undefined && row.kind !== kind)
        throw new AppError(
          'NOT_FOUND',
          `${row.id} is no ${kind}: it is a job of the kind ${row.kind}`,
        )
      const result = undoable(row, registry.bySlug(row.resource))
      const counts = await outcomeCounts(tx, row.id)
      assertMayUndo(context, registry.bySlug(row.resource), counts)
      const asked = {
        kind: 'undo',
        resource: row.resource,
        input: { of: row.id },
        total: [...new Set(RIGHTS.map(([outcome]) => outcome)), 'drafted'].reduce(
          (sum, outcome) => sum + (counts.get(outcome) ?? 0),
          0,
        ),
      }
      const job = await addJob(tx, { clock }, actor, asked)
      await updateJob(tx, row.id, { result: JSON.stringify({ ...result, undone_by: job.id }) })
      return keptJob(v1, tx, response, job)
    })
    v1.jobs.ask()
    sendAnswer(response, answer)
  }
}

function assertMayUndo(
  context: Context,
  definition: DocTypeDefinition | undefined,
  counts: ReadonlyMap<string, number>,
): void {
  if (!definition) return
  for (const [outcome, right] of RIGHTS)
    if ((counts.get(outcome) ?? 0) > 0) assertMay(context, definition, right)
}

/** The 202 of a job that was begun, kept under the idempotency key of its request. */
export async function keptJob(
  { idempotency }: Pick<V1, 'idempotency'>,
  tx: Db,
  response: Parameters<Handler>[1],
  row: JobRow,
): Promise<Answer> {
  const body = JSON.stringify({ job: await shownJob(tx, row) })
  const answer = { status: 202, headers: { Location: `/v1/jobs/${row.id}` }, body }
  await idempotency.keep(tx, response, answer)
  return answer
}

interface Undoable {
  readonly undone_by?: string
}

/** What a job came to. Throws 409 for one that goes on, has changed nothing, cannot be taken back or is so already. */
function undoable(row: JobRow, definition: DocTypeDefinition | undefined): Undoable {
  const result = JSON.parse(row.result ?? '{}') as Undoable
  const refuse = (why: string): never => {
    throw new AppError('CONFLICT', `cannot undo the ${row.kind}: ${why}`)
  }
  if (!KINDS.includes(row.kind)) refuse('what it did stays')
  if (!ENDED.includes(row.state)) refuse(`it is ${row.state}; stop it first`)
  if (row.kind === 'import' && importInput(row).dry_run)
    refuse('it was a dry run and has changed nothing')
  if (row.kind === 'bulk') {
    const { do: what, action = '' } = JSON.parse(row.input) as BulkInput
    if (what === 'action' && !(definition && createsOnlyDrafts(definition, action)))
      refuse(
        `the action ${action} does more than to create drafts: what else it set, posted or told cannot be told from what came after it; take it back record by record`,
      )
  }
  if (result.undone_by !== undefined) refuse(`${result.undone_by} does so, or has done so`)
  return result
}
