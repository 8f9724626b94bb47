import { type Detail, validationError } from '../../base/errors.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { type Doc, rowsOf, valueIn } from '../../storage/database/document.ts'
import { lockKey } from '../../storage/database/key-lock.ts'
import { leadsTo } from '../../storage/finding/tree.ts'
import type { AcyclicLink, DocTypeParts } from '../work/context.ts'
import type { Work } from '../work/work.ts'

export function acyclicLinksOf({ fields }: DocTypeDefinition): readonly AcyclicLink[] {
  return fields.flatMap(({ name, acyclic, child }) => [
    ...(acyclic ? [{ field: name, table: undefined }] : []),
    ...(child?.fields ?? []).flatMap((column) =>
      column.acyclic ? [{ field: column.name, table: name }] : [],
    ),
  ])
}

/**
 * Refuses a change by which a record would lead back to itself, over any number of others. A new record cannot:
 * nothing leads to it yet. Writers of the same link wait for each other, or two could close a circle together.
 * Throws VALIDATION_ERROR naming the field or the row.
 */
export async function guardAcyclicLinks(
  { tx, context }: Work,
  { definition, acyclicLinks }: DocTypeParts,
  before: Doc | undefined,
  after: Doc,
): Promise<void> {
  if (!before) return
  for (const { field, table } of acyclicLinks) {
    const added = addedTargets(before, after, field, table)
    if (added.size === 0) continue
    const link = `${definition.table}.${table === undefined ? '' : `${table}.`}${field}`
    await lockKey(tx, context.services.database.kind, `acyclic/${link}`)
    const child = table === undefined ? {} : { child: `${definition.table}__${table}` }
    const self = { table: definition.table, column: field, ...child }
    const details: Detail[] = []
    for (const [target, path] of added) {
      if (!(await leadsTo(tx, self, [target], after.name))) continue
      const message = `leads back to ${after.name}: ${target === after.name ? 'it is the record itself' : `${target} comes after it already`}`
      details.push({ field: path, message, code: 'rule' })
    }
    if (details.length > 0) throw validationError(details)
  }
}

/** Records that a link leads to now and did not before, with where it stands. */
function addedTargets(
  before: Doc,
  after: Doc,
  field: string,
  table: string | undefined,
): ReadonlyMap<string, string> {
  const targets = (doc: Doc): readonly (readonly [unknown, string])[] =>
    table === undefined
      ? [[valueIn(doc, field), field]]
      : rowsOf(doc, table).map((row, index) => [row[field], `${table}[${index}].${field}`])
  const known = new Set(targets(before).map(([target]) => target))
  return new Map(
    targets(after).filter(
      (entry): entry is readonly [string, string] =>
        typeof entry[0] === 'string' && !known.has(entry[0]),
    ),
  )
}
