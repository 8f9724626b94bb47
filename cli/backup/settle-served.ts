import type { Settings } from '../../server/settings/settings.ts'
import type { Workspace } from '../workspace.ts'
import { folderOf } from './kept-files.ts'
import { readState } from './kept-state.ts'
import { isUnderWay, readMarker } from './restore-marker.ts'
import { stillRuns } from './run-own.ts'
import { settle } from './settle.ts'

/** Time between two looks at a restore that is still under way, in ms. */
const LOOK_AGAIN = 500

/**
 * Puts a data folder in order in which a server that has ended was restoring, after its restore where that goes on without
 * it: nobody at a browser could run the command for it. Returns what was done, in words; undefined where there was nothing to do. A restore
 * that somebody has begun by a command is left to them.
 */
export async function settleServed(
  workspace: Workspace,
  settings: Settings,
): Promise<string | undefined> {
  const { restoring } = readState(folderOf(settings))
  if (!restoring) return undefined
  for (;;) {
    const marker = readMarker(workspace.dataFolder)
    const isAtWork = restoring.pid !== undefined && stillRuns(restoring.pid, 'restore')
    if (!isAtWork && !(marker && isUnderWay(marker))) return settle(workspace)
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN))
  }
}
