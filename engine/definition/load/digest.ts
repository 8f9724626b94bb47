import { hash } from 'node:crypto'
import type { DocTypeDefinition } from '../model/definition.ts'

/**
 * A loaded definition with the checksum of what it says. Where its files lie and how they are written does not count:
 * a comment or another line break makes no other definition of it, while a block, a `let` or a column that the loader
 * made does.
 */
export function withDigest(definition: DocTypeDefinition): DocTypeDefinition {
  const { checksum: _checksum, filesChecksum: _ofFiles, files: _files, ...said } = definition
  return { ...definition, checksum: hash('sha256', JSON.stringify(said)).slice(0, 32) }
}
