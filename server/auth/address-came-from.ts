import type { Actor } from '../../engine/access/actor.ts'
import { unmapped } from './allow-list.ts'

/** An actor with the address their request came from; a connection that is gone tells none. */
export function cameFrom({ ip }: { readonly ip?: string | undefined }, actor: Actor): Actor {
  return ip === undefined ? actor : { ...actor, address: unmapped(ip) }
}
