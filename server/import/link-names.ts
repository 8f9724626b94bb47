import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import type { Services } from '../../engine/documents/work/context.ts'
import { namesBy } from '../../engine/storage/finding/record-names.ts'
import type { LinkCell } from './link-cells.ts'

/** Names by what they were asked for. */
export type Meanings = ReadonlyMap<string, readonly string[]>

/** Finds what links may mean, by DocType: the record of that name, else those of that title. */
export type LookUpNames = (cells: readonly LinkCell[]) => Promise<ReadonlyMap<string, Meanings>>

/**
 * Asks each DocType once for all cells, and remembers at most `maxKnown` names: files link to the same few
 * records over and over.
 */
export function nameLookUp(
  services: Services,
  definition: DocTypeDefinition,
  maxKnown: number,
): LookUpNames {
  const known = new Map<string, string>()

  function remember(key: string, name: string): void {
    if (known.size >= maxKnown) known.delete(known.keys().next().value!)
    known.set(key, name)
  }

  async function look(doctype: string, texts: readonly string[]): Promise<Meanings> {
    const target = services.registry.byDoctype(doctype)
    if (!target || target.isChild) return new Map()
    const { read } = services.database
    const named = await namesBy(read, target.table, 'name', texts)
    const untold = texts.filter((text) => !named.has(text))
    const titled =
      untold.length === 0 || target.titleField === 'name'
        ? []
        : await namesBy(read, target.table, target.titleField, untold)
    const found = new Map([...named, ...titled])
    for (const [text, names] of found) {
      // The file may bring another record of that title.
      const isLasting = doctype !== definition.doctype || named.has(text)
      if (names.length === 1 && isLasting) remember(`${doctype}\0${text}`, names[0]!)
    }
    return found
  }

  return async (cells) => {
    const wanted = new Map<string, Set<string>>()
    const found = new Map<string, Map<string, readonly string[]>>()
    for (const { doctype, text } of cells) {
      const name = known.get(`${doctype}\0${text}`)
      const texts = wanted.get(doctype) ?? new Set()
      const meanings = found.get(doctype) ?? new Map<string, readonly string[]>()
      // Kept beside: what is looked up for these cells may push it out of memory.
      if (name === undefined) wanted.set(doctype, texts.add(text))
      else found.set(doctype, meanings.set(text, [name]))
    }
    for (const [doctype, texts] of wanted) {
      const looked = await look(doctype, [...texts])
      found.set(doctype, new Map([...(found.get(doctype) ?? []), ...looked]))
    }
    return found
  }
}
