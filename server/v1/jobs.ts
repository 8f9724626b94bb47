import type { Router } from 'express'
import { type Actor, isManager, type Scope } from '../../engine/access/actor.ts'
import { assertScope } from '../../engine/access/can.ts'
import { isoDateTime } from '../../engine/base/clock.ts'
import { AppError } from '../../engine/base/errors.ts'
import type { Db } from '../../engine/storage/database/database.ts'
import {
  askToStop,
  countJobs,
  findJob,
  type JobRow,
  selectJobs,
} from '../../engine/storage/workspace/jobs.ts'
import { type Answer, sendAnswer, sendJson } from '../http/answer.ts'
import { methodNotAllowed } from '../http/not-found.ts'
import { PAGING_PARAMETERS } from '../http/paging.ts'
import { reads, takes } from '../http/query-parameters.ts'
import { readQuery } from '../http/query-string.ts'
import type { Handler } from '../http/request-state.ts'
import { ownerOf } from '../jobs/job-principal.ts'
import { briefJob, shownJob } from '../jobs/shown-job.ts'
import { parameter, type V1 } from './call.ts'
import { pageOfIds, readSystemList, sendSystemList } from './system-list.ts'

/** `/v1/jobs`: long work that goes on by itself; everybody sees their own, System Managers all (contract §7.4). */
export function jobRoutes(router: Router, v1: Pick<V1, 'engine' | 'idempotency'>): void {
  router.get('/jobs', reads(...PAGING_PARAMETERS), list(v1))
  router.all('/jobs', methodNotAllowed('GET, HEAD'))
  router.get('/jobs/:id', takes(), getOne(v1))
  router.all('/jobs/:id', methodNotAllowed('GET, HEAD'))
  router.post('/jobs/:id/stop', takes(), stop(v1))
  router.all('/jobs/:id/stop', methodNotAllowed('POST'))
}

function assertPerson(actor: Actor, scope: Scope): void {
  assertScope(actor, scope, scope === 'read' ? 'see jobs' : 'stop jobs')
}

/** A job that the caller may see. Throws 404 for any other. */
export async function jobOf(db: Db, actor: Actor, id: string): Promise<JobRow> {
  const row = id.includes('\0') ? undefined : await findJob(db, id)
  if (row && (row.owner === ownerOf(actor) || isManager(actor))) return row
  throw new AppError('NOT_FOUND', `there is no job ${JSON.stringify(id.slice(0, 80))} of yours`)
}

function list({ engine }: Pick<V1, 'engine'>): Handler {
  return async (request, response) => {
    const { actor } = response.locals
    assertPerson(actor, 'read')
    const { database, cursors } = engine.services
    const query = readSystemList(cursors, 'jobs', readQuery(request.url))
    const of = isManager(actor) ? {} : { owner: ownerOf(actor) }
    const isCounted = query.paging.offset !== undefined
    sendSystemList(response, cursors, query, {
      rows: await selectJobs(database.read, { ...of, ...pageOfIds(query) }),
      total: isCounted ? await countJobs(database.read, of) : undefined,
      show: (row) => JSON.stringify(briefJob(row)),
      position: ({ id }) => id,
    })
  }
}

function getOne({ engine }: Pick<V1, 'engine'>): Handler {
  return async (request, response) => {
    const { actor } = response.locals
    assertPerson(actor, 'read')
    const { read } = engine.services.database
    const row = await jobOf(read, actor, parameter(request, 'id'))
    sendJson(response, 200, JSON.stringify({ job: await shownJob(read, row) }))
  }
}

function stop({ engine, idempotency }: Pick<V1, 'engine' | 'idempotency'>): Handler {
  return async (request, response) => {
    const { actor } = response.locals
    assertPerson(actor, 'write')
    if (idempotency.replay(response)) return
    const { database, clock } = engine.services
    const answer = await database.write(async (tx) => {
      const { id, state } = await jobOf(tx, actor, parameter(request, 'id'))
      if (!(await askToStop(tx, id, isoDateTime(clock))))
        throw new AppError('CONFLICT', `the job has ended already: it is ${state}`)
      const row = (await findJob(tx, id))!
      const body = JSON.stringify({ job: await shownJob(tx, row) })
      const told: Answer = { status: 200, headers: {}, body }
      await idempotency.keep(tx, response, told)
      return told
    })
    sendAnswer(response, answer)
  }
}
