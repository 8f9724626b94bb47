import type { Detail } from '../../engine/base/errors.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import type { LinkField, Services } from '../../engine/documents/work/context.ts'
import { namesBy } from '../../engine/storage/records/names-by.ts'
import type { Incoming } from './incoming.ts'

/**
 * Brings the links of some records to names, in their bodies, and says for each what is wrong with them. The
 * answer ends before a record that may link to one of those before it: these must be in first.
 */
export type ResolveLinks = (records: readonly Incoming[]) => Promise<readonly (readonly Detail[])[]>

/** Names that are remembered: files link to the same few records over and over. */
const MAX_KNOWN = 20_000

interface LinkOptions {
  readonly isDryRun: boolean
  readonly maxKnown?: number
}

/** Names of records of the file that a dry run remembers. */
const MAX_EARLIER = 200_000

interface Cell {
  readonly values: Record<string, unknown>
  readonly field: string
  readonly path: string
  readonly doctype: string
  readonly text: string
}

/**
 * Links by name or by title: a value that names no record is taken for the title of one (of its `title`
 * field). Each DocType is asked once for all of the records. Several records of that title, or none, are a
 * problem of the record; whether a record that is there may be linked to is left to the operation.
 */
export function linkResolver(
  services: Services,
  definition: DocTypeDefinition,
  { isDryRun, maxKnown = MAX_KNOWN }: LinkOptions,
): ResolveLinks {
  const { own, tables } = services.partsOf(definition).links
  const known = new Map<string, string>()
  const isSelfLinked = linksToItself(services, definition)
  const earlier = isDryRun && isSelfLinked ? new Set<string>() : undefined

  function remember(key: string, name: string): void {
    if (known.size >= maxKnown) known.delete(known.keys().next().value!)
    known.set(key, name)
  }

  function cellsOf({ body }: Incoming): Cell[] {
    const cells: Cell[] = []
    const collect = (fields: readonly LinkField[], values: unknown, prefix: string): void => {
      if (typeof values !== 'object' || values === null) return
      const record = values as Record<string, unknown>
      for (const { name, link, linkFrom, linkTable } of fields) {
        const text = record[name]
        const doctype = link ?? record[linkFrom!]
        if (linkTable !== undefined || typeof text !== 'string' || typeof doctype !== 'string')
          continue
        if (text !== '')
          cells.push({ values: record, field: name, path: prefix + name, doctype, text })
      }
    }
    collect(own, body, '')
    for (const { table, fields } of tables) {
      const rows = body[table]
      if (!Array.isArray(rows)) continue
      for (const [index, row] of rows.entries()) collect(fields, row, `${table}[${index}].`)
    }
    return cells
  }

  /** The names each value may mean: the record of that name, else those of that title. */
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

  async function lookAll(cells: readonly Cell[]): Promise<ReadonlyMap<string, Meanings>> {
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

  return async (records) => {
    const cells = records.map(cellsOf)
    const looked = await lookAll(cells.flat())
    const results: (readonly Detail[])[] = []
    const ahead = new Set<string>()
    for (const [at, some] of cells.entries()) {
      const isOwn = ({ doctype, text }: Cell, names: ReadonlySet<string>): boolean =>
        doctype === definition.doctype && names.has(text)
      if (!earlier && some.some((cell) => isOwn(cell, ahead))) break
      const problems: Detail[] = []
      for (const cell of some) {
        const { values, field, path, doctype, text } = cell
        const names = looked.get(doctype)?.get(text) ?? []
        if (names.length === 1) values[field] = names[0]
        // In a dry run the records before this one are not there to be linked to.
        else if (earlier && isOwn(cell, earlier)) values[field] = null
        else problems.push({ field: path, message: linkProblem(services, cell, names) })
      }
      const names = isSelfLinked ? namesOf(definition, records[at]!) : []
      for (const name of names) {
        ahead.add(name)
        if (earlier && earlier.size < MAX_EARLIER) earlier.add(name)
      }
      results.push(problems)
    }
    return results
  }
}

/** Names by what they were asked for. */
type Meanings = ReadonlyMap<string, readonly string[]>

function linksToItself({ registry }: Services, { doctype }: DocTypeDefinition): boolean {
  return registry.linksTo(doctype).some(({ def }) => def.doctype === doctype)
}

/** Names by which the links of others may call a record of the file. */
function namesOf({ naming, titleField }: DocTypeDefinition, { body }: Incoming): readonly string[] {
  const fields = ['name', titleField, ...(naming.kind === 'field' ? [naming.field] : [])]
  return fields.map((field) => body[field]).filter((name) => typeof name === 'string')
}

function linkProblem(
  { registry }: Services,
  { doctype, text }: Cell,
  names: readonly string[],
): string {
  const got = JSON.stringify(text)
  const target = registry.byDoctype(doctype)
  if (!target) return `expected a DocType beside it, got ${JSON.stringify(doctype)}`
  if (names.length > 1) {
    const some = `${names.slice(0, 3).join(', ')}${names.length > 3 ? ', …' : ''}`
    return `${names.length} ${target.labelPlural} have the title ${got} (${some}); expected the name of one`
  }
  const by = target.titleField === 'name' ? 'name' : `name or ${target.titleField}`
  return `expected the ${by} of an existing ${target.label}, got ${got}`
}
