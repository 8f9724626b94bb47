import { isManager } from '../../access/actor.ts'
import { holdsRole, missingRole } from '../../access/can.ts'
import type { DocTypeDefinition, StatusDeclaration } from '../../definition/model/definition.ts'
import { type Move, movesOf } from '../../definition/normalise/flow.ts'
import { type Doc, valueIn } from '../../storage/database/document.ts'
import type { Context } from '../work/context.ts'

/**
 * Refuses a change of a chosen status that the flow leaves to other roles (docs/doctypes/cookbook/status.md). A record
 * that begins in another state than `initial` must have a way there that the caller may go. Throws FORBIDDEN
 * naming the states and the roles.
 */
export function assertMove(
  { actor }: Context,
  definition: DocTypeDefinition,
  before: Doc | undefined,
  after: Doc,
): void {
  const { status } = definition.behaviour
  if (!status?.movers || isManager(actor)) return
  const from = before && valueIn(before, status.field)
  const to = valueIn(after, status.field)
  if (typeof to !== 'string' || from === to) return
  if (typeof from === 'string') {
    const roles = status.movers[from]?.[to]
    if (!roles || holdsRole(actor, roles)) return
    throw missingRole(actor, roles, `move ${definition.labelPlural} from ${from} to ${to}`)
  }
  if (!mayReach(status, to, (roles) => holdsRole(actor, roles))) {
    const what = `begin ${definition.labelPlural} as ${to} instead of ${status.initial}`
    throw missingRole(actor, rolesInto(status, to), what)
  }
}

/** The arrows of a chosen status that lead on from this state and are for one of the caller's roles. */
export function movesFrom(
  { actor }: Pick<Context, 'actor'>,
  { behaviour: { status } }: DocTypeDefinition,
  state: unknown,
): readonly Move[] {
  if (!status?.flow) return []
  return movesOf(status).filter(
    ({ from, roles }) => from === state && (!roles || isManager(actor) || holdsRole(actor, roles)),
  )
}

/** Whether there is a way from the initial state along arrows that are free or whose roles `holds` knows. */
function mayReach(
  status: StatusDeclaration,
  wanted: string,
  holds: (roles: readonly string[]) => boolean,
): boolean {
  const moves = movesOf(status).filter(({ roles }) => !roles || holds(roles))
  const reached = new Set([status.initial])
  for (const state of reached) for (const { from, to } of moves) if (from === state) reached.add(to)
  return reached.has(wanted)
}

/** Roles of the arrows that lead to a state; none where only actions do. */
function rolesInto(status: StatusDeclaration, wanted: string): readonly string[] {
  return [...new Set(movesOf(status).flatMap(({ to, roles = [] }) => (to === wanted ? roles : [])))]
}
