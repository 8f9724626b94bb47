import { SYSTEM_ACTOR } from '../../access/actor.ts'
import { planOf } from '../../access/plans.ts'
import { areStrangers, STRANGER_ROLE, SYSTEM_MANAGER } from '../../access/roles.ts'
import { AppError } from '../../base/errors.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { type Doc, rowsOf } from '../../storage/database/document.ts'
import { lockKey } from '../../storage/database/key-lock.ts'
import { countManagers, countSeats } from '../../storage/workspace/people.ts'
import { readTierState, seatsOf } from '../../storage/workspace/tier.ts'
import type { Work } from '../work/work.ts'

/**
 * Guards what holds for the people of a workspace as a whole, in the transaction of the change and under a lock, so
 * that two changes at once do not pass each other: the plan's seats (spec §1), and that somebody who may run the
 * workspace is left (reliability.md M9). Throws CONFLICT, FORBIDDEN. Does nothing for other DocTypes.
 */
export async function guardPeople(
  { tx, context }: Work,
  definition: DocTypeDefinition,
  before: Doc | undefined,
  after: Doc | undefined,
): Promise<void> {
  if (definition.serves !== 'users') return
  const { database, plans } = context.services
  const takesSeat = isSeated(after) && !isSeated(before)
  const losesManager = isManager(before) && !isManager(after)
  if (!takesSeat && !losesManager) return
  await lockKey(tx, database.kind, 'svc:people')
  if (losesManager && (await countManagers(tx, definition, SYSTEM_MANAGER)) === 0) {
    throw new AppError(
      'CONFLICT',
      `${before!.name} is the last ${SYSTEM_MANAGER} who can sign in; give somebody else the role first`,
    )
  }
  // Who runs the machine can set the tier as well (contract §2: the command acts as System Manager).
  if (!takesSeat || context.actor.id === SYSTEM_ACTOR.id) return
  const state = await readTierState(tx, plans)
  const seats = seatsOf(plans, state)
  if (seats === null || (await countSeats(tx, definition, STRANGER_ROLE)) <= seats) return
  const { label } = planOf(plans, state.tier)
  throw new AppError(
    'FORBIDDEN',
    `all ${seats} seats of the ${label} plan are taken; disable somebody, or take a larger plan with POST /v1/tiers/{slug}/subscribe`,
  )
}

function isEnabled(doc: Doc | undefined): boolean {
  return doc?.enabled === true
}

/** Whether somebody takes a seat: who can sign in and is no stranger. */
function isSeated(doc: Doc | undefined): boolean {
  return doc !== undefined && isEnabled(doc) && !areStrangers(roleNames(doc))
}

function roleNames(doc: Doc): string[] {
  return rowsOf(doc, 'roles').map(({ role }) => String(role))
}

function isManager(doc: Doc | undefined): boolean {
  return doc !== undefined && isEnabled(doc) && roleNames(doc).includes(SYSTEM_MANAGER)
}
