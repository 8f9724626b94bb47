import type { Router } from 'express'
import type { Action } from '../../engine/access/can.ts'
import { chunks } from '../../engine/base/chunks.ts'
import { AppError, type Detail, validationError } from '../../engine/base/errors.ts'
import { isObject } from '../../engine/base/json-text.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { listDocuments } from '../../engine/documents/lists/list.ts'
import { assertMay, knownParts } from '../../engine/documents/rights/door.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import { insertJobPart } from '../../engine/storage/workspace/job-rows.ts'
import { type Answer, sendAnswer } from '../http/answer.ts'
import { type BodyField, readFields } from '../http/fields-of-body.ts'
import { readListQuery } from '../http/list-params.ts'
import { methodNotAllowed } from '../http/not-found.ts'
import { takes } from '../http/query-parameters.ts'
import type { Handler } from '../http/request-state.ts'
import {
  BULK_DEEDS,
  type BulkDeed,
  type BulkInput,
  IDS_IN_PART,
  MOST_RECORDS,
} from '../jobs/bulk-job.ts'
import { addJob } from '../jobs/new-job.ts'
import { shownJob } from '../jobs/shown-job.ts'
import { callOf, type V1 } from './call.ts'
import { A_FILTER, parametersOf } from './records-filter.ts'

/** `POST /v1/{resource}/_bulk`: one thing done with many records, as a job (contract §7.4). */
export function bulkRoutes(router: Router, v1: V1): void {
  router.post('/:resource/_bulk', takes(), bulk(v1))
  router.all('/:resource/_bulk', methodNotAllowed('POST'))
}

const LONGEST_ID = 200

const IDS: BodyField<readonly string[]> = {
  expected: 'a list of ids, at least one',
  read: (value) =>
    Array.isArray(value) && value.length > 0 && value.every(isId) ? [...new Set(value)] : undefined,
}
const DO: BodyField<BulkDeed> = {
  expected: `one of ${BULK_DEEDS.join(', ')}`,
  read: (value) => BULK_DEEDS.find((one) => one === value),
  required: true,
}
const DATA: BodyField<object> = {
  expected: 'an object: what to change, or the input of the action',
  read: (value) => (isObject(value) ? value : undefined),
}
const ACTION: BodyField<string> = {
  expected: 'the name of an action',
  read: (value) => (isId(value) ? value : undefined),
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= LONGEST_ID
}

/** What a body asks for. */
interface Wanted {
  readonly input: BulkInput
  /** Undefined where a filter says which records. */
  readonly ids: readonly string[] | undefined
}

function bulk(v1: V1): Handler {
  return async (request, response) => {
    const { definition, context } = callOf(v1.engine, request, response)
    assertMay(context, definition, 'read')
    const wanted = readBulk(response.locals.body)
    assertMay(context, definition, rightOf(wanted.input))
    if (v1.idempotency.replay(response)) return
    assertDoable(context, definition, wanted.input)
    const total = wanted.ids?.length ?? (await matching(context, definition, wanted.input))
    if (total > MOST_RECORDS) throw tooMany(total)
    const { services } = context
    const answer = await services.database.write(async (tx) => {
      const { actor } = response.locals
      const asked = { kind: 'bulk', resource: definition.slug, input: wanted.input, total }
      const row = await addJob(tx, services, actor, asked)
      for (const [part, some] of [...chunks(wanted.ids ?? [], IDS_IN_PART)].entries())
        await insertJobPart(tx, row.id, part, JSON.stringify(some))
      const body = JSON.stringify({ job: await shownJob(tx, row) })
      const told: Answer = { status: 202, headers: { Location: `/v1/jobs/${row.id}` }, body }
      await v1.idempotency.keep(tx, response, told)
      return told
    })
    v1.jobs.ask()
    sendAnswer(response, answer)
  }
}

/** Throws 422 with all problems of the body. */
function readBulk(body: unknown): Wanted {
  const rules = { ids: IDS, filter: A_FILTER, do: DO, data: DATA, action: ACTION }
  const { ids, filter, do: deed, data, action } = readFields(body, rules)
  const details: Detail[] = []
  const wrong = (field: string, message: string, code: Detail['code'] = 'rule'): void => {
    details.push({ field, message, code })
  }
  if ((ids === undefined) === (filter === undefined))
    wrong(ids ? 'filter' : 'ids', 'expected either ids or filter', ids ? 'rule' : 'required')
  if (deed === 'action' && action === undefined)
    wrong('action', 'is required to run an action', 'required')
  if (deed !== 'action' && action !== undefined)
    wrong('action', `expected none where do is ${deed}`)
  if (deed === 'update' && data === undefined) wrong('data', 'is required to update', 'required')
  if (deed !== 'update' && deed !== 'action' && data !== undefined)
    wrong('data', `expected none where do is ${deed}`)
  if (details.length > 0) throw validationError(details)
  return {
    ids,
    input: {
      do: deed!,
      ...(data === undefined ? {} : { data }),
      ...(action === undefined ? {} : { action }),
      ...(filter === undefined ? {} : { filter: parametersOf(filter) }),
    },
  }
}

function rightOf({ do: deed, action }: BulkInput): Action {
  return deed === 'action' ? `action:${action}` : deed
}

/** Refuses at once what every record would refuse: an action that there is not, fields that nobody may send. */
function assertDoable(context: Context, definition: DocTypeDefinition, input: BulkInput): void {
  const parts = context.services.partsOf(definition)
  const { data = {}, do: deed, action = '' } = input
  if ((deed === 'submit' || deed === 'cancel') && !definition.submittable) {
    const message = `${definition.labelPlural} are not submitted`
    throw validationError([{ field: 'do', message, code: 'rule' }])
  }
  if (deed === 'update') {
    const { problems } = knownParts(context, parts).validator.judge('update', data)
    if (problems.length > 0)
      throw validationError(problems.map((one) => ({ ...one, field: `data.${one.field}` })))
  }
  if (deed !== 'action') return
  const plan = parts.behaviour.actions.get(action)
  if (!plan || plan.declared.system === true)
    throw new AppError(
      'NOT_FOUND',
      `${definition.labelPlural} have no action ${JSON.stringify(action)}`,
    )
  const { problems } = parts.inputValidator(action).judge('create', data)
  if (problems.length > 0)
    throw validationError(problems.map((one) => ({ ...one, field: `data.${one.field}` })))
}

/** Number of the records that a filter finds now. Throws 422 for filters that there are not. */
async function matching(
  context: Context,
  definition: DocTypeDefinition,
  { filter = [] }: BulkInput,
): Promise<number> {
  const { total = 0 } = await listDocuments(context, definition, (known) => ({
    ...readListQuery(context.services, known, [...filter, ['fields', 'id']]),
    limit: 1,
    offset: 0,
  }))
  return total
}

function tooMany(total: number): AppError {
  const message = `expected at most ${MOST_RECORDS} records, got ${total}; narrow the filter`
  return validationError([{ field: 'filter', message, code: 'out_of_range' }])
}
