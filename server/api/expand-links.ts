import { AppError } from '../../engine/base/errors.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { getDocument } from '../../engine/documents/operations/get.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import type { Field } from '../../engine/fields/field.ts'
import { shownFor } from './shown-record.ts'

type Shown = Record<string, unknown>

/** Linked documents one answer shows at most; further links stay names. */
const MAX_EXPANDED = 500

/**
 * Puts the linked document in the place of its name, in the rows too (`expand_links=1`). What the caller may
 * not read stays a name (reliability.md M3).
 */
export async function expandLinks(
  context: Context,
  definition: DocTypeDefinition,
  shown: Shown,
): Promise<Shown> {
  const known = new Map<string, Promise<unknown>>()

  async function linked(doctype: string, name: string): Promise<unknown> {
    const key = `${doctype}\0${name}`
    const found = known.get(key)
    if (found) return found
    if (known.size >= MAX_EXPANDED) return name
    const read = readLinked(context, doctype, name)
    known.set(key, read)
    return read
  }

  async function expand(fields: readonly Field[], values: Shown): Promise<Shown> {
    const expanded = { ...values }
    for (const { name, link, linkFrom, linkTable, child } of fields) {
      const value = values[name]
      if (child && Array.isArray(value)) {
        const rows: Shown[] = []
        for (const row of value) rows.push(await expand(child.fields, row as Shown))
        expanded[name] = rows
        continue
      }
      const doctype = link ?? (linkFrom === undefined ? undefined : values[linkFrom])
      if (typeof value !== 'string' || typeof doctype !== 'string' || linkTable !== undefined)
        continue
      expanded[name] = await linked(doctype, value)
    }
    return expanded
  }

  return expand(definition.fields, shown)
}

async function readLinked(context: Context, doctype: string, name: string): Promise<unknown> {
  const definition = context.services.knownRegistry(context).byDoctype(doctype)
  if (!definition || definition.isChild) return name
  try {
    const { record } = await getDocument(context, definition, name)
    return shownFor(context, definition, record, { omitUnset: true })
  } catch (error) {
    if (error instanceof AppError && (error.code === 'NOT_FOUND' || error.code === 'FORBIDDEN'))
      return name
    throw error
  }
}
