import { accessSync, constants, copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseOptions } from '../engine/index.ts'
import { Failure } from './failure.ts'

/** Ends of the names of the files that make up a database of SQLite; what shares memory is made anew. */
const FILES = ['', '-wal'] as const

/** Place of a workspace. */
interface Place {
  readonly dataFolder: string
  readonly database: DatabaseOptions
}

/** A workspace to read from, and whether it is a copy of one on a disk that cannot be written to. */
type Readable<W extends Place> = W & { readonly isCopy: boolean }

/**
 * The workspace itself, or, where its folder may not be written to, one with a copy of its database in the temporary
 * folder, which goes away with this process: SQLite needs to write even to read. So a workspace on a disk that went
 * read-only, on a backup or a snapshot that is mounted so, can be read and exported. What is written to the copy is
 * lost: only for what reads. Throws Failure where there is no room for a copy.
 */
export function readableWorkspace<W extends Place>(workspace: W): Readable<W> {
  const { database, dataFolder } = workspace
  if (database.kind === 'postgres' || !existsSync(database.file) || isWritable(dataFolder))
    return { ...workspace, isCopy: false }
  const folder = mkdtempSync(join(tmpdir(), 'svc-read-only-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'workspace.db')
  try {
    for (const end of FILES)
      if (existsSync(`${database.file}${end}`))
        copyFileSync(`${database.file}${end}`, `${file}${end}`)
  } catch (error) {
    throw new Failure(
      `${dataFolder} cannot be written to, and there is no room for a copy in ${tmpdir()}: set TMPDIR to a folder that has it`,
      { cause: error },
    )
  }
  console.error(`svc: ${dataFolder} cannot be written to; reading a copy of it in ${folder}`)
  return { ...workspace, database: { ...database, file }, isCopy: true }
}

/** Whether something can be written into a folder, which is there. */
export function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}
