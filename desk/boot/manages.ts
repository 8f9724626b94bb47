import type { Boot } from '../data/types.ts'

/** Role that may do everything, definitions included. */
const MANAGER = 'System Manager'

/** Whether the person manages the workspace. */
export function manages({ person }: Boot): boolean {
  return person.roles.includes(MANAGER)
}
