import type { Detail } from '../../engine/base/errors.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import type { Services } from '../../engine/documents/work/context.ts'
import type { Incoming } from './incoming.ts'
import { type LinkCell, linkCells } from './link-cells.ts'
import { nameLookUp } from './link-names.ts'

/**
 * Brings the links of some records to names, in their bodies, and says for each what is wrong with them. The
 * answer ends before a record that may link to one of those before it: these must be in first.
 */
export type ResolveLinks = (records: readonly Incoming[]) => Promise<readonly (readonly Detail[])[]>

/** Names that are remembered. */
const MAX_KNOWN = 20_000

/** Names of records of the file that a dry run remembers. */
const MAX_EARLIER = 200_000

interface LinkOptions {
  readonly isDryRun: boolean
  readonly maxKnown?: number
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
  const { links } = services.partsOf(definition)
  const lookUp = nameLookUp(services, definition, maxKnown)
  const isSelfLinked = linksToItself(services, definition)
  const earlier = isDryRun && isSelfLinked ? new Set<string>() : undefined

  function isOwn({ doctype, text }: LinkCell, names: ReadonlySet<string>): boolean {
    return doctype === definition.doctype && names.has(text)
  }

  /** Sets the link to what it means; a problem where that is not one record. */
  function resolve(cell: LinkCell, names: readonly string[]): Detail | undefined {
    const { values, field, path } = cell
    if (names.length === 1) values[field] = names[0]
    // In a dry run the records before this one are not there to be linked to.
    else if (earlier && isOwn(cell, earlier)) values[field] = null
    else
      return {
        field: path,
        message: linkProblem(services, cell, names),
        code: names.length === 0 ? 'no_such_record' : 'not_unique',
      }
    return undefined
  }

  return async (records) => {
    const cells = records.map((record) => linkCells(record, links))
    const looked = await lookUp(cells.flat())
    const results: (readonly Detail[])[] = []
    const ahead = new Set<string>()
    for (const [at, some] of cells.entries()) {
      if (!earlier && some.some((cell) => isOwn(cell, ahead))) break
      const problems = some.map((cell) =>
        resolve(cell, looked.get(cell.doctype)?.get(cell.text) ?? []),
      )
      const names = isSelfLinked ? namesOf(definition, records[at]!) : []
      for (const name of names) {
        ahead.add(name)
        if (earlier && earlier.size < MAX_EARLIER) earlier.add(name)
      }
      results.push(problems.filter((problem) => problem !== undefined))
    }
    return results
  }
}

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
  { doctype, text }: LinkCell,
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
