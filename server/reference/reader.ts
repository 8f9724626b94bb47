import type { Request } from 'express'
import { GUEST_ACTOR } from '../../engine/access/actor.ts'
import { canSee } from '../../engine/access/can.ts'
import { AppError } from '../../engine/base/errors.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import type { Registry } from '../../engine/definition/model/registry.ts'
import { listDocuments } from '../../engine/documents/lists/list.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import type { Engine } from '../../engine/index.ts'
import type { Report } from '../../engine/reports/declare/report.ts'
import { mayReadAll } from '../../engine/reports/run/access.ts'
import { nameExample } from '../../engine/schema/shapes/openapi-examples.ts'
import { selectKeys } from '../auth/store.ts'
import type { Identify } from '../http/request-state.ts'

/** Who reads the reference, and what examples show them. */
export interface Reader {
  /** What they may know of; a stranger knows what everybody does. */
  readonly registry: Registry
  readonly reports: readonly Report[]
  /** How their newest key begins, and `…`: `svc_live_…`. */
  readonly key: string
  /** Id of a record that they may read, else one as the naming makes them. */
  idOf(definition: DocTypeDefinition): Promise<string>
}

/** The reader that a request is of: somebody who is signed in, a key, or a stranger. */
export async function readerOf(
  engine: Engine,
  identify: Identify,
  request: Request,
): Promise<Reader> {
  const { services } = engine
  const principal = await whoAsks(identify, request)
  const context = principal && engine.context(principal.actor, principal.tier)
  const rights = context ?? { actor: GUEST_ACTOR, grants: services.grants }
  return {
    registry: services.knownRegistry(rights),
    reports: (await engine.reports().readAll()).filter((report) => mayReadAll(rights, report)),
    key: (context && (await keyOf(context))) ?? 'svc_live_…',
    idOf: async (definition) =>
      (context && (await newestOf(context, definition))) ?? nameExample(definition),
  }
}

/** A credential that does not hold is none, as for `/v1/openapi.json`. */
async function whoAsks(
  identify: Identify,
  request: Request,
): Promise<Awaited<ReturnType<Identify>>> {
  try {
    return await identify(request)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return undefined
  }
}

async function keyOf({ actor, services }: Context): Promise<string | undefined> {
  const login = actor.user?.login
  if (login === undefined) return undefined
  const page = { login, limit: 1, offset: 0, includeRevoked: false }
  const [key] = await selectKeys(services.database.read, page)
  return key && `${key.prefix}…${key.last4}`
}

/** Id of the newest record; undefined where there is none that the reader may read. */
async function newestOf(
  context: Context,
  definition: DocTypeDefinition,
): Promise<string | undefined> {
  if (!canSee(context, definition)) return undefined
  const query = { filters: [], sort: 'modified', order: 'desc', limit: 1, cursor: '' } as const
  try {
    const page = await listDocuments(context, definition, {
      ...query,
      fields: ['id'],
      titles: false,
    })
    return page.data[0]?.id as string | undefined
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return undefined
  }
}
