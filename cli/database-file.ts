import { randomUUID } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { fileSystem, IS_BINARY, PROGRAM_FOLDER } from '../engine/base/packaged-files.ts'

/** Path in the binary of a compressed database with the tables of the shipped DocTypes and nothing in them. */
export const EMPTY_DATABASE = 'cache/empty.db.gz'

/** SQLite gives the files beside it the mode of this one; the data folder may be older than we are. */
const MODE = 0o600

/**
 * Makes the database file where it is missing. The binary starts from the one it carries, which is a third of the work
 * of a first start; the migration looks at what it finds as it always does.
 */
export function makeDatabaseFile(file: string, template: () => Buffer | undefined = carried): void {
  // What a deleted database has left beside it must not be taken for a part of ours.
  const isNew = [file, `${file}-wal`, `${file}-journal`].every((path) => !existsSync(path))
  const content = isNew ? template() : undefined
  if (content && writeNew(file, content)) return
  closeSync(openSync(file, 'a', MODE))
}

function carried(): Buffer | undefined {
  return IS_BINARY ? gunzipSync(fileSystem.bytes(join(PROGRAM_FOLDER, EMPTY_DATABASE))) : undefined
}

/** The whole file or none, also after a power cut. False where another process was faster, or there are no links. */
function writeNew(file: string, content: Buffer): boolean {
  const temporary = `${file}.${randomUUID()}.tmp`
  try {
    const fd = openSync(temporary, 'wx', MODE)
    try {
      writeFileSync(fd, content)
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
    linkSync(temporary, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return false
  } finally {
    rmSync(temporary, { force: true })
  }
}
