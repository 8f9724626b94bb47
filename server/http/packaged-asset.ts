import { join } from 'node:path'
import { fileSystem, PROGRAM_FOLDER } from '../../engine/base/packaged-files.ts'

/** A style sheet, script or icon of the server's own pages. Throws an Error with the code ENOENT where there is none. */
export function pageAsset(name: string): Buffer {
  return fileSystem.bytes(join(PROGRAM_FOLDER, 'server/pages/assets', name))
}
