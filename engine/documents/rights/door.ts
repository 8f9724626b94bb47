import type { RawBuilder } from 'kysely'
import { type Action, assertCan, can, canSee } from '../../access/can.ts'
import { knownTo } from '../../access/known-to.ts'
import { AppError, recordNotFound } from '../../base/errors.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Move } from '../../definition/normalise/flow.ts'
import type { Db } from '../../storage/database/database.ts'
import type { Doc } from '../../storage/database/document.ts'
import { nameKey } from '../record/outgoing-links.ts'
import type { Context, DocTypeParts, KnownParts } from '../work/context.ts'
import type { Work } from '../work/work.ts'
import { assertMove, movesFrom } from './flow-rights.ts'
import { followsReadable, readCondition } from './followed.ts'
import { type Named, outsideRows } from './hidden-targets.ts'
import { assertLeft, isWithinRows } from './row-rights.ts'

/**
 * The one door of rights: operations, lists and reports ask here and nowhere else, always in this order.
 *
 *     the call            assertMay        401  a guest
 *                                          403  scope, what only the workspace writes, role, tier
 *     the record          assertMayWith    404  user permissions, rows of the roles, the record that it follows:
 *                                               for who may not read it, it is not there
 *                                          403  rows of the roles for this action
 *     what becomes of it  assertMayLeave   403  user permissions, rows of the roles, move of the status
 *
 * `readable` says the second of many records at once, as SQL; `hiddenTargets` and `nameable` say it of what is named.
 * `knownParts` read, show and name the fields that the caller may read and set (`permissions.fields`).
 */

/**
 * Refuses who may not do this with any record of the DocType, before anything that they sent is looked at. Throws
 * 401 for a guest, 403 naming the scope, role or tier that is missing.
 */
export function assertMay(context: Context, definition: DocTypeDefinition, action: Action): void {
  assertCan(context, definition, action)
}

/** The parts of a DocType as the caller knows it: what takes their bodies, shows them records, names them columns. */
export function knownParts(context: Context, parts: DocTypeParts): KnownParts {
  return parts.as(knownTo(context, parts.definition))
}

/** True where `assertMay` lets it pass. */
export function may(context: Context, definition: DocTypeDefinition, action: Action): boolean {
  return can(context, definition, action)
}

/**
 * The condition that records must meet for a caller whom `assertMay` lets in to read them, over the columns of the
 * DocType's table without an alias: undefined = all of them, and one that no row meets = none.
 */
export function readable(
  context: Context,
  definition: DocTypeDefinition,
): RawBuilder<boolean> | undefined {
  return readCondition(context, definition)
}

/**
 * Refuses what the caller may not do with this record as it is. Throws 404, in the words for a record that does not
 * exist, where they may not read it, else 403.
 */
export async function assertMayWith(
  context: Context,
  db: Db,
  { definition }: Pick<DocTypeParts, 'definition'>,
  doc: Doc,
  action: Action,
): Promise<void> {
  const isThere =
    isWithinRows(context, definition, doc) && (await followsReadable(context, db, definition, doc))
  if (!isThere) throw recordNotFound(definition.label, doc.name)
  if (action !== 'read') assertLeft(context, definition, doc, action)
}

/**
 * Whether the caller may do this with the record of this name, by `assertMay` and `assertMayWith`, as `db` sees it. False
 * for one that does not exist, as for one that they may not read.
 */
export async function mayWith(
  context: Context,
  definition: DocTypeDefinition,
  id: string,
  action: Action,
  db: Db = context.services.database.read,
): Promise<boolean> {
  if (!may(context, definition, action)) return false
  const parts = context.services.partsOf(definition)
  const doc = await parts.store.find(db, id)
  return doc !== undefined && mayWithDoc(context, db, parts, doc, action)
}

/** The same of a record that was read already, for who is let in by `assertMay`. */
export async function mayWithDoc(
  context: Context,
  db: Db,
  parts: Pick<DocTypeParts, 'definition'>,
  doc: Doc,
  action: Action,
): Promise<boolean> {
  try {
    await assertMayWith(context, db, parts, doc, action)
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

/**
 * Refuses a record that the caller may not leave so (K6): what a create, an update or an amendment has made of it,
 * and where any of these or an action has moved its status. Throws 403.
 */
export function assertMayLeave(
  context: Context,
  { definition }: Pick<DocTypeParts, 'definition'>,
  action: Action,
  { before, after }: { readonly before?: Doc | undefined; readonly after: Doc },
): void {
  const run = actionOf(definition, action)
  // What an action makes of the record is the workspace's, and who may run one that names its roles may do all it does.
  if (!run) assertLeft(context, definition, after, action)
  if (action !== 'amend' && !run?.roles) assertMove(context, definition, before, after)
}

function actionOf(
  { behaviour }: DocTypeDefinition,
  action: Action,
): { readonly roles?: readonly string[] } | undefined {
  return action.startsWith('action:')
    ? behaviour.actions?.[action.slice('action:'.length)]
    : undefined
}

/** The moves of a chosen status that the caller may make of a record in this state. */
export function openMoves(
  context: Context,
  definition: DocTypeDefinition,
  state: unknown,
): readonly Move[] {
  return may(context, definition, 'update') ? movesFrom(context, definition, state) : []
}

const NONE: ReadonlySet<string> = new Set()

/**
 * What the caller names and may not read, as `nameKey` says it: for them it is not there, or a fetch would show
 * it to them (reliability.md M3). What the workspace itself names is not asked.
 */
export function hiddenTargets(
  { tx, context, depth }: Work,
  links: readonly Named[],
): Promise<ReadonlySet<string>> | ReadonlySet<string> {
  return depth > 0 || links.length === 0 ? NONE : outsideRows(tx, context, links)
}

/** Those of the records that an answer may name to the caller, whatever the workspace has paid for. */
export async function nameable<Record extends Named>(
  { tx, context }: Work,
  records: readonly Record[],
): Promise<readonly Record[]> {
  const { registry } = context.services
  const seen = records.filter(({ doctype }) => {
    const definition = registry.byDoctype(doctype)
    return definition !== undefined && canSee(context, definition)
  })
  const outside = await outsideRows(tx, context, seen)
  return seen.filter((record) => !outside.has(nameKey(record)))
}
