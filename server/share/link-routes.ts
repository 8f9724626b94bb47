import type { Router } from 'express'
import { isManager } from '../../engine/access/actor.ts'
import { assertScope } from '../../engine/access/can.ts'
import { AppError } from '../../engine/base/errors.ts'
import { readDocument } from '../../engine/documents/operations/get.ts'
import { deletePublicLink, publicLinkById } from '../../engine/storage/workspace/public-links.ts'
import { type Answer, sendAnswer } from '../http/answer.ts'
import { methodNotAllowed } from '../http/not-found.ts'
import { takes } from '../http/query-parameters.ts'
import type { Handler } from '../http/request-state.ts'
import type { Site } from '../site/site.ts'
import { callOf, parameter, type V1 } from '../v1/call.ts'
import { readBody } from './body-fields.ts'
import { makePublicLink, readExpires } from './links.ts'

type Deps = Pick<V1, 'engine' | 'idempotency'> & { readonly site: Pick<Site, 'baseUrl'> }

const LINK_ID = /^pub_[0-9a-z]+$/

/** `/v1/{resource}/{id}/links` and `/v1/links/{id}`: links by which strangers see a paper (contract §7.9). */
export function linkRoutes(router: Router, deps: Deps): void {
  router.post('/:resource/:id/links', takes(), create(deps))
  router.all('/:resource/:id/links', methodNotAllowed('POST'))
  router.delete('/links/:id', takes(), remove(deps))
  router.all('/links/:id', methodNotAllowed('DELETE'))
}

function create({ engine, idempotency, site }: Deps): Handler {
  return async (request, response) => {
    const { definition, context } = callOf(engine, request, response)
    assertScope(context.actor, 'write', 'make links')
    const { doc } = await readDocument(context, definition, parameter(request, 'id'))
    if (idempotency.replay(response)) return
    const { database, clock } = context.services
    const { expires } = readBody(response.locals.body, ['expires'])
    const until = readExpires(expires, clock.now())
    const answer = await database.write(async (tx): Promise<Answer> => {
      const of = { resource: definition.slug, record: doc.name, expires: until }
      const made = await makePublicLink(tx, context, site.baseUrl(), of)
      const one: Answer = {
        status: 201,
        headers: { Location: `/v1/links/${made.id}` },
        body: JSON.stringify(made),
      }
      await idempotency.keep(tx, response, one, true)
      return one
    })
    sendAnswer(response, answer)
  }
}

function remove({ engine }: Deps): Handler {
  return async (request, response) => {
    const { actor, tier } = response.locals
    assertScope(actor, 'write', 'end links')
    const { services } = engine.context(actor, tier)
    const { database } = services
    const id = parameter(request, 'id')
    // What is no id of a link, such as one with a NUL, no database is asked for.
    const link = LINK_ID.test(id) ? await publicLinkById(database.read, id) : undefined
    const isOwn = link && (isManager(actor) || link.login === (actor.user?.login ?? null))
    if (!isOwn) throw new AppError('NOT_FOUND', 'there is no such link of yours')
    await database.write((tx) => deletePublicLink(tx, link.id))
    response.status(204).end()
  }
}
