import { isManager } from '../../access/actor.ts'
import { type Action, grantingRoles } from '../../access/can.ts'
import { knownTo, mayReadField } from '../../access/known-to.ts'
import { ALL_ROLE, SYSTEM_MANAGER } from '../../access/roles.ts'
import { AppError, isRefusal, recordNotFound } from '../../base/errors.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Field } from '../../fields/field.ts'
import { isWritable } from '../../schema/shapes/json-schema.ts'
import type { Doc } from '../../storage/database/document.ts'
import type { Context } from '../work/context.ts'
import { assertMay, assertMayWith, mayWith } from './door.ts'
import { followsReadable } from './followed.ts'
import { brokenLimit } from './user-limits.ts'

/**
 * Answer to whether somebody may do something with a record, or read or set a field of it, and by which rule:
 * `{ right: 'read', may: true, why: 'HR Manager (roles.yaml, module hr): all records' }`.
 */
export interface ToldRight {
  readonly right: string
  readonly may: boolean
  readonly why: string
}

/** Rights that are told of a record; those of documents where they are submitted. */
const RIGHTS: readonly Action[] = ['read', 'update', 'delete']
const OF_DOCUMENTS: readonly Action[] = ['submit', 'cancel', 'amend']

/**
 * What the person of a context may do with a record, each with the rule that says so; of a field whether they read
 * and set it. `place` is a field, or table.column. Throws 404 for a record or field that there is not.
 */
export async function toldRights(
  context: Context,
  definition: DocTypeDefinition,
  id: string,
  place?: string,
): Promise<readonly ToldRight[]> {
  const { services } = context
  const doc = await services.partsOf(definition).store.find(services.database.read, id)
  if (!doc) throw recordNotFound(definition.label, id)
  if (place !== undefined) return ofField(context, definition, doc, place)
  const rights = definition.submittable ? [...RIGHTS, ...OF_DOCUMENTS] : RIGHTS
  const told: ToldRight[] = []
  for (const right of rights) told.push(await ofRecord(context, definition, doc, right))
  return told
}

async function ofRecord(
  context: Context,
  definition: DocTypeDefinition,
  doc: Doc,
  right: Action,
): Promise<ToldRight> {
  const refused = await refusalOf(context, definition, doc, right)
  if (refused !== undefined) return { right, may: false, why: refused }
  if (isManager(context.actor)) return { right, may: true, why: `${SYSTEM_MANAGER}: everything` }
  const rules: string[] = []
  for (const role of grantingRoles(context, definition, right)) {
    const alone = {
      ...context,
      actor: { ...context.actor, roles: role === ALL_ROLE ? [] : [role] },
    }
    if (await mayWith(alone, definition, doc.name, right))
      rules.push(ruleOf(definition, role, right))
  }
  return { right, may: true, why: rules.join('; ') }
}

/** Why somebody may not do it, in words; undefined where they may. */
async function refusalOf(
  context: Context,
  definition: DocTypeDefinition,
  doc: Doc,
  right: Action,
): Promise<string | undefined> {
  const { read } = context.services.database
  try {
    assertMay(context, definition, right)
    await assertMayWith(context, read, { definition }, doc, right)
    return undefined
  } catch (error) {
    if (!isRefusal(error)) throw error
    if (!(error instanceof AppError) || error.code !== 'NOT_FOUND') return error.message
  }
  const broken = brokenLimit(context, definition, doc)
  if (broken) return `user permissions: its ${broken.field} is none of the records they name`
  if (!(await followsReadable(context, read, definition, doc)))
    return `it follows ${definition.behaviour.permissions?.follows}, which they may not read`
  const roles = grantingRoles(context, definition, 'read')
  return `it is none of the records of ${roles.map((role) => ruleOf(definition, role, 'read')).join('; ')}`
}

/** Rule by which a role has a right: where it is given, and the condition on its records. */
function ruleOf({ behaviour, module }: DocTypeDefinition, role: string, right: Action): string {
  const { roles, rows = {} } = behaviour.permissions ?? {}
  const limit = rows[role]
  const part = right === 'read' ? 'read' : 'write'
  const condition = typeof limit === 'object' ? limit[part] : limit
  const given = roles ? 'permissions.roles' : `roles.yaml, module ${module}`
  return `${role} (${given}): ${condition === undefined ? 'all records' : `those with ${condition}`}`
}

async function ofField(
  context: Context,
  definition: DocTypeDefinition,
  doc: Doc,
  place: string,
): Promise<readonly ToldRight[]> {
  const field = fieldAt(definition, place)
  if (!field)
    throw new AppError(
      'NOT_FOUND',
      `${definition.labelPlural} have no field ${JSON.stringify(place)}`,
    )
  const read = await ofRecord(context, definition, doc, 'read')
  const update = await ofRecord(context, definition, doc, 'update')
  const closed = update.may ? closedTo(context, definition, place, field) : undefined
  return [
    read.may ? { ...read, ...unread(context, definition, place, field) } : read,
    { ...update, right: 'set', ...(closed === undefined ? {} : { may: false, why: closed }) },
  ]
}

function unread(
  { actor }: Context,
  definition: DocTypeDefinition,
  place: string,
  field: Field,
): Partial<ToldRight> {
  const table = definition.fields.find(({ name }) => name === place.split('.')[0])
  if (field.internal || table?.internal)
    return { may: false, why: 'it is internal: nobody reads it' }
  const kept = [table, field].find((one) => one && !mayReadField(actor, one))
  if (!kept) return {}
  return { may: false, why: `permissions.fields: only ${kept.rights?.read?.join(', ')} read it` }
}

/** Why somebody who may change the record may not set a field of it; undefined where they may. */
function closedTo(
  context: Context,
  definition: DocTypeDefinition,
  place: string,
  field: Field,
): string | undefined {
  if (field.readOnly || field.internal) return 'the workspace fills it'
  if (!isWritable(field, 'update')) return 'it is set when the record is created'
  const known = knownTo(context, definition)
  const [name = '', column] = place.split('.')
  const steps = [fieldAt(known, name), ...(column === undefined ? [] : [fieldAt(known, place)])]
  if (steps.some((one) => one?.withheld)) return 'they may not read it'
  const closed = steps.find((one) => one?.closedTo)?.closedTo
  return closed && `permissions.fields: only ${closed.join(', ')} set it`
}

function fieldAt({ fields }: DocTypeDefinition, place: string): Field | undefined {
  const [name, column, ...more] = place.split('.')
  const field = fields.find((one) => one.name === name)
  if (column === undefined) return field
  return more.length > 0 ? undefined : field?.child?.fields.find((one) => one.name === column)
}
