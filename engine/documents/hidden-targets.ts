import { readCondition } from './row-rights.ts'
import type { Work } from './work.ts'

const NONE: ReadonlySet<string> = new Set()

/**
 * What the caller names and may not read, as `DocType\0name`: for them it is not there, or a fetch would show
 * it to them (reliability.md M3). What the workspace itself names is not asked.
 */
export async function hiddenTargets(
  { tx, context, depth }: Work,
  links: readonly { readonly doctype: string; readonly name: string }[],
): Promise<ReadonlySet<string>> {
  if (depth > 0) return NONE
  const hidden = new Set<string>()
  for (const [doctype, named] of Map.groupBy(links, (link) => link.doctype)) {
    const definition = context.services.registry.byDoctype(doctype)
    const limit = definition && readCondition(context, definition)
    if (!limit) continue
    const names = [...new Set(named.map(({ name }) => name))]
    const rows = await tx
      .selectFrom(definition.table)
      .select('name')
      .where('name', 'in', names)
      .where(limit)
      .execute()
    const readable = new Set(rows.map(({ name }) => name))
    for (const name of names) if (!readable.has(name)) hidden.add(`${doctype}\0${name}`)
  }
  return hidden
}
