import { createHash, hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileSystem, IS_BINARY, PROGRAM_FOLDER } from '../../base/packaged-files.ts'
import type { Hooks } from '../model/vocabulary.ts'
import type { SourceFile } from '../yaml/source.ts'
import type { FileNames } from './file-names.ts'

/**
 * What checked definitions follow from, as one checksum: the order of the folders, the names and texts of
 * their files, what hooks take and give, and the program that checks them. undefined where the program cannot be told from another
 * version of itself; nothing may be cached then. Files go by their `names`, so that a workspace which was moved, copied or restored
 * has what it had. The build of the single binary says which `program` it will be.
 */
export function definitionsKey(
  layers: readonly (readonly SourceFile[])[],
  hooks: Hooks,
  names: Pick<FileNames, 'nameOf'>,
  program = programChecksum(),
): string | undefined {
  if (program === undefined) return undefined
  const texts = layers
    // Of a folder without files nothing follows.
    .filter((files) => files.length > 0)
    .map((files) => files.map(({ path, text }) => [names.nameOf(path), hash('sha256', text)]))
  return hash('sha256', JSON.stringify([program, texts, declarationsOf(hooks)]))
}

/** What calls are checked against; how a hook computes is asked at each run. */
function declarationsOf(hooks: Hooks): unknown {
  return [...hooks].map(([name, { inputs, reads, outputs, gives }]) => [
    name,
    { inputs, reads, outputs, gives },
  ])
}

/**
 * The source of the engine, and package.json for the versions of what it uses: a version number would not
 * change with every commit, and a definition of yesterday's program fails somewhere far from here. The
 * package.json of the single binary holds the checksum of all its code.
 */
function programChecksum(): string | undefined {
  const description = join(PROGRAM_FOLDER, 'package.json')
  if (IS_BINARY) return hash('sha256', fileSystem.bytes(description))
  try {
    const checksum = createHash('sha256').update(readFileSync(description))
    for (const path of sourcesIn(join(PROGRAM_FOLDER, 'engine')))
      checksum.update(`\0${relative(PROGRAM_FOLDER, path)}\0`).update(readFileSync(path))
    return checksum.digest('hex')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return undefined
  }
}

/** Paths of the TypeScript files below a folder, sorted. Node's own recursive list asks the disk about each file. */
function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return sourcesIn(path)
      return entry.name.endsWith('.ts') ? [path] : []
    })
    .sort()
}
