import { PIECES } from '../grammar/piece-schema.ts'
import type { Dimension } from '../model/dimension.ts'
import type { Path } from '../yaml/parse.ts'
import { isMap, type YamlMap } from '../yaml/source.ts'
import { usesIn, type WrittenUse } from './blocks.ts'

/** Use of a block, and where a DocType says it. */
export interface PlacedUse {
  readonly use: WrittenUse
  readonly path: Path
  /** Path of its parameters: its own, where a word of the DocType stands for it. */
  readonly with: Path
  /** Key of the field that its fields stand behind. */
  readonly behind: string
}

const mapOf = (value: unknown): YamlMap => (isMap(value) ? value : {})

/** Uses in the `use:` of a part, that of a block for all dimensions as one for each. */
export function placedUses(
  use: unknown,
  part: Path,
  dimensions: readonly Dimension[],
): readonly PlacedUse[] {
  return usesIn(use).flatMap((one, at) => {
    const path = [...part, 'use', at]
    if (typeof one === 'string' || one.dimensions !== true) return [placedUse(one, path)]
    const given = mapOf(one.with)
    return dimensions.map(({ as, doctype }) =>
      placedUse({ ...one, with: { ...given, name: as, doctype } }, path),
    )
  })
}

function placedUse(use: PlacedUse['use'], path: Path): PlacedUse {
  return { use, path, with: [...path, 'with'], behind: 'after' }
}

/** Uses of the blocks that words of a DocType stand for (grammar/piece-schema.ts). */
export function pieceUses(doctype: string, data: YamlMap): readonly PlacedUse[] {
  return Object.entries(PIECES).flatMap(([block, { required }]): PlacedUse[] => {
    const given = data[block]
    // What is missing has been told with the shape of the file.
    if (!isMap(given) || (required as string[]).some((key) => given[key] === undefined)) return []
    const use = { block, with: { doctype, ...given }, after: given.amount }
    const path = [block]
    return [{ use, path, with: path, behind: 'amount' }]
  })
}
