import type { DocTypeDefinition } from '../definition/model/definition.ts'
import type { Field } from '../fields/field.ts'
import { type Actor, isManager } from './actor.ts'
import { holdsRole, type Rights } from './can.ts'

/**
 * The DocType as the caller knows it: the one question about rights of single fields (`permissions.fields`). What
 * shows fields, takes them, tells or filters by them asks `publicFields` of the answer (decision 57). The same object
 * for all who hold the same of the roles that its fields name, and the DocType itself where they hold all of them.
 */
export function knownTo(
  { actor, grants }: Pick<Rights, 'actor' | 'grants'>,
  definition: DocTypeDefinition,
): DocTypeDefinition {
  if (!definition.behaviour.permissions?.fields || isManager(actor)) return definition
  return grants(definition).asKnown((roles) => holdsRole(actor, roles))
}

/** Whether the caller may read a field, as far as that is a question of its own rights. */
export function mayReadField(actor: Actor, { rights }: Pick<Field, 'rights'>): boolean {
  return rights?.read === undefined || isManager(actor) || holdsRole(actor, rights.read)
}
