import { type ForeignLink, foreignLinks } from '../../storage/finding/foreign-links.ts'
import type { BondedLink, DocTypeParts, Services } from '../work/context.ts'
import type { Check, Difference } from './verify-report.ts'
import type { Scope } from './verify-scope.ts'

/**
 * Check of the links of a DocType to records that belong to another owner. No write makes one; an owner that was given to
 * a record later, or `belongs_to` in a workspace that has records, may leave some.
 */
export async function checkBonds(
  { database, registry }: Services,
  { definition, bonds }: DocTypeParts,
  { filled, from }: Scope,
  limit: number,
): Promise<Check> {
  const { doctype, table } = definition
  const found: Difference[] = []
  let differences = 0
  for (const bonded of bonds) {
    const { field, bond } = bonded
    const target = registry.byDoctype(bond.doctype)!
    const isLooked = from === undefined ? areBoth : isEither
    if (!isLooked(filled.has(table), filled.has(target.table))) continue
    const child = bonded.table === undefined ? undefined : `${table}__${bonded.table}`
    const foreign = await foreignLinks(
      database.read,
      {
        table,
        child,
        link: field,
        ours: bond.ours,
        isOfRow: bond.isOfRow,
        target: { table: target.table, theirs: bond.theirs },
      },
      limit,
      from,
    )
    differences += foreign[0]?.total ?? 0
    found.push(...foreign.map((one) => described(doctype, bonded, one)))
  }
  return {
    kind: 'validation',
    name: `${doctype}: belongs_to`,
    differences,
    found: found.slice(0, limit),
  }
}

const areBoth = (one: boolean, other: boolean): boolean => one && other
const isEither = (one: boolean, other: boolean): boolean => one || other

function described(
  doctype: string,
  { field, table, bond }: BondedLink,
  { name, idx, target, ours, theirs }: ForeignLink,
): Difference {
  return {
    doctype,
    id: name,
    field: table === undefined ? field : `${table}[${Number(idx) - 1}].${field}`,
    stored: target,
    message: `is of the ${bond.owner} ${JSON.stringify(theirs)}, expected one of ${JSON.stringify(ours)}`,
  }
}
