import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Path } from '../../definition/yaml/parse.ts'
import { isMap, type YamlMap } from '../../definition/yaml/source.ts'
import type { ChildDefinition } from '../../fields/field.ts'

/** Receiver of a mistake: the way to it from the top of the file, and what it is. */
export type Tell = (path: Path, message: string) => void

/** A DocType, or rows by their own DocType's name. */
export type Spoken = DocTypeDefinition | ChildDefinition

/** What a dialect may speak of: by the name of a DocType or of rows; a mistake is told and undefined comes back. */
export type Named = (name: unknown, path: Path) => Spoken | undefined

/** Tells of the keys that are none of those. */
export function assertKeys(map: YamlMap, known: readonly string[], path: Path, tell: Tell): void {
  for (const key of Object.keys(map))
    if (!known.includes(key))
      tell([...path, key], `unknown key ${key}; expected ${known.join(', ')}`)
}

/** Entries of a map that may be missing. */
export function entriesOf(value: unknown, path: Path, tell: Tell): (readonly [string, unknown])[] {
  if (value === undefined) return []
  if (isMap(value)) return Object.entries(value)
  tell(path, 'expected a map')
  return []
}
