import type { Detail } from '../../engine/base/errors.ts'
import type { DocTypeDefinition } from '../../engine/definition/definition.ts'
import type { LinkField, Services } from '../../engine/documents/context.ts'
import { namesBy } from '../../engine/storage/names-by.ts'
import type { Incoming } from './incoming.ts'

/** What became of the links of one record. */
export interface ResolvedLinks {
  readonly problems: readonly Detail[]
  /** What was not found may be a record of this very file that is not in yet. */
  readonly mayFollow: boolean
}

/** Brings the links of some records to names, in their bodies. */
export type ResolveLinks = (records: readonly Incoming[]) => Promise<readonly ResolvedLinks[]>

/** Names that are remembered: files link to the same few records over and over. */
const MAX_KNOWN = 20_000

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
 * problem of the record; names that are there are left to the operation to check.
 */
export function linkResolver(
  services: Services,
  definition: DocTypeDefinition,
  { isDryRun }: { readonly isDryRun: boolean },
): ResolveLinks {
  const { own, tables } = services.partsOf(definition).links
  const known = new Map<string, string>()
  const earlier = isDryRun && linksToItself(services, definition) ? new Set<string>() : undefined

  function remember(key: string, name: string): void {
    if (known.size >= MAX_KNOWN) known.delete(known.keys().next().value!)
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

  /** Learns the names of these values; returns the titles that several records have. */
  async function look(doctype: string, texts: readonly string[]): Promise<Ambiguous> {
    const ambiguous = new Map<string, readonly string[]>()
    const target = services.registry.byDoctype(doctype)
    if (!target || target.isChild) return ambiguous
    const { read } = services.database
    const named = await namesBy(read, target.table, 'name', texts)
    for (const name of named.keys()) remember(`${doctype}\0${name}`, name)
    const untold = texts.filter((text) => !named.has(text))
    if (untold.length === 0 || target.titleField === 'name') return ambiguous
    for (const [title, names] of await namesBy(read, target.table, target.titleField, untold)) {
      if (names.length === 1) remember(`${doctype}\0${title}`, names[0]!)
      else ambiguous.set(title, names)
    }
    return ambiguous
  }

  return async (records) => {
    const cells = records.map(cellsOf)
    const wanted = new Map<string, Set<string>>()
    for (const { doctype, text } of cells.flat()) {
      if (known.has(`${doctype}\0${text}`)) continue
      const texts = wanted.get(doctype)
      if (texts) texts.add(text)
      else wanted.set(doctype, new Set([text]))
    }
    const ambiguous = new Map<string, Ambiguous>()
    for (const [doctype, texts] of wanted) ambiguous.set(doctype, await look(doctype, [...texts]))
    return cells.map((some, at) => {
      const problems: Detail[] = []
      let mayFollow = false
      for (const { values, field, path, doctype, text } of some) {
        const name = known.get(`${doctype}\0${text}`)
        const several = ambiguous.get(doctype)?.get(text)
        if (name !== undefined) values[field] = name
        // In a dry run the records before this one are not there to be linked to.
        else if (doctype === definition.doctype && earlier?.has(text)) values[field] = null
        else {
          mayFollow ||= doctype === definition.doctype && !several
          problems.push({ field: path, message: linkProblem(services, doctype, text, several) })
        }
      }
      if (earlier && earlier.size < MAX_EARLIER)
        for (const name of namesOf(definition, records[at]!)) earlier.add(name)
      return { problems, mayFollow: mayFollow && earlier === undefined }
    })
  }
}

function linksToItself({ registry }: Services, { doctype }: DocTypeDefinition): boolean {
  return registry.linksTo(doctype).some(({ def }) => def.doctype === doctype)
}

/** What a record of the file may be called by the links of others. */
function namesOf({ naming, titleField }: DocTypeDefinition, { body }: Incoming): readonly string[] {
  const fields = ['name', titleField, ...(naming.kind === 'field' ? [naming.field] : [])]
  return fields.map((field) => body[field]).filter((name) => typeof name === 'string')
}

type Ambiguous = ReadonlyMap<string, readonly string[]>

function linkProblem(
  { registry }: Services,
  doctype: string,
  text: string,
  several: readonly string[] | undefined,
): string {
  const got = JSON.stringify(text)
  const target = registry.byDoctype(doctype)
  if (!target) return `expected a DocType beside it, got ${JSON.stringify(doctype)}`
  if (several) {
    const names = several.slice(0, 3).join(', ')
    return `${several.length} ${target.labelPlural} have the title ${got} (${names}${several.length > 3 ? ', …' : ''}); expected the name of one`
  }
  const by = target.titleField === 'name' ? 'name' : `name or ${target.titleField}`
  return `expected the ${by} of an existing ${target.label}, got ${got}`
}
