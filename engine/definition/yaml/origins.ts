import type { Path, PlacePart } from './parse.ts'
import type { FilePlace, Origin, Places, Use } from './source.ts'

/** The place of a path of a DocType in the last of its origins that has it; else that of the nearest part above it. */
export function placeIn(
  origins: readonly Origin[],
  path: Path,
  part: PlacePart,
  places: Places,
): FilePlace {
  for (let length = path.length; length > 0; length -= 1) {
    const above = path.slice(0, length)
    for (const { file, pathOf, use, unwritten } of origins.toReversed()) {
      const inFile = pathOf(above)
      if (inFile === undefined || inFile.length === 0) continue
      const place = places.find(file, inFile, length === path.length ? part : 'key')
      if (!place) continue
      const before = part === 'text' ? unwritten?.(above) : undefined
      return {
        file: file.path,
        ...place,
        ...usedBy(use, places),
        ...(before ? { unwritten: before } : {}),
      }
    }
  }
  const own = origins.find(({ use }) => use === undefined)
  return { file: own?.file.path ?? '', line: 1, column: 1 }
}

/** Where a block is used, as problems tell it: `sales/sales-order.yaml:8:7`. */
function usedBy(use: Use | undefined, places: Places): { readonly usedBy?: string } {
  const texts: string[] = []
  for (let at = use; at; at = at.by) {
    const { line, column } = places.at(at.file, at.path, 'value')
    texts.push(`${at.file.path}:${line}:${column}`)
  }
  return texts.length === 0 ? {} : { usedBy: texts.join(', which is used by ') }
}
