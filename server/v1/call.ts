import { type Action, canSee } from '../../engine/access/can.ts'
import { AppError } from '../../engine/base/errors.ts'
import { suggest } from '../../engine/base/suggest.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { assertMay } from '../../engine/documents/rights/door.ts'
import type { BeforeCommit, Context } from '../../engine/documents/work/context.ts'
import type { DocumentResult } from '../../engine/documents/work/present.ts'
import type { Engine } from '../../engine/index.ts'
import type { Resolve } from '../../webhooks/sending/resolve.ts'
import type { TargetPolicy } from '../../webhooks/sending/target.ts'
import type { Billing } from '../billing/billing.ts'
import type { Answer } from '../http/answer.ts'
import { entityTags } from '../http/entity-tags.ts'
import type { Asked, Reply } from '../http/request-state.ts'
import type { Idempotency } from '../idempotency/idempotency.ts'

/** Services that the routes of surface B work with. */
export interface V1 {
  readonly engine: Engine
  readonly idempotency: Idempotency
  readonly webhooks: WebhookDeps
  readonly billing: Billing
  /** The worker of long work, to be woken after a commit that adds some. */
  readonly jobs: { ask(): void }
}

/** Services of the process that registering and signing webhooks needs. */
export interface WebhookDeps {
  /** Rules for addresses that may be called; known once the server listens. */
  readonly policy: () => TargetPolicy
  readonly resolve: Resolve
  /** The workspace's own 32 bytes: they encrypt the signing secrets. */
  readonly secretKey: Buffer
}

/** A request that names a resource: its definition, and who asks. */
export interface Call {
  readonly definition: DocTypeDefinition
  readonly context: Context
}

/** The answer of a change that has this result. */
export type ToAnswer = (definition: DocTypeDefinition, result: DocumentResult) => Answer

/** Resolves the resource of a request; what may be done with it, operations ask. Throws 404 for an unknown slug. */
export function callOf(engine: Engine, request: Asked, response: Reply): Call {
  const { actor, tier } = response.locals
  const context = engine.context(actor, tier)
  const slug = parameter(request, 'resource')
  const definition = context.services.registry.bySlug(slug)
  if (!definition) throw resourceNotFound(slug, seenSlugs(context))
  response.locals.resource = definition.slug
  return { definition, context }
}

/**
 * Resource and context of a change, as `callOf` resolves them: with `If-Match`, and, where the request has an
 * `Idempotency-Key`, with the answer kept in the transaction of the change.
 */
export function changeOf(
  { engine, idempotency }: V1,
  request: Asked,
  response: Reply,
  toAnswer: ToAnswer,
): Call {
  const { definition, context } = callOf(engine, request, response)
  const ifMatch = request.headers['if-match']
  const isKept = response.locals.idempotency !== undefined
  if (ifMatch === undefined && !isKept) return { definition, context }
  const keep: BeforeCommit = async (tx, result) => {
    if (result) await idempotency.keep(tx, response, toAnswer(definition, result))
  }
  return {
    definition,
    context: {
      ...context,
      ...(ifMatch === undefined ? {} : { ifMatch: entityTags(ifMatch) }),
      ...(isKept ? { beforeCommit: keep } : {}),
    },
  }
}

/**
 * Sends the kept answer of a change that was done before, and tells so: to who may still do it, since no operation
 * asks them then. Throws 401/403.
 */
export function isReplayed(
  { idempotency }: V1,
  response: Reply,
  { context, definition }: Call,
  action: Action,
): boolean {
  if (response.locals.idempotency?.stored === undefined) return false
  assertMay(context, definition, action)
  return idempotency.replay(response)
}

/** A named part of the path, decoded. */
export function parameter(request: Asked, name: string): string {
  return String(request.params[name])
}

/** Longest slug that may be a slip of another. */
const LONGEST_SLIP = 80

/** 404 for a slug that no DocType has; says which of `slugs` may have been meant. */
export function resourceNotFound(slug: string, slugs: Iterable<string> = []): AppError {
  const near = slug.length > LONGEST_SLIP ? undefined : suggest(slug, slugs)
  const hint = near === undefined ? '' : `, did you mean ${JSON.stringify(near)}?`
  return new AppError(
    'NOT_FOUND',
    `there is no resource ${JSON.stringify(slug)}${hint}; GET /v1/resources lists them`,
  )
}

/** Slugs that the caller may see: a suggestion tells nobody of what they may not read. */
function* seenSlugs(context: Context): Iterable<string> {
  for (const definition of context.services.registry.all)
    if (!definition.isChild && canSee(context, definition)) yield definition.slug
}
