import type { RawBuilder } from 'kysely'
import { isManager } from '../../access/actor.ts'
import { type Action, grantingRoles } from '../../access/can.ts'
import { isoDateTime } from '../../base/clock.ts'
import { AppError } from '../../base/errors.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { toSqlCondition } from '../../expression/sql/to-sql.ts'
import type { Environment } from '../../expression/tree/types.ts'
import { columnOfDocument } from '../../rules/base/columns.ts'
import type { CompiledRule } from '../../rules/base/compiled-rule.ts'
import type { Doc } from '../../storage/database/document.ts'
import { allOf, anyOf, fragmentSql } from '../../storage/database/fragment.ts'
import type { Context } from '../work/context.ts'
import { brokenLimit, limitCondition, outsideLimits } from './user-limits.ts'

/**
 * The condition that the caller's roles (`permissions.rows`) and user permissions set on records they read, over
 * the columns of the DocType's table without an alias; undefined = all of them. One role that is not limited is
 * enough for the roles.
 */
export function rowCondition(
  context: Context,
  definition: DocTypeDefinition,
): RawBuilder<boolean> | undefined {
  const ofRoles = roleCondition(context, definition)
  const ofPerson = limitCondition(context, definition)
  return ofRoles && ofPerson ? allOf([ofRoles, ofPerson]) : (ofRoles ?? ofPerson)
}

function roleCondition(
  context: Context,
  definition: DocTypeDefinition,
): RawBuilder<boolean> | undefined {
  const rules = limitsOf(context, definition, 'read')
  if (!rules) return undefined
  const { kind } = context.services.database
  const environment = environmentOf(context)
  return anyOf(
    rules.map(({ expression }) =>
      fragmentSql(toSqlCondition(expression.tree, kind, columnOfDocument), environment),
    ),
  )
}

/** Whether the caller's roles and user permissions let them read this very record. */
export function isWithinRows(context: Context, definition: DocTypeDefinition, doc: Doc): boolean {
  return !brokenLimit(context, definition, doc) && mayByRole(context, definition, doc, 'read')
}

/**
 * Refuses a record that the caller's roles and user permissions do not let them have or leave so by this action.
 * Throws 403.
 */
export function assertLeft(
  context: Context,
  definition: DocTypeDefinition,
  doc: Doc,
  action: Action,
): void {
  assertDraft(context, definition, doc, action)
  const broken = brokenLimit(context, definition, doc)
  if (broken) throw outsideLimits(definition, broken)
  if (mayByRole(context, definition, doc, action)) return
  throw new AppError(
    'FORBIDDEN',
    `your roles let you ${action} only some ${definition.labelPlural}, and this is not one of them`,
  )
}

/**
 * Refuses a key of scope `draft` to change what is no draft: a document that was submitted, or, where records are not
 * submitted, one that its person has not made. Throws 403.
 */
function assertDraft(
  { actor }: Context,
  { submittable, labelPlural }: DocTypeDefinition,
  { docstatus, owner }: Doc,
  action: Action,
): void {
  if (actor.scope !== 'draft' || action !== 'update') return
  if (submittable ? docstatus === 0 : owner === actor.name) return
  throw new AppError(
    'FORBIDDEN',
    submittable
      ? `a key of scope draft changes drafts of ${labelPlural} alone; it needs scope write`
      : `a key of scope draft changes of ${labelPlural} those alone that its person has made; it needs scope write`,
  )
}

function mayByRole(
  context: Context,
  definition: DocTypeDefinition,
  doc: Doc,
  action: Action,
): boolean {
  const rules = limitsOf(context, definition, action)
  if (!rules) return true
  const environment = environmentOf(context)
  return rules.some((rule) => rule.evaluate()(doc, environment) === true)
}

/** Conditions of the caller's roles for this action, any of which is enough; undefined where one has none. */
function limitsOf(
  context: Context,
  definition: DocTypeDefinition,
  action: Action,
): readonly CompiledRule[] | undefined {
  if (isManager(context.actor)) return undefined
  const roles = grantingRoles(context, definition, action)
  // Who may change and not read: to them a record is not there, or its answer would show it.
  if (roles.length === 0) return []
  if (!definition.behaviour.permissions?.rows) return undefined
  const { rows: rules } = context.services.partsOf(definition).behaviour
  const isReading = READING.has(action)
  const limits: CompiledRule[] = []
  for (const role of roles) {
    const rule = rules.get(role)?.[isReading ? 'read' : 'write']
    if (!rule) return undefined
    limits.push(rule)
  }
  return limits
}

/** Rights that show records; the others change them. */
const READING: ReadonlySet<Action> = new Set(['read', 'report', 'export'])

function environmentOf({ actor, services }: Context): Environment {
  const now = isoDateTime(services.clock)
  const { name, user } = actor
  const email = user?.email ?? name
  return { now, today: now.slice(0, 10), records: { user: { email, name } } }
}
