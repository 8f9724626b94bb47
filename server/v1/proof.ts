import type { Router } from 'express'
import { assertManager } from '../../engine/access/can.ts'
import { lastProof, type Proof } from '../../engine/documents/verify/proof.ts'
import { sendJson } from '../http/answer.ts'
import { methodNotAllowed } from '../http/not-found.ts'
import { takes } from '../http/query-parameters.ts'
import type { Handler } from '../http/request-state.ts'
import type { V1 } from './call.ts'

/** `GET /v1/proof`: when the books were proven last, and what was found (docs/decisions/0065). */
export function proofRoutes(router: Router, v1: Pick<V1, 'engine'>): void {
  router.get('/proof', takes(), get(v1))
  router.all('/proof', methodNotAllowed('GET, HEAD'))
}

function get({ engine }: Pick<V1, 'engine'>): Handler {
  return async (_request, response) => {
    assertManager(response.locals.actor, 'read', 'read whether the books were proven')
    const proof = await lastProof(engine.services.database.read)
    sendJson(response, 200, JSON.stringify({ data: proof ? shown(proof) : null }))
  }
}

function shown({ at, documents, checks, differences, ms, whole }: Proof): object {
  return {
    proven_at: at,
    documents,
    checks,
    differences,
    took_ms: ms,
    whole: { proven_at: whole.at, documents: whole.documents },
  }
}
