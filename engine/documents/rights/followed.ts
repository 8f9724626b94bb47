import type { RawBuilder } from 'kysely'
import { isManager } from '../../access/actor.ts'
import { can } from '../../access/can.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Field } from '../../fields/field.ts'
import type { Db } from '../../storage/database/database.ts'
import type { Doc } from '../../storage/database/document.ts'
import { allOf } from '../../storage/database/fragment.ts'
import { namesAmong } from '../../storage/finding/among.ts'
import { namesWithin } from '../../storage/finding/limited-records.ts'
import type { Context } from '../work/context.ts'
import { rowCondition } from './row-rights.ts'
import { limitCondition } from './user-limits.ts'

/**
 * `permissions.follows` (ADR 0035): who may read the record that a comment is on may read the comment, and nobody
 * else. Records that follow nothing have only the permissions of their own DocType.
 */

/** The field that names what records of this DocType follow. */
function followField({ behaviour, fields }: DocTypeDefinition): Field | undefined {
  const { follows } = behaviour.permissions ?? {}
  return follows === undefined ? undefined : fields.find(({ name }) => name === follows)
}

/**
 * The condition that records must meet for the caller to read them (`permissions.rows` and `.follows`, user
 * permissions), over the columns of the DocType's table without an alias; undefined = all of them.
 */
export function readCondition(
  context: Context,
  definition: DocTypeDefinition,
): RawBuilder<boolean> | undefined {
  return conditionOf(context, definition, false)
}

/**
 * The condition that records must meet for the caller to name them in a link. Where the DocType limits nobody to
 * some records it is not asked who may read it: a seller names accounts they never see (docs/people.md).
 */
export function linkCondition(
  context: Context,
  definition: DocTypeDefinition,
): RawBuilder<boolean> | undefined {
  const { rows, follows } = definition.behaviour.permissions ?? {}
  const isLimited = rows !== undefined || follows !== undefined
  return isLimited ? readCondition(context, definition) : limitCondition(context, definition)
}

/** Condition of `readCondition`; with `isFollowed`, targets that follow something themselves are left out. */
function conditionOf(
  context: Context,
  definition: DocTypeDefinition,
  isFollowed: boolean,
): RawBuilder<boolean> | undefined {
  const own = rowCondition(context, definition)
  const field = followField(definition)
  const followed = field && followedCondition(context, field, isFollowed)
  const given = [own, followed].filter((one) => one !== undefined)
  return given.length === 0 ? undefined : allOf(given)
}

function followedCondition(
  context: Context,
  field: Field,
  isFollowed: boolean,
): RawBuilder<boolean> | undefined {
  if (isManager(context.actor)) return undefined
  const { registry } = context.services
  const targets = field.link === undefined ? registry.all : [registry.byDoctype(field.link)!]
  const readable = targets.filter(
    (target) => can(context, target, 'read') && !(isFollowed && followField(target)),
  )
  const among = readable.map((target) => ({ target, limit: conditionOf(context, target, true) }))
  return namesAmong(field, among)
}

/** Whether the caller may read what this record follows; true where it follows nothing. */
export async function followsReadable(
  context: Context,
  db: Db,
  definition: DocTypeDefinition,
  doc: Doc,
): Promise<boolean> {
  const field = followField(definition)
  const name = field && doc[field.name]
  if (!field || typeof name !== 'string' || isManager(context.actor)) return true
  const doctype = field.link ?? doc[field.linkFrom!]
  const target =
    typeof doctype === 'string' ? context.services.registry.byDoctype(doctype) : undefined
  if (!target || !can(context, target, 'read')) return false
  const limit = conditionOf(context, target, true)
  if (!limit) return true
  return (await namesWithin(db, target, [name], limit)).has(name)
}
