import { createHash, hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SourceFile } from './source.ts'

/**
 * What checked definitions follow from, as one checksum: the order of the folders, the names and texts of
 * their files, and the program that checks them. undefined where the program cannot be told from another
 * version of itself; nothing may be cached then.
 */
export function definitionsKey(layers: readonly (readonly SourceFile[])[]): string | undefined {
  const program = programChecksum()
  if (program === undefined) return undefined
  const texts = layers.map((files) => files.map(({ path, text }) => [path, hash('sha256', text)]))
  return hash('sha256', JSON.stringify([program, texts]))
}

/**
 * The engine's own source, and package.json for the versions of what it uses: a version number would not
 * change with every commit, and a definition of yesterday's program fails somewhere far from here.
 */
function programChecksum(): string | undefined {
  const engine = join(import.meta.dirname, '..')
  try {
    const checksum = createHash('sha256').update(readFileSync(join(engine, '..', 'package.json')))
    for (const name of (readdirSync(engine, { recursive: true }) as string[]).sort()) {
      if (!name.endsWith('.ts')) continue
      checksum.update(`\0${name}\0`).update(readFileSync(join(engine, name)))
    }
    return checksum.digest('hex')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return undefined
  }
}
