import type { Router } from 'express'
import { AppError } from '../../engine/base/errors.ts'
import type { Answer } from '../http/answer.ts'
import { sendAnswer } from '../http/answer.ts'
import { type BodyField, readFields } from '../http/fields-of-body.ts'
import { methodNotAllowed } from '../http/not-found.ts'
import { takes } from '../http/query-parameters.ts'
import type { Handler } from '../http/request-state.ts'
import { type Left, leave } from '../leaving.ts'
import { changeOf, isReplayed, parameter, type V1 } from './call.ts'

/** `POST /v1/{users}/{id}/leave`: somebody leaves the workspace (contract §7.7). */
export function leaveRoutes(router: Router, v1: V1): void {
  router.post('/:resource/:id/leave', takes(), leaves(v1))
  router.all('/:resource/:id/leave', methodNotAllowed('POST'))
}

const A_LOGIN: BodyField<string> = {
  expected: 'the login of their successor',
  read: (value) => (typeof value === 'string' && value.length <= 140 ? value : undefined),
}

function leaves(v1: V1): Handler {
  return async (request, response) => {
    const call = changeOf(v1, request, response, () => {
      throw new Error('the answer of a leave is no record')
    })
    const { definition, context } = call
    if (definition.serves !== 'users')
      throw new AppError('NOT_FOUND', `${definition.labelPlural} do not leave: only people do`)
    if (isReplayed(v1, response, call, 'update')) return
    const { hand_over_to: to } = readFields(response.locals.body, { hand_over_to: A_LOGIN })
    const { beforeCommit: _, ...own } = context
    const left = await leave(own, parameter(request, 'id'), {
      to,
      keep: (tx, all) => v1.idempotency.keep(tx, response, answerOf(all)),
    })
    sendAnswer(response, answerOf(left))
  }
}

function answerOf(left: Left): Answer {
  return { status: 200, headers: {}, body: JSON.stringify(left) }
}
