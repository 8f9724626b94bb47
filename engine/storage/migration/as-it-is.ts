import type { Database } from '../database/database.ts'
import {
  newestGeneration,
  noDefinitions,
  type OwnDefinitions,
  otherDefinitions,
} from './generations.ts'

/**
 * Number of the generation that a workspace has, which is opened as it is: nothing is brought to anything. Throws
 * CONFLICT, with a sentence that names both sides, where these definitions are not those of the workspace.
 */
export async function assertDefinitions(
  { read, kind }: Database,
  definitions: Omit<OwnDefinitions, 'computed'>,
): Promise<number> {
  const newest = await newestGeneration(read, kind)
  if (!newest) throw noDefinitions()
  if (newest.checksum !== definitions.checksum) throw otherDefinitions(newest, definitions)
  return newest.number
}
