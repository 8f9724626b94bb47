import type { Actor } from '../../../engine/access/actor.ts'
import { unmapped } from '../allow-list.ts'
import { actorOf, type Person } from '../people.ts'
import type { Attempt } from '../throttle.ts'

/** Actor of somebody at a door, with the address they come from. */
export function actorFrom(person: Person, { address }: Pick<Attempt, 'address'>): Actor {
  return { ...actorOf(person), address: unmapped(address) }
}
